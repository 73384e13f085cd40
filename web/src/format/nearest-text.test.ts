// Tests of guesses at what was meant.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, probablyMeant, sortByLikeness } from './nearest-text.ts';

test('slips of the finger', () => {
  const cases: [a: string, b: string, want: number][] = [
    ['', '', 0],
    ['api', 'api', 0],
    ['apy', 'api', 1],
    ['pai', 'api', 1],
    ['jbo', 'job', 1],
    ['', 'api', 3],
    ['kitten', 'sitting', 3],
  ];
  for (const [a, b, want] of cases) {
    assert.equal(editDistance(a, b), want, `${a} ${b}`);
    assert.equal(editDistance(b, a), want, `${b} ${a}`);
  }
});

test('the most alike comes first, a guess is made only when it is close', () => {
  assert.deepEqual(sortByLikeness('apy', ['web', 'api', 'API-2']), ['api', 'API-2', 'web']);
  assert.equal(probablyMeant('apy', ['web', 'api']), 'api');
  assert.equal(probablyMeant('Job', ['job']), 'job');
  assert.equal(probablyMeant('apy', ['database']), undefined);
  assert.equal(probablyMeant('apy', []), undefined);
});
