// Tests of loading a config, and of reloads that apply all of it or nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../base/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics, type Metrics } from '../base/metrics.ts';
import { createClock } from '../base/node/clock.ts';
import { createFiles } from '../base/node/files.ts';
import { type Config, noAlerting } from './config.ts';
import { findingsDefault } from './schema/findings-schema.ts';
import { loadConfig } from './load/load.ts';
import { createReloader, type ApplyConfig, type Reloader } from './reload.ts';
import { discoveryKinds } from '../discovery/registry.ts';

function config(file: string): Config {
  return {
    file,
    objectStorage: undefined,
    debuginfodServers: undefined,
    dropSampleTimes: [],
    externalLabels: [],
    scrapeConfigFiles: [],
    ruleFiles: [],
    ruleDefaults: { intervalMillis: 60_000, offsetMillis: 0 },
    alerting: noAlerting,
    remoteWrite: [],
    findings: findingsDefault,
    sourceLinks: [],
    shown: [{ file, yaml: 'x' }],
    scrapeConfigs: [],
    namesJobs: true,
    warnings: [],
  };
}

interface Rig {
  readonly reloader: Reloader;
  readonly gauges: Map<string, number>;
  /** The next result of `load`. */
  next: Config | Error;
}

function rig(apply: readonly ApplyConfig[]): Rig {
  const gauges = new Map<string, number>();
  const metrics: Metrics = {
    ...noMetrics,
    gauge: (name) => ({ set: (value) => void gauges.set(name, value) }),
  };
  const clock: Clock = { ...createClock(), nowMillis: () => 5_000 };
  const load = async (): Promise<Config> => {
    if (made.next instanceof Error) throw made.next;
    return made.next;
  };
  const reloader = createReloader({ load, apply, clock, logger: silentLogger, metrics });
  const made: Rig = { reloader, gauges, next: config('first') };
  return made;
}

test('a good config reaches every component, and the metrics say so', async () => {
  const seen: string[] = [];
  const { reloader, gauges } = rig([
    async ({ file }) => void seen.push(`a ${file}`),
    async ({ file }) => void seen.push(`b ${file}`),
  ]);
  await reloader.reload();
  assert.deepEqual(seen, ['a first', 'b first']);
  assert.equal(gauges.get('parca_config_last_reload_successful'), 1);
  assert.equal(gauges.get('parca_config_last_reload_success_timestamp_seconds'), 5);
});

test('a config that does not load changes nothing', async () => {
  const seen: string[] = [];
  const made = rig([async ({ file }) => void seen.push(file)]);
  await made.reloader.reload();
  made.next = new Error('bad file');
  await assert.rejects(made.reloader.reload(), /bad file/);
  assert.deepEqual(seen, ['first']);
  assert.equal(made.gauges.get('parca_config_last_reload_successful'), 0);
  assert.equal(made.gauges.get('parca_config_last_reload_success_timestamp_seconds'), 5);
  made.next = config('second');
  await made.reloader.reload();
  assert.deepEqual(seen, ['first', 'second']);
  assert.equal(made.gauges.get('parca_config_last_reload_successful'), 1);
});

test('when one component refuses, those before it go back', async () => {
  const seen: string[] = [];
  const made = rig([
    async ({ file }) => void seen.push(file),
    async ({ file }) => {
      if (file === 'refused') throw new Error('no');
    },
  ]);
  await made.reloader.reload();
  made.next = config('refused');
  await assert.rejects(made.reloader.reload(), /no/);
  assert.deepEqual(seen, ['first', 'refused', 'first']);
});

test('reloads do not overlap', async () => {
  let running = 0;
  const made = rig([
    async () => {
      running += 1;
      assert.equal(running, 1);
      await new Promise((resolve) => void setImmediate(resolve));
      running -= 1;
    },
  ]);
  await Promise.all([made.reloader.reload(), made.reloader.reload(), made.reloader.reload()]);
  assert.equal(running, 0);
});

test('loading names the file that cannot be read', async () => {
  const reading = (bytes: Uint8Array | Error): Promise<Config> =>
    loadConfig(
      'parca.yaml',
      {
        list: async () => [],
        read: async () => {
          if (bytes instanceof Error) throw bytes;
          return bytes;
        },
      },
      discoveryKinds,
    );
  const text = new TextEncoder().encode('scrape_configs: []');
  assert.equal((await reading(text)).file, 'parca.yaml');
  await assert.rejects(reading(new Error('ENOENT')), /cannot read config file parca.yaml: ENOENT/);
  await assert.rejects(reading(Uint8Array.of(0xff)), /parca.yaml: it is not UTF-8/);
  await assert.rejects(reading(new TextEncoder().encode('a')), /parca.yaml:1:1: expected a map/);
});

test('a file that is cut off at a reload is refused; at the start it is only warned of', async () => {
  const jobs = (
    await loadConfig(
      new URL('load/testdata/parca.good.yml', import.meta.url).pathname,
      createFiles(),
      discoveryKinds,
    )
  ).scrapeConfigs;
  const made = rig([]);
  const full = { ...config('a'), scrapeConfigs: jobs };
  const empty = { ...config('a'), namesJobs: false, shown: [{ file: 'a', yaml: '' }] };
  made.next = empty;
  await made.reloader.reload();
  made.next = full;
  await made.reloader.reload();
  made.next = empty;
  await assert.rejects(
    made.reloader.reload(),
    /cannot use config file a: it is empty; scrape_configs: \[\] would/,
  );
  made.next = { ...empty, shown: [{ file: 'a', yaml: 'global: {}' }] };
  await assert.rejects(made.reloader.reload(), /file a: it has no scrape_configs; /);
  assert.equal(made.gauges.get('parca_config_last_reload_successful'), 0);
  made.next = config('a');
  await made.reloader.reload();
  made.next = {
    ...full,
    shown: [
      { file: 'a', yaml: 'x' },
      { file: 'jobs', yaml: 'y' },
    ],
  };
  await made.reloader.reload();
  made.next = {
    ...full,
    shown: [
      { file: 'a', yaml: 'x' },
      { file: 'jobs', yaml: '' },
    ],
  };
  await assert.rejects(made.reloader.reload(), /file jobs: it is empty/);
});
