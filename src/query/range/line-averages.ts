// What each line of a metrics graph adds to the average of all lines together.
import type { QueryContext } from '../running/context.ts';
import { averagingFactors, type TimedSpan } from '../facts/coverage.ts';
import type { Buckets } from './range-buckets.ts';

/** What a series has in one of its lines. */
interface Part {
  readonly buckets: Buckets;
  /** Number of the series. */
  readonly series: number;
  readonly value: number;
}

/** Notes what series add to lines, one series after the other. */
export class LineAverages {
  readonly #series: (readonly TimedSpan[])[] = [];
  readonly #parts: Part[] = [];
  /** The lines of the series at hand, and what they had before it. */
  readonly #begun = new Map<Buckets, bigint>();

  /** The series at hand is about to be added to a line. */
  begin(buckets: Buckets): void {
    this.#begun.set(buckets, buckets.total);
  }

  /** All of the series at hand was added; `spans` say when it was profiled. */
  end(spans: readonly TimedSpan[]): void {
    const series = this.#series.push(spans) - 1;
    for (const [buckets, before] of this.#begun) {
      this.#parts.push({ buckets, series, value: Number(buckets.total - before) });
    }
    this.#begun.clear();
  }

  /** By line, a nanosecond or a snapshot; see averagingFactors. */
  async finish(
    isOverTime: boolean,
    rangeNanos: number,
    context: QueryContext,
  ): Promise<ReadonlyMap<Buckets, number>> {
    const factors = await averagingFactors(this.#series, isOverTime, rangeNanos, context);
    const averages = new Map<Buckets, number>();
    for (const { buckets, series, value } of this.#parts) {
      averages.set(buckets, (averages.get(buckets) ?? 0) + value * factors[series]);
    }
    return averages;
  }
}
