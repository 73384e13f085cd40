// Tests that the parca.yaml in the root folder loads, and that the examples in its comments are
// valid.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseConfig } from './parse.ts';
import { discoveryKinds } from '../../discovery/registry.ts';

const text = readFileSync(new URL('../../../parca.yaml', import.meta.url), 'utf8');

test('the default config names no target: the server scrapes itself without being told', () => {
  const { objectStorage, scrapeConfigs } = parseConfig(text, 'parca.yaml', discoveryKinds);
  assert.equal(objectStorage, undefined);
  assert.deepEqual(scrapeConfigs, []);
});

test('the examples in its comments are valid', () => {
  // Comments that contain keys have the form "# key" or "# key". Comments that end in a full stop
  // are sentences.
  const shown = text
    .split('\n')
    .slice(4)
    .map((line) => (line.endsWith('.') ? '' : line.replace('# ', '')))
    .join('\n');
  const { objectStorage, scrapeConfigs } = parseConfig(shown, 'parca.yaml', discoveryKinds);
  assert.equal(objectStorage?.bucket.type, 'FILESYSTEM');
  const [api, shop] = scrapeConfigs;
  assert.equal(api.profiles.length, 6);
  assert.deepEqual([shop.intervalMillis, shop.timeoutMillis], [10_000, 13_000]);
  assert.equal(shop.relabelRules.length, 1);
  assert.deepEqual(
    shop.profiles.map(({ name, path, delta }) => [name, path, delta]),
    [
      ['memory', '/admin/debug/pprof/heap', false],
      ['process_cpu', '/admin/debug/pprof/profile', true],
    ],
  );
  assert.deepEqual(shop.profiles[1].keepSampleTypes, [{ type: 'cpu', unit: 'nanoseconds' }]);
});
