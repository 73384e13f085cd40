// Tests of functions over time, against a naive evaluation and results worked out by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { createPausingClock } from '../../base/fake/pausing-clock.ts';
import { noMetrics } from '../../base/metrics.ts';
import { parseProfileType } from '../../model/profile-type.ts';
import type { Querier } from '../../storage/interface.ts';
import { createQueryEngine } from '../engine/engine.ts';
import type { FunctionsAnswer, FunctionsQuestion } from '../interface.ts';
import { cpuText, createEngine, rejects } from '../testing/ask.ts';
import { parseRows } from '../testing/print-report.ts';
import { realHeads } from '../testing/real-parts.ts';
import { randomFrom, randomRows } from '../testing/random-rows.ts';
import { TestStore } from '../testing/test-store.ts';

const cpu = parseProfileType(cpuText);

function ask(store: Querier, asked: Partial<FunctionsQuestion>): Promise<FunctionsAnswer> {
  return createEngine(store).queryFunctions(
    {
      query: cpuText,
      range: { from: 0n, to: 99n },
      stepNanos: 10n,
      names: [],
      top: 3,
      measure: 'flat',
      ...asked,
    },
    { signal: new AbortController().signal },
  );
}

test('random profiles: own values, values with calls, recursion once, in two parts', async () => {
  const names = ['f0', 'f4', 'g1', 'none'];
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = randomFrom(seed * 7_919);
    const stores = [new TestStore(), new TestStore()];
    const want = new Map<bigint, { flat: bigint[]; cumulative: bigint[]; total: bigint }>();
    for (let i = 0; i < 12; i += 1) {
      const timeNanos = BigInt(random(120));
      const rows = randomRows(random, 1 + random(9));
      stores[random(2)].add({ type: cpu, timeNanos, durationNanos: 1n, rows });
      if (timeNanos < 5n || timeNanos > 99n) continue;
      const start = (timeNanos / 10n) * 10n;
      const zero = { flat: names.map(() => 0n), cumulative: names.map(() => 0n), total: 0n };
      const bucket = want.get(start) ?? zero;
      want.set(start, bucket);
      for (const { frames, values } of parseRows(rows)) {
        const [value] = values;
        bucket.total += value;
        names.forEach((name, k) => {
          if (frames.includes(name)) bucket.cumulative[k] += value;
          if (frames.at(-1) === name) bucket.flat[k] += value;
        });
      }
    }
    const range = { from: 5n, to: 99n };
    const { buckets, functions, total } = await ask(realHeads(...stores), { names, range });
    const got = Array.from(buckets.timeNanos, (start, i) => [
      start,
      {
        flat: functions.map(({ flat }) => flat[i]),
        cumulative: functions.map(({ cumulative }) => cumulative[i]),
        total: buckets.total[i],
      },
    ]);
    assert.deepEqual(
      got,
      [...want].sort(([a], [b]) => Number(a - b)),
      `seed ${seed}`,
    );
    const sum = (values: BigInt64Array): bigint => values.reduce((a, b) => a + b, 0n);
    assert.equal(total, sum(buckets.total));
    for (const { flat, flatTotal, cumulative, cumulativeTotal } of functions) {
      assert.deepEqual([flatTotal, cumulativeTotal], [sum(flat), sum(cumulative)]);
    }
  }
});

test('the largest functions of the range, by either value; frames without names do not count', async () => {
  const store = new TestStore();
  store.add({ type: cpu, timeNanos: 1n, rows: 'main;a 5\nmain;0x77 90' });
  store.add({ type: cpu, timeNanos: 55n, rows: 'main;b 7\nmain;a 1' });
  const listNames = ({ functions }: FunctionsAnswer): string[] => functions.map(({ name }) => name);
  assert.deepEqual(listNames(await ask(store, { top: 2 })), ['b', 'a']);
  const answer = await ask(store, { top: 2, measure: 'cumulative' });
  assert.deepEqual(listNames(answer), ['main', 'b']);
  assert.deepEqual([...answer.buckets.timeNanos], [0n, 50n]);
  assert.deepEqual([...answer.functions[0].cumulative], [95n, 8n]);
  assert.deepEqual([...answer.functions[0].flat], [0n, 0n]);
  assert.deepEqual(listNames(await ask(new TestStore(), {})), []);
});

test('counts are scaled by their period, and to 0 where it is unknown', async () => {
  const type = parseProfileType('process_cpu:samples:count:cpu:nanoseconds:delta');
  const query = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const store = new TestStore();
  store.add({ type, timeNanos: 1n, rows: 'main;a 5' });
  const unknown = await ask(store, { query, names: ['a'] });
  assert.deepEqual([unknown.valueType.unit, unknown.total], ['count', 5n]);
  store.add({ type, timeNanos: 11n, period: 10n, rows: 'main;a 2\nmain 1' });
  const { valueType, total, profileCount, buckets, functions } = await ask(store, {
    query,
    names: ['a'],
  });
  assert.deepEqual([valueType.unit, total, profileCount], ['nanoseconds', 30n, 2]);
  assert.deepEqual([...buckets.total], [0n, 30n]);
  assert.deepEqual([[...functions[0].flat], functions[0].flatTotal], [[0n, 20n], 20n]);
  const none = await ask(new TestStore(), { query, names: ['a'] });
  assert.deepEqual([none.valueType.unit, none.total, none.profileCount], ['nanoseconds', 0n, 0]);
});

test('questions that ask for too much', async () => {
  const store = new TestStore();
  const refused = (asked: Partial<FunctionsQuestion>, message: RegExp): Promise<void> =>
    rejects(ask(store, asked), 'invalid-argument', message);
  await refused({ stepNanos: 0n }, /^step: must be longer than 0\.$/);
  await refused({ range: { from: 0n, to: 10_000n } }, /1001 steps are more than 1000/);
  await refused({ names: ['a', 'a'] }, /cannot show a function twice/);
  const many = Array.from({ length: 32 }, (_, i) => `f${i}`);
  await refused({ names: many }, /cannot show more than 31 functions/);
});

test('31 functions at once', async () => {
  const store = new TestStore();
  const names = Array.from({ length: 31 }, (_, i) => `f${i}`);
  store.add({ type: cpu, timeNanos: 1n, rows: `${names.join(';')} 3\nf30 2\nf0 4` });
  const { functions } = await ask(store, { names });
  assert.deepEqual(
    functions.map(({ flatTotal, cumulativeTotal }) => [flatTotal, cumulativeTotal]),
    names.map((name) => (name === 'f30' ? [5n, 5n] : name === 'f0' ? [4n, 7n] : [0n, 3n])),
  );
});

test('stacks are looked up with pauses', async () => {
  const pausesFor = async (stackCount: number): Promise<number> => {
    const store = new TestStore();
    const rows = Array.from({ length: stackCount }, (_, i) => `f${i} 1`).join('\n');
    store.add({ type: cpu, timeNanos: 5n, durationNanos: 1n, rows });
    const { clock, pauses } = createPausingClock(createFakeClock());
    const parts = { metrics: noMetrics, clock };
    const engine = createQueryEngine({ ...parts, querier: store });
    const question = { query: cpuText, range: { from: 0n, to: 9n }, stepNanos: 10n } as const;
    const { functions } = await engine.queryFunctions(
      { ...question, names: ['f1'], top: 0, measure: 'flat' },
      { signal: new AbortController().signal },
    );
    assert.deepEqual([...functions[0].flat], [1n]);
    return pauses();
  };
  assert.equal((await pausesFor(5_000)) - (await pausesFor(100)), Math.floor(5_000 / 256));
});
