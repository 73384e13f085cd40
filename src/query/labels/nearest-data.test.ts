import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType } from '../../model/profile-type.ts';
import type { NearestData } from '../interface.ts';
import { cpuText, createEngine } from '../testing/ask.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);
const hour = 3_600_000_000_000n;
const year = 365n * 24n * hour;

function storeAt(times: readonly bigint[], labels: Record<string, string> = {}): TestStore {
  const store = new TestStore();
  for (const timeNanos of times) store.add({ type: cpu, timeNanos, labels, rows: 'main 1' });
  return store;
}

function ask(store: TestStore, query: string, from: bigint, to: bigint): Promise<NearestData> {
  const caller = { signal: new AbortController().signal };
  return createEngine(store).nearestData({ query, range: { from, to } }, caller);
}

test('the last time before and the first one after, at any distance', async () => {
  const times = [0n, year, 2n * year, 2n * year + 7n];
  const check = async (from: bigint, to: bigint, want: Partial<NearestData>): Promise<void> => {
    const { hasData, earlier, later } = await ask(storeAt(times), cpuText, from, to);
    assert.deepEqual({ hasData, earlier, later }, want);
  };
  const after = 2n * year + 7n;
  await check(year + 5n, year + 6n, { hasData: false, earlier: year, later: 2n * year });
  await check(year - 5n, year + 5n, { hasData: true, earlier: 0n, later: 2n * year });
  await check(2n * year + 1n, 2n * year + 2n, {
    hasData: false,
    earlier: 2n * year,
    later: after,
  });
  await check(after + 1n, after + hour, { hasData: false, earlier: after, later: undefined });
  await check(-2n, -1n, { hasData: false, earlier: undefined, later: 0n });
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
  await check(least, most, { hasData: true, earlier: undefined, later: undefined });
});

test('pipelines: times are those that a question can have', async () => {
  const store = storeAt([hour], { job: 'api' });
  const check = async (query: string, want: Partial<NearestData>): Promise<void> => {
    const { hasData, earlier, later } = await ask(store, query, 5n, 6n);
    assert.deepEqual({ hasData, earlier, later }, want);
  };
  const later = { hasData: false, earlier: undefined, later: hour };
  await check(`${cpuText} | focus "x" | top 3`, later);
  await check(`${cpuText} offset 30m`, { ...later, later: hour + hour / 2n });
  await check(`${cpuText} offset 1h`, { hasData: false, earlier: undefined, later: 2n * hour });
  await check(`${cpuText} @ 0 to 3600`, later);
  await check(`${cpuText} @ 3600 to 7200 offset 1h`, { ...later, later: 2n * hour });
  await check(`${cpuText} @ 3600 to 7199 offset 1h`, { ...later, later: undefined });
  await check(`${cpuText} except @ 0 to 3600`, { ...later, later: undefined });
  await check(`${cpuText} except @ 0 to 3599.999999999`, later);
  await check(`diff(${cpuText}{job="none"}, ${cpuText}{job="api"})`, later);
});

test('names and values that were probably meant', async () => {
  const store = storeAt([1n], { job: 'api', pod: 'a-1' });
  store.add({ type: cpu, timeNanos: 2n, labels: { job: 'web', pod: 'w-1' }, rows: 'main 1' });
  const findConditions = async (conditions: string) =>
    (await ask(store, `${cpuText}{${conditions}}`, 5n, 6n)).conditions;
  assert.deepEqual(await findConditions('job="apy"'), [
    {
      name: 'job',
      operator: '=',
      value: 'apy',
      hasName: true,
      hasMatch: false,
      alternatives: ['api', 'web'],
      meant: 'api',
    },
  ]);
  assert.deepEqual(await findConditions('jbo="api"'), [
    {
      name: 'jbo',
      operator: '=',
      value: 'api',
      hasName: false,
      hasMatch: false,
      alternatives: ['job', 'pod'],
      meant: 'job',
    },
  ]);
  // Profiles satisfy each condition, but none satisfies both: alternatives are values that exist
  // together with the other condition.
  const [first, second] = await findConditions('job="api",pod="w-1"');
  assert.deepEqual([first.hasMatch, first.alternatives, first.meant], [true, ['web'], undefined]);
  assert.deepEqual([second.hasMatch, second.alternatives], [true, ['a-1']]);
  const [absent] = await findConditions('zone=""');
  assert.deepEqual([absent.hasName, absent.hasMatch], [false, true]);
  const [expression] = await findConditions('job=~"ap"');
  assert.deepEqual([expression.hasMatch, expression.meant], [false, undefined]);
});
