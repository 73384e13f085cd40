// Tests of the divisor of averages. An average must be what a person would call the number of
// cores.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { averagingDivisor, averagingFactors } from './coverage.ts';
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import { buildTimeline, type TimedSpan } from '../../model/profiles/timeline.ts';
import { toColumns } from '../../model/profiles/testing/to-columns.ts';

const second = 1_000_000_000n;
const hour = 3_600e9;

interface Shape {
  /** Time of the first profile, and time between profiles, both in seconds. */
  readonly at: number;
  readonly every: number;
  readonly count: number;
  readonly lasts: number;
  /** Value of each profile. */
  readonly value?: number;
}

/** Returns one series as one span. */
function series({ at, every, count, lasts, value = 1 }: Shape): TimedSpan[] {
  const base = 1_760_000_000n * second;
  const nanos = (seconds: number) => BigInt(Math.round(seconds * 1e9));
  const facts = { durationNanos: nanos(lasts), period: 0n, total: BigInt(value), count: 0 };
  const columns = toColumns(
    Array.from({ length: count }, (_, i) => ({
      ...facts,
      timeNanos: base + nanos(at + i * every),
    })),
  );
  return [{ digest: computeDigest(columns, 0), columns: () => columns }];
}

function buildTimelines(all: readonly TimedSpan[][], isDelta: boolean) {
  return Promise.all(all.map((spans) => buildTimeline(spans, isDelta)));
}

async function computeDivisor(all: readonly TimedSpan[][], isDelta: boolean): Promise<number> {
  return averagingDivisor(await buildTimelines(all, isDelta), isDelta, hour);
}

/** Returns the average of the sum of all series. Each series uses `value` per second. */
async function cores(...shapes: Shape[]): Promise<number> {
  const all = shapes.map((shape) => series({ ...shape, value: shape.value ?? shape.lasts * 1e9 }));
  let sum = 0;
  for (const [{ digest }] of all) sum += Number(digest.total);
  const average = Number((sum / (await computeDivisor(all, true))).toPrecision(6));
  const parts = await computeParts(all);
  assert.equal(Number(parts.reduce((total, part) => total + part, 0).toPrecision(6)), average);
  return average;
}

/** Returns the contribution of each series to the average. */
async function computeParts(all: readonly TimedSpan[][]): Promise<number[]> {
  const factors = averagingFactors(await buildTimelines(all, true), true, hour);
  return all.map(([{ digest }], i) => Number((Number(digest.total) * factors[i]).toPrecision(9)));
}

test('one series is divided by what its profiles cover', async () => {
  assert.equal(await cores({ at: 0, every: 10, count: 3, lasts: 10 }), 1);
  assert.equal(await cores({ at: 0, every: 10, count: 1, lasts: 10 }), 1);
  assert.equal(await cores({ at: 7, every: 60, count: 9, lasts: 10 }), 1, 'sampled');
  assert.equal(await cores({ at: 0, every: 4_000, count: 5, lasts: 10 }), 1, 'with gaps');
  assert.equal(await cores({ at: 0, every: 5, count: 9, lasts: 10 }), 1.8, 'overlapping');
});

test('concurrent series add up, at any offset of their profiles', async () => {
  const contiguous = { every: 10, count: 3, lasts: 10 };
  assert.equal(await cores({ at: 0, ...contiguous }, { at: 0, ...contiguous }), 2);
  assert.equal(await cores({ at: 0, ...contiguous }, { at: 7, ...contiguous }), 2);
  const sampled = { every: 60, count: 5, lasts: 10 };
  assert.equal(await cores({ at: 0, ...sampled }, { at: 30, ...sampled }), 2);
  const once = { every: 0, count: 1, lasts: 10 };
  assert.equal(await cores({ at: 0, ...once }, { at: 4, ...once }, { at: 9, ...once }), 3);
  const minute = { at: 0, every: 10, count: 60, lasts: 10 };
  assert.equal(await cores(minute, { at: 2, ...sampled, count: 10 }), 2, 'of different pace');
});

test('a series adds its own average, even if it is rarely profiled', async () => {
  const whole = series({ at: 0, every: 10, count: 12, lasts: 10, value: 10e9 });
  const half = series({ at: 0, every: 20, count: 6, lasts: 10, value: 30e9 });
  assert.deepEqual(await computeParts([whole, half]), [1, 3]);
  const first = series({ at: 0, every: 10, count: 30, lasts: 10, value: 10e9 });
  const second = series({ at: 300, every: 10, count: 10, lasts: 10, value: 20e9 });
  assert.deepEqual(await computeParts([first, second]), [0.75, 0.5], 'as long as it was alive');
  assert.deepEqual(await computeParts([]), []);
});

test('successive series do not add up', async () => {
  const first = { at: 0, every: 10, count: 30, lasts: 10 };
  assert.equal(await cores(first, { ...first, at: 300 }), 1);
  assert.equal(await cores(first, { ...first, at: 1_000 }), 1, 'with a gap between');
});

test('a rare job counts by its use', async () => {
  const service = { at: 0, every: 10, count: 360, lasts: 10 };
  const job = { at: 5, every: 1_800, count: 2, lasts: 10 };
  assert.equal(await cores(service, job), Number((3_620 / 3_600).toPrecision(6)));
});

test('states are divided by the number of moments', async () => {
  const divisor = async (...shapes: Omit<Shape, 'lasts'>[]) => {
    const all = shapes.map((shape) => series({ ...shape, lasts: 0 }));
    return Number((await computeDivisor(all, false)).toPrecision(6));
  };
  const ten = { at: 0, every: 15, count: 10 };
  assert.equal(await divisor(ten), 10);
  assert.equal(await divisor(ten, { ...ten, at: 7 }), 10, 'side by side');
  assert.equal(await divisor(ten, { ...ten, at: 150 }), 20, 'one after the other');
  assert.equal(
    await divisor({ ...ten, count: 1 }, { ...ten, count: 1, at: 20 }),
    1,
    'of one moment',
  );
  assert.equal(await divisor(ten, { ...ten, at: 75, count: 5 }), 10, 'one came later');
});

test('neither an empty selection nor zeros divide by zero', async () => {
  assert.equal(await computeDivisor([], true), 0);
  const zero = { at: 0, every: 10, count: 3, lasts: 10, value: 0 };
  assert.equal(await computeDivisor([series(zero)], true), 30e9);
});
