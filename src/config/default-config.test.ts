// The parca.yaml at the root loads and does what README promises: the server scrapes itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseConfig } from './parse.ts';

const text = readFileSync(new URL('../../parca.yaml', import.meta.url), 'utf8');

test('the default config scrapes CPU and memory of the server itself', () => {
  const { objectStorage, scrapeConfigs } = parseConfig(text, 'parca.yaml');
  assert.equal(objectStorage, undefined);
  assert.equal(scrapeConfigs.length, 1);
  const [{ jobName, intervalMillis, profiles, discovery }] = scrapeConfigs;
  assert.equal(jobName, 'parca');
  assert.equal(intervalMillis, 10_000);
  assert.deepEqual(
    profiles.map(({ name, path, delta }) => [name, path, delta]),
    [
      ['memory', '/debug/pprof/heap', false],
      ['process_cpu', '/debug/pprof/profile', true],
    ],
  );
  assert.deepEqual(
    discovery.flatMap(({ groups }) => groups.flatMap(({ targets }) => targets)),
    ['127.0.0.1:7070'],
  );
});

test('what it shows in comments is right, too', () => {
  // Comments with keys are "# key" or "#   key"; sentences end in a full stop or a comma.
  const shown = text
    .split('\n')
    .slice(3)
    .map((line) => (/[.,;]$|^\s*# A program/.test(line) ? '' : line.replace('# ', '')))
    .join('\n');
  const { objectStorage, scrapeConfigs } = parseConfig(shown, 'parca.yaml');
  assert.equal(objectStorage?.bucket.type, 'FILESYSTEM');
  const [own, api] = scrapeConfigs;
  assert.equal(own.timeoutMillis, 13_000);
  assert.equal(own.relabelRules.length, 1);
  assert.deepEqual(own.profiles[1].keepSampleTypes, [{ type: 'wall', unit: 'nanoseconds' }]);
  assert.equal(own.profiles[1].path, '/admin/debug/pprof/profile');
  assert.equal(api.profiles.length, 6);
});
