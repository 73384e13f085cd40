// Times of the events of one profile, in columns, until the profile's rows are written.
import { grown } from '../../model/column.ts';
import { sampleTimesMax } from '../../model/limits.ts';
import type { WrittenTimes } from '../pprof/writer.ts';

/**
 * Times of events by row. If there are more than sampleTimesMax, all are dropped to limit memory.
 */
export class EventTimes {
  /** Number of events with times; -1 if there are too many, or if a time is unusable. */
  #count = 0;
  #areLost = false;
  #rows = new Uint32Array(0);
  /** Nanoseconds after the start of the recording. */
  #nanos = new Float64Array(0);
  /** Count and weight of each event. */
  #values = new Float64Array(0);

  /** Adds an event of a row; `nanos` is NaN if the event has no time. */
  add(row: number, nanos: number, count: number, weight: number): void {
    if (this.#count < 0) return;
    // The timed samples must add up to the row, so either all samples of a row have times or none.
    if (this.#count === sampleTimesMax || !Number.isSafeInteger(nanos)) {
      this.#drop();
      return;
    }
    const at = this.#count;
    this.#count += 1;
    this.#rows = grown(this.#rows, this.#count);
    this.#nanos = grown(this.#nanos, this.#count);
    this.#values = grown(this.#values, this.#count * 2);
    this.#rows[at] = row;
    this.#nanos[at] = nanos;
    this.#values[at * 2] = count;
    this.#values[at * 2 + 1] = weight;
  }

  /**
   * Returns a function that returns the times of a row. `shift` is added to each time, and `factor`
   * multiplies counts. With `isWeighed`, each time also has a weight. All rows are below
   * `rowCount`.
   */
  byRow(
    rowCount: number,
    shift: bigint,
    factor: bigint,
    isWeighed: boolean,
  ): (row: number) => WrittenTimes | undefined {
    if (this.#count <= 0) return () => undefined;
    const start = new Uint32Array(rowCount + 1);
    for (let i = 0; i < this.#count; i += 1) start[this.#rows[i] + 1] += 1;
    for (let row = 0; row < rowCount; row += 1) start[row + 1] += start[row];
    const order = new Uint32Array(this.#count);
    const next = start.slice();
    for (let i = 0; i < this.#count; i += 1) order[next[this.#rows[i]]++] = i;
    return (row) => {
      const offsets: bigint[] = [];
      const values: bigint[] = [];
      for (const i of order.subarray(start[row], start[row + 1])) {
        offsets.push(BigInt(this.#nanos[i]) + shift);
        values.push(BigInt(this.#values[i * 2]) * factor);
        if (isWeighed) values.push(BigInt(this.#values[i * 2 + 1]));
      }
      return { offsets, values };
    };
  }

  /** True if times of events were dropped. */
  get areLost(): boolean {
    return this.#areLost;
  }

  #drop(): void {
    // Events that describe states have no times. If no event had a time, no time is lost.
    this.#areLost = this.#count > 0;
    this.#count = -1;
    this.#rows = new Uint32Array(0);
    this.#nanos = new Float64Array(0);
    this.#values = new Float64Array(0);
  }
}
