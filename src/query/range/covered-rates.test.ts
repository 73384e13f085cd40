// Tests of rates over the covered time: the average of a graph's buckets is the number in its
// headline.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { MetricsSeries, RangeQuestion } from '../interface.ts';
import { QueryContext } from '../running/context.ts';
import { TestStore } from '../testing/test-store.ts';
import { answerRange } from './range-answer.ts';

const cpuText = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const cpu = parseProfileType(cpuText);
const heapText = 'memory:inuse_space:bytes:space:bytes';
const heap = parseProfileType(heapText);
const second = 1_000_000_000n;
const context = new QueryContext({ signal: new AbortController().signal });

const agentText = 'parca_agent:samples:count:cpu:nanoseconds:delta';

interface Pushes {
  readonly type?: ProfileType;
  readonly job?: string;
  readonly from: number;
  readonly to: number;
  readonly every: number;
  readonly lasts?: number;
  readonly cores: number;
}

function push(
  store: TestStore,
  { type = cpu, job = 'a', from, to, every, lasts = every, cores }: Pushes,
): void {
  for (let at = from; at < to; at += every) {
    const nanos = Math.round(lasts * cores * 1e9);
    store.add({
      type,
      labels: { job },
      rows: `x ${nanos / 2}\ny ${nanos / 2}`,
      timeNanos: BigInt(at) * second,
      durationNanos: BigInt(lasts) * second,
    });
  }
}

async function ask(
  store: TestStore,
  asked: Partial<RangeQuestion>,
): Promise<readonly MetricsSeries[]> {
  const range = { from: 0n, to: 3_600n * second };
  const whole = { query: cpuText, range, stepNanos: 100n * second, sumBy: [], limit: 0 };
  return (await answerRange({ ...whole, ...asked, averages: true }, store, context)).series;
}

/** Returns the rates, and the seconds that they cover, all rounded. */
function listRates({ covered }: MetricsSeries): (readonly [rate: number, seconds: number])[] {
  assert(covered !== undefined);
  return Array.from(covered.rate, (rate, i) => [
    Number(rate.toPrecision(6)),
    Number(covered.coveredNanos[i] / second),
  ]);
}

function computeMean({ covered }: MetricsSeries): number {
  assert(covered !== undefined);
  const seconds = Array.from(covered.coveredNanos, Number);
  const sum = seconds.reduce((all, one, i) => all + one * covered.rate[i], 0);
  return sum / seconds.reduce((all, one) => all + one, 0);
}

function computeHeadline({ total, covered }: MetricsSeries): number {
  return Number(total) / Number(covered?.durationNanos);
}

test('a bucket is divided by its covered time, not by its width', async () => {
  const store = new TestStore();
  push(store, { from: 250, to: 400, every: 10, cores: 1.5 });
  const [line] = await ask(store, {});
  assert.deepEqual(listRates(line), [
    [1.5, 50],
    [1.5, 100],
  ]);
  assert.equal(computeHeadline(line), 1.5);
});

test('another push interval, or a part of the time, changes nothing', async () => {
  const store = new TestStore();
  push(store, { from: 0, to: 1_000, every: 10, cores: 2 });
  push(store, { from: 1_000, to: 2_000, every: 50, cores: 2 });
  push(store, { from: 2_000, to: 3_000, every: 50, lasts: 10, cores: 2 });
  const [line] = await ask(store, {});
  assert.equal(line.covered?.rate.length, 30);
  for (const [rate] of listRates(line)) assert.equal(rate, 2);
});

test('programs that are profiled at other times add up, in narrow buckets, too', async () => {
  const store = new TestStore();
  for (const [i, job] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) {
    push(store, { job, from: i * 10, to: 1_200, every: 60, lasts: 10, cores: 1 });
  }
  for (const stepNanos of [10n * second, 100n * second]) {
    const [line] = await ask(store, { stepNanos });
    for (const [rate] of listRates(line)) assert.equal(rate, 6, `${stepNanos}`);
  }
});

test('a program that comes later adds from then on', async () => {
  const store = new TestStore();
  push(store, { from: 0, to: 1_000, every: 10, cores: 1 });
  push(store, { job: 'b', from: 550, to: 1_000, every: 10, cores: 2 });
  const [line] = await ask(store, {});
  const [early, joining, late] = [listRates(line)[4], listRates(line)[5], listRates(line)[9]];
  assert.deepEqual(
    [early, joining, late],
    [
      [1, 100],
      [2, 100],
      [3, 100],
    ],
  );
  assert.ok(Math.abs(computeMean(line) - computeHeadline(line)) < 1e-9);
});

