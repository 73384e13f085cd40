// Tests of sample times: they are decoded exactly and take few bytes, and damaged bytes are an
// error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../base/errors.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { decodeSampleTimes, encodeSampleTimes, spanOfSampleTimes } from './sample-times-codec.ts';
import {
  areTimesKept,
  milliRange,
  reorderSampleTimes,
  type SampleTimes,
  sumSamplesIn,
  visitSamplesIn,
} from './sample-times.ts';

/** A sample in the form in which a sender gives it. */
interface Sample {
  readonly row: number;
  readonly milli: number;
  readonly values: readonly bigint[];
}

const start = 1_790_000_000_000;

/** Returns the columns of samples, and the values of the rows. */
function buildTimes(
  samples: readonly Sample[],
  rowCount: number,
  columnCount: number,
): { readonly times: SampleTimes; readonly rows: BigInt64Array[]; readonly sorted: Sample[] } {
  const sorted = samples.toSorted((a, b) => a.row - b.row || a.milli - b.milli);
  const starts = Uint32Array.from(
    { length: rowCount + 1 },
    (_, row) => sorted.filter((sample) => sample.row < row).length,
  );
  const columns = Array.from({ length: columnCount }, (_, i) => i);
  const values = columns.map((i) => BigInt64Array.from(sorted, (sample) => sample.values[i]));
  const rows = columns.map((i) =>
    BigInt64Array.from({ length: rowCount }, (_, row) =>
      sorted.reduce((sum, one) => (one.row === row ? sum + one.values[i] : sum), 0n),
    ),
  );
  const millis = Float64Array.from(sorted, ({ milli }) => milli);
  return { times: { start: starts, millis, values }, rows, sorted };
}

const value = fc.oneof(fc.constant(1n), fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }));
const sample = fc.record({
  row: fc.nat(5),
  milli: fc.nat(3_600_000).map((milli) => start + milli),
  values: fc.tuple(value, fc.constant(10_000_000n)),
});

test('any samples come back exactly, and sums of a range are those of its samples', () => {
  fc.assert(
    fc.property(
      fc.array(sample, { maxLength: 60 }),
      fc.nat(3_600_000),
      fc.nat(3_600_000),
      (samples, from, length) => {
        const { times, rows, sorted } = buildTimes(samples, 6, 2);
        const bytes = encodeSampleTimes(times, rows);
        const decoded = decodeSampleTimes(bytes, 6);
        assert.deepEqual([...decoded.start], [...times.start]);
        assert.deepEqual([...decoded.millis], [...times.millis]);
        const range = { from: start + from, to: start + from + length };
        const isIn = ({ milli }: Sample): boolean => milli >= range.from && milli <= range.to;
        for (const [column, values] of rows.entries()) {
          const sums = sumSamplesIn(decoded, column, values, 0, range);
          const want = Array.from({ length: 6 }, (_, row) =>
            sorted.reduce(
              (sum, one) => (one.row === row && isIn(one) ? sum + one.values[column] : sum),
              0n,
            ),
          );
          assert.deepEqual([...(sums ?? new BigInt64Array(6))], want);
          const seen: unknown[] = [];
          visitSamplesIn(decoded, column, values, 0, range, (row, milli, one) =>
            seen.push([row, milli, one]),
          );
          const shown = sorted.filter(isIn).map((one) => [one.row, one.milli, one.values[column]]);
          assert.deepEqual(seen, shown);
        }
        if (sorted.length === 0) return;
        const millis = sorted.map(({ milli }) => milli);
        const span = { from: Math.min(...millis), to: Math.max(...millis) };
        assert.deepEqual(spanOfSampleTimes(bytes), span);
        const order = [4, 0, 2];
        const reordered = reorderSampleTimes(decoded, order);
        assert.deepEqual(
          Array.from(order, (_, i) => [
            ...reordered.millis.subarray(reordered.start[i], reordered.start[i + 1]),
          ]),
          order.map((row) => sorted.flatMap((one) => (one.row === row ? [one.milli] : []))),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('equal shares of a row take no bytes, and a sample of a usual profile less than two', () => {
  const random = seededRandom(5);
  // The profile has 8 threads sampled at 19 Hz for 10 s, and most samples have one of a few stacks.
  const samples = Array.from({ length: 1_520 }, (): Sample => {
    const row = Math.floor(300 * (randomBelow(random, 1_000) / 1_000) ** 3);
    return { row, milli: start + randomBelow(random, 10_000), values: [1n, 52_631_578n] };
  });
  const { times, rows } = buildTimes(samples, 300, 2);
  const bytes = encodeSampleTimes(times, rows);
  assert.ok(bytes.length / samples.length < 2, `${bytes.length / samples.length} bytes a sample`);
  assert.deepEqual(decodeSampleTimes(bytes).values, [undefined, undefined]);
});

test('damaged times are an error or other times, never a hang', () => {
  const random = seededRandom(6);
  const samples = Array.from({ length: 40 }, (): Sample => ({
    row: randomBelow(random, 8),
    milli: start + randomBelow(random, 10_000),
    values: [BigInt(randomBelow(random, 1_000)), 1n],
  }));
  const { times, rows } = buildTimes(samples, 8, 2);
  const bytes = encodeSampleTimes(times, rows);
  const check = (damaged: Uint8Array): void => {
    try {
      decodeSampleTimes(damaged, 8);
    } catch (error) {
      assert.ok(error instanceof AppError && error.code === 'data-loss', String(error));
    }
  };
  for (let length = 0; length < bytes.length; length += 1) {
    assert.throws(() => decodeSampleTimes(bytes.subarray(0, length), 8), AppError);
  }
  for (let i = 0; i < 20_000; i += 1) {
    const damaged = bytes.slice();
    for (let left = randomBelow(random, 3); left >= 0; left -= 1) {
      damaged[randomBelow(random, bytes.length)] = randomBelow(random, 256);
    }
    check(damaged);
  }
});

test('times that no question would find are not kept', () => {
  const kept = (...millis: number[]): boolean =>
    areTimesKept(
      Float64Array.from(millis, (milli) => start + milli),
      BigInt(start) * 1_000_000n,
    );
  assert.equal(kept(0, 10), true);
  assert.equal(kept(-59_000), true);
  assert.equal(kept(-61_000), false);
  assert.equal(kept(3_600_000), true);
  assert.equal(kept(0, 3_600_001), false);
  assert.equal(kept(), false);
  assert.equal(kept(...Array.from({ length: 2 }, () => Number.NaN)), false);
});

test('a range of nanoseconds has the milliseconds that begin in it', () => {
  const check = (from: bigint, to: bigint, want: readonly number[]): void => {
    const range = milliRange({ from, to });
    assert.deepEqual([range.from, range.to], want);
  };
  check(0n, 999_999n, [0, 0]);
  check(1n, 2_000_000n, [1, 2]);
  check(-1n, 1_999_999n, [0, 1]);
  check(-1_000_001n, -1n, [-1, -1]);
});
