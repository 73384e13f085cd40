// Tests of "did you mean".
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, isSlip, likeness, nearest, sortByLikeness } from './nearest.ts';

test('edit distance counts insertions, deletions, replacements and swaps', () => {
  const check = (a: string, b: string, want: number): void => {
    assert.equal(editDistance(a, b), want);
    assert.equal(editDistance(b, a), want);
  };
  check('', '', 0);
  check('', 'abc', 3);
  check('job', 'jop', 1);
  check('scrape_intreval', 'scrape_interval', 1);
  check('jbo', 'job', 1);
  check('kitten', 'sitting', 3);
});

test('long strings differ by their starts and their lengths', () => {
  const long = 'a'.repeat(1_000_000);
  assert.equal(editDistance(`x${long}`, long), 2);
  assert.equal(editDistance(long, `${long}bcd`), 3);
});

test('only near names are suggested', () => {
  const names = ['scrape_interval', 'scrape_timeout', 'scheme'];
  assert.equal(nearest('scrape_intervall', names), 'scrape_interval');
  assert.equal(nearest('schema', names), 'scheme');
  assert.equal(nearest('Scheme', names), 'scheme');
  assert.equal(nearest('zzz', names), undefined);
  assert.equal(nearest('x', []), undefined);
});

test('the most similar text comes first; only a close one is a guess', () => {
  assert.deepEqual(sortByLikeness('apy', ['web', 'api', 'API-2']), ['api', 'API-2', 'web']);
  assert.ok(isSlip('apy', likeness('apy', 'api')));
  assert.ok(isSlip('Job', likeness('Job', 'job')));
  assert.ok(!isSlip('apy', likeness('apy', 'database')));
});