test('the mean of buckets by covered time is the headline, for any stages and labels', async () => {
  const store = new TestStore();
  push(store, { from: 30, to: 900, every: 10, cores: 1.25 });
  push(store, { from: 1_740, to: 3_000, every: 30, cores: 0.5 });
  push(store, { job: 'b', from: 730, to: 2_230, every: 10, cores: 3 });
  for (const query of [cpuText, `${cpuText} | stack "x"`]) {
    for (const sumBy of [[], ['job']]) {
      for (const line of await ask(store, { query, sumBy })) {
        const [mean, headline] = [computeMean(line), computeHeadline(line)];
        assert.ok(Math.abs(mean / headline - 1) < 0.005, `${query} ${mean} ${headline}`);
        if (sumBy.length > 0) assert.ok(Math.abs(mean / headline - 1) < 1e-6);
      }
    }
  }
});

test('programs of an agent that do something now and then count with what they did', async () => {
  const store = new TestStore();
  const type = parseProfileType(agentText);
  push(store, { type, from: 0, to: 600, every: 10, cores: 1 });
  // Each job uses a core for 10 s of every 50 s, and sends nothing in between.
  for (const [i, job] of ['b', 'c', 'd'].entries()) {
    push(store, { type, job, from: 20 + i * 10, to: 600, every: 50, lasts: 10, cores: 1 });
  }
  for (const stepNanos of [10n * second, 100n * second]) {
    const [line] = await ask(store, { query: agentText, stepNanos });
    assert.equal(computeHeadline(line), 96 / 60, `${stepNanos}`);
    assert.equal(line.covered?.durationNanos, 600n * second);
    // Rates of numbers of samples are per second.
    assert.ok(Math.abs(computeMean(line) / 1e9 - 96 / 60) < 1e-9, `${computeMean(line)}`);
  }
  const [, sparse] = await ask(store, { query: agentText, sumBy: ['job'] });
  // The average covers the time from the line's first profile to the end of its last profile.
  assert.equal(computeHeadline(sparse), 120 / 560);
  assert.ok(Math.abs(computeMean(sparse) / 1e9 - 120 / 560) < 1e-6, `${computeMean(sparse)}`);
});

test('a bucket of states is their average, of all programs', async () => {
  const store = new TestStore();
  for (let at = 0; at < 1_000; at += 20) {
    const timeNanos = BigInt(at) * second;
    store.add({ type: heap, labels: { job: 'a' }, rows: 'x 100', timeNanos });
    store.add({
      type: heap,
      labels: { job: 'a' },
      rows: 'y 300',
      timeNanos: timeNanos + 10n * second,
    });
    const rows = `x ${at % 40 === 0 ? 10 : 30}`;
    store.add({ type: heap, labels: { job: 'b' }, rows, timeNanos: timeNanos + 10n * second });
  }
  const lines = await ask(store, { query: heapText, sumBy: ['job'] });
  const names = lines.map(({ labels }) => labels[0].value);
  assert.deepEqual(names, ['a', 'b']);
  assert.deepEqual(listRates(lines[0])[3], [200, 100]);
  const b = listRates(lines[1]);
  assert.ok(
    b.every(([rate]) => rate >= 18 && rate <= 22),
    String(b),
  );
});

test('an increase is divided by the time of its steps', async () => {
  const store = new TestStore();
  const text = 'mutex:delay:nanoseconds:contentions:count';
  const type = parseProfileType(text);
  for (let at = 300; at <= 900; at += 30) {
    store.add({ type, rows: `x ${(at - 300) * 1_000}`, timeNanos: BigInt(at) * second });
  }
  const [line] = await ask(store, { query: `${text} | increase` });
  for (const [rate] of listRates(line)) assert.equal(rate, 1_000);
});

test('lines of the first label there is have their own averages', async () => {
  const store = new TestStore();
  const add = (labels: Record<string, string>, at: number, cores: number): void => {
    const times = { timeNanos: BigInt(at) * second, durationNanos: 10n * second };
    store.add({ ...times, type: cpu, labels, rows: `x ${cores * 1e10}` });
  };
  for (let at = 0; at < 300; at += 10) add({ job: 'a', app: 'one' }, at, 1);
  for (let at = 300; at < 600; at += 10) add({ job: 'a', app: 'two' }, at, 3);
  for (let at = 0; at < 100; at += 10) add({ app: 'one' }, at, 2);
  const lines = await ask(store, { sumBy: ['job', 'app'], isByFirstLabel: true });
  const found = lines.map((line) => [
    line.labels.map(({ name, value }) => `${name}=${value}`).join(' '),
    computeHeadline(line),
    line.covered?.rate.length,
  ]);
  assert.deepEqual(found, [
    ['job=a', 2, 6],
    ['app=one', 2, 1],
  ]);
});
