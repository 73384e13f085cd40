// Running sums of the profiles of streams, which are computed when a query first needs them, and
// extended later.
import { numberAt, asWords } from '../../base/int64.ts';
import { grown } from '../../model/column.ts';
import type { ProfileSegment } from './profile-pool.ts';
import type { RunningSums } from '../selection.ts';

/**
 * Minimum number of profiles for which a stream keeps running sums. Adding up fewer profiles is
 * just as fast.
 */
export const summedProfilesMin = 64;

/** Memory used by the running sums of one profile and sample type, in bytes. */
const profileBytes = 20;

/** For each profile of a stream, the sum over all earlier profiles, for one sample type. */
class Sums {
  total = new BigInt64Array(16);
  count = new Uint32Array(16);
  magnitude = new Float64Array(16);
  /** Number of profiles that are summed. */
  length = 0;

  /** Adds profiles up to `end`. The stream begins at row `start` of the columns. */
  extend(columns: ProfileSegment, start: number, end: number, valueColumn: number): void {
    this.total = grown(this.total, end + 1);
    this.count = grown(this.count, end + 1);
    this.magnitude = grown(this.magnitude, end + 1);
    const { total, count, magnitude } = this;
    const values = columns.total[valueColumn];
    const words = asWords(values);
    const counts = columns.count[valueColumn];
    for (let i = this.length; i < end; i += 1) {
      total[i + 1] = total[i] + values[start + i];
      count[i + 1] = count[i] + counts[start + i];
      magnitude[i + 1] = magnitude[i] + Math.abs(numberAt(words, start + i));
    }
    this.length = end;
  }
}

/** Running sums of some profiles, and the approximate sum of their magnitudes. */
export interface SpanSums extends RunningSums {
  readonly magnitude: number;
}

/**
 * Keeps running sums by stream and sample type, until the order of the stream's profiles changes.
 */
export class StreamSums {
  usedBytes = 0;
  readonly #sums = new Map<number, Sums[]>();

  /**
   * Returns the sums over profiles `first` to `end` of a stream. Ownership: views, valid until the
   * next call.
   */
  of(
    ref: number,
    valueColumn: number,
    columns: ProfileSegment,
    start: number,
    first: number,
    end: number,
  ): SpanSums {
    let valueColumns = this.#sums.get(ref);
    if (valueColumns === undefined) {
      valueColumns = [];
      this.#sums.set(ref, valueColumns);
    }
    const sums = (valueColumns[valueColumn] ??= new Sums());
    if (sums.length < end) {
      const before = sums.total.length;
      sums.extend(columns, start, end, valueColumn);
      this.usedBytes += (sums.total.length - before) * profileBytes;
    }
    return {
      total: sums.total.subarray(first, end + 1),
      count: sums.count.subarray(first, end + 1),
      magnitude: sums.magnitude[end] - sums.magnitude[first],
    };
  }

  /** Forgets the sums of a stream. */
  forget(ref: number): void {
    for (const sums of this.#sums.get(ref) ?? []) {
      this.usedBytes -= (sums?.total.length ?? 0) * profileBytes;
    }
    this.#sums.delete(ref);
  }
}
