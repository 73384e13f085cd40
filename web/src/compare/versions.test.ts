// Tests of deploys: which versions are marked, and with which name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDeploys, shortVersion } from './versions.ts';

test('versions that come later than the first one are deploys, the last ones are marked', () => {
  const marked = (...since: number[]): string[] => {
    const list = since.map((time, i) => ({ value: `v${i}`, since: time }));
    return listDeploys({ label: 'version', list }, 10).map(
      ({ before, value, since: at }) => `${before}-${value} ${at}`,
    );
  };
  assert.deepEqual(marked(100), []);
  assert.deepEqual(marked(100, 110), [], 'both were there at the beginning');
  assert.deepEqual(marked(100, 110, 111, 300), ['v1-v2 111', 'v2-v3 300']);
  assert.equal(marked(...Array.from({ length: 40 }, (_, i) => i * 100)).length, 12);
});

test('a long version keeps its end', () => {
  assert.equal(shortVersion('v1.2.3'), 'v1.2.3');
  assert.equal(shortVersion('registry.example/shop:v1.2.3'), '…ple/shop:v1.2.3');
});
