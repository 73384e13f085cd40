// Tests of sample times that are not stored, either because of the config or because they cannot be
// kept. All of them are counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { silentLogger } from '../base/logger.ts';
import { type PprofHeader, PprofWriter, type WrittenTimes } from '../formats/pprof/writer.ts';
import { sampleTimesMax } from '../model/limits.ts';
import { createIngester } from './ingester.ts';
import { SampleTimesFilter } from './sample-times-filter.ts';
import { nowMillis, setUpWith } from './testing/write-path.ts';

const timeNanos = BigInt(nowMillis) * 1_000_000n;
const types = (...names: string[]) => names.map((type) => ({ type, unit: 'nanoseconds' }));

function encode(times: WrittenTimes | undefined, header: Partial<PprofHeader> = {}): Uint8Array {
  const { sampleTypes = types('cpu') } = header;
  const writer = new PprofWriter();
  const values = sampleTypes.map(() => 10n);
  writer.sample([writer.frame({ name: 'main' })], values, [], times);
  const periodType = { type: 'cpu', unit: 'nanoseconds' };
  return writer.finish({ sampleTypes, periodType, timeNanos, durationNanos: 1n, ...header });
}

/**
 * Stores a profile. Returns true if its sample times were stored, and the counts of times that were
 * not.
 */
async function store(profile: Uint8Array, dropped: readonly string[] = [], workers = 0) {
  const setUp = setUpWith(workers);
  const { storage, metrics } = setUp;
  const timesFilter = new SampleTimesFilter();
  timesFilter.set(dropped);
  const clock = createFakeClock(nowMillis);
  const filtered = createIngester({ storage, metrics, clock, logger: silentLogger, timesFilter });
  await (workers === 0 ? filtered : setUp.ingester).write([
    { labels: [{ name: '__name__', value: 'process_cpu' }], profile },
  ]);
  const name = 'parca_ingest_sample_times_dropped_total';
  const counts = [...metrics.counts].flatMap(([key, count]) =>
    key.startsWith(name) ? [`${key.slice(name.length + 1)} ${count}`] : [],
  );
  assert.equal(storage.profiles[0].rowCount, 1);
  return [storage.profiles[0].sampleTimes !== undefined, counts];
}

const second = 1_000_000_000n;
const usual = { offsets: [0n, second] };

test('times of types that the config names are not stored', async () => {
  const cpu = encode(usual);
  const check = async (profile: Uint8Array, dropped: readonly string[], isKept: boolean) =>
    assert.deepEqual(await store(profile, dropped), [isKept, isKept ? [] : ['config 1']]);
  await check(cpu, [], true);
  await check(cpu, ['process_cpu'], false);
  await check(cpu, ['process_cpu:cpu'], false);
  await check(cpu, ['process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta'], false);
  await check(cpu, ['*'], false);
  await check(cpu, ['process', 'cpu', 'process_cpu:wall', 'process_cpu:cp'], true);
  const both = encode(usual, { sampleTypes: types('cpu', 'wall') });
  await check(both, ['process_cpu:wall'], true);
  await check(both, ['process_cpu:wall', 'process_cpu:cpu'], false);
  assert.deepEqual(await store(encode(undefined), ['*']), [false, []]);
});

test('times that cannot be kept are counted, and the profile is stored', async () => {
  const tooMany = { offsets: Array.from({ length: sampleTimesMax + 1 }, () => 0n) };
  for (const workers of [0, 2]) {
    assert.deepEqual(await store(encode(tooMany), [], workers), [false, ['limit 1']]);
  }
  assert.deepEqual(await store(encode({ offsets: [0n, 3_601n * second] })), [false, ['far 1']]);
  assert.deepEqual(await store(encode({ offsets: [0n, -61n * second] })), [false, ['far 1']]);
  assert.deepEqual(await store(encode(usual)), [true, []]);
  // The JFR decoder marks profiles in this way.
  const lost = encode(undefined, { areTimesLost: true });
  assert.deepEqual(await store(lost), [false, ['limit 1']]);
});
