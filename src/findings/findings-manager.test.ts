// Tests of the search for findings, with an engine that returns invented profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { createLabelSet } from '../model/labels.ts';
import type { MetricsSeries, RangeAnswer } from '../query/interface.ts';
import type { FindingsEngine } from './ask-services.ts';
import { type FindingsManager, openFindings } from './findings-manager.ts';
import { settleMillis } from './limits.ts';
import { windowMillis } from './statistics/limits.ts';

const monday = Date.UTC(2026, 0, 5);
const deployHour = 60;
const now = monday + 66 * windowMillis + settleMillis;
const config = { enabled: true, falseDiscoveryRate: 0.01, minCost: 0.005 };
const names = ['parse', 'render', 'query', 'encode', 'load', 'sort', 'lock', 'copy'];

/** Returns the number of hours since Monday; before Monday, there are no profiles. */
function hourOf(timeNanos: bigint): number {
  return (Number(timeNanos / 1_000_000n) - monday) / windowMillis;
}

function line(labels: Readonly<Record<string, string>>, hours: readonly number[]): MetricsSeries {
  const count = hours.length;
  return {
    labels: createLabelSet(Object.entries(labels).map(([name, value]) => ({ name, value }))),
    sampleType: { type: 'cpu', unit: 'nanoseconds' },
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    timeNanos: BigInt64Array.from(
      hours,
      (hour) => BigInt(monday + hour * windowMillis) * 1_000_000n,
    ),
    value: new BigInt64Array(count).fill(1_000n),
    valuePerSecond: new Float64Array(count),
    durationNanos: new BigInt64Array(count),
    count: new Uint32Array(count),
    total: 0n,
    average: 4,
  };
}

/**
 * Creates an engine with profiles of two services. After a deploy of the first one, its function
 * `parse` is slower.
 */
function makeEngine(asked: string[]): FindingsEngine {
  const random = seededRandom(9);
  const noise = (): number => 0.9 + (0.2 * random.uint32()) / 2 ** 32;
  const hours = Array.from({ length: 66 }, (_, i) => i);
  return {
    profileTypes: async () => [],
    labelNames: async () => ['job', 'version'],
    queryRange: async ({ sumBy }) => {
      const series = sumBy.includes('version')
        ? [
            line({ job: 'shop', version: '1' }, hours.slice(0, deployHour)),
            line({ job: 'shop', version: '2' }, hours.slice(deployHour)),
          ]
        : [line({ job: 'shop' }, hours), line({ job: 'idle' }, hours)];
      const nameGaps = { unnamed: [], pending: 0 } as unknown as RangeAnswer['nameGaps'];
      return { profileTypes: [], series, missing: [], nameGaps, notes: [] };
    },
    largestFunctions: async ({ query, range }) => {
      asked.push(query);
      const hour = hourOf(range.from);
      if (hour < 0) return { total: 0, sampleCount: 0, snapshots: 0, functions: [] };
      const functions = names.map((name) => {
        const isSlower = name === 'parse' && hour >= deployHour && query.includes('shop');
        const value = Math.round(1e6 * noise() * (isSlower ? 3 : 1));
        return { name, flat: value, cumulative: value };
      });
      const total = functions.reduce((sum, { flat }) => sum + flat, 0);
      return { total, sampleCount: total / 1_000, snapshots: 0, functions };
    },
  };
}

async function open(files: MemoryFiles, asked: string[], wallMillis = now) {
  const clock = createFakeClock(wallMillis);
  let changes = 0;
  const manager = await openFindings({
    clock,
    files,
    logger: silentLogger,
    metrics: noMetrics,
    random: seededRandom(3),
    engine: makeEngine(asked),
    listMarks: () => [],
    folder: '/data/findings',
    onChange: () => (changes += 1),
  });
  return { manager, clock, countChanges: () => changes };
}

/** Runs steps until there is nothing to do. */
async function finish(manager: FindingsManager): Promise<void> {
  while (await manager.step()) continue;
}

async function makeFiles(): Promise<MemoryFiles> {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/data');
  return files;
}

test('a slower function is found with its deploy, kept over a restart, and acknowledged', async () => {
  const files = await makeFiles();
  const asked: string[] = [];
  const first = await open(files, asked);
  first.manager.apply(config);
  await finish(first.manager);
  const [found, ...others] = first.manager.list();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [found.kind, found.service.name, found.versionBefore, found.version, found.functions[0].name],
    ['deploy', 'shop', '1', '2', 'parse'],
  );
  assert.ok(Math.abs(found.functions[0].amount - 0.8) < 0.1, String(found.functions[0].amount));
  assert.equal(first.countChanges(), 1);
  await first.manager.stop();

  const again = await open(files, asked);
  again.manager.apply(config);
  assert.deepEqual(again.manager.list(), [found]);
  await finish(again.manager);
  assert.equal(again.manager.list().length, 1);
  const { state } = await again.manager.acknowledge(found.id, true);
  assert.equal(state, 'acknowledged');
  await assert.rejects(again.manager.acknowledge('x', true), /cannot change finding "x": there is/);
  await again.manager.stop();
});

test('each hour is asked for once, and nothing while it is off', async () => {
  const asked: string[] = [];
  const { manager, clock } = await open(await makeFiles(), asked);
  manager.apply({ ...config, enabled: false });
  await finish(manager);
  assert.equal(asked.length, 0);
  manager.apply(config);
  await finish(manager);
  assert.equal(asked.length, 2 * 66);
  assert.ok(asked.includes('cpu{job="idle"}'));
  await finish(manager);
  assert.equal(asked.length, 2 * 66);
  await manager.stop();
  await clock.advance(windowMillis);
  assert.equal(asked.length, 2 * 66);
});

test('the search begins and goes on by itself', async () => {
  const asked: string[] = [];
  const { manager, clock } = await open(await makeFiles(), asked);
  manager.apply(config);
  await clock.advance(120_000);
  assert.equal(asked.length, 2 * 66);
  await manager.stop();
});
