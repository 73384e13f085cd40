// Profiles that a series contributes to a line over time, if sample labels determine the lines.
import { grown } from '../../model/column.ts';
import { type ProfileColumns, mergeByTime } from '../../model/profiles/profile-columns.ts';

/**
 * A growing list of profiles. It has the times of each profile, and the sum of the profile's rows
 * that belong to the line.
 */
export class LineProfiles {
  #length = 0;
  #timeNanos = new BigInt64Array(16);
  #durationNanos = new BigInt64Array(16);
  #period = new BigInt64Array(16);
  #total = new BigInt64Array(16);
  #count = new Uint32Array(16);
  /** Sum of the current profile's rows. */
  readonly #sum = new BigInt64Array(1);
  #rows = 0;

  /** Adds the value of a row of the current profile. */
  addRow(values: BigInt64Array, at: number): void {
    this.#sum[0] += values[at];
    this.#rows += 1;
  }

  /** Ends the current profile, which is profile `i` of `profiles`. */
  endProfile(profiles: ProfileColumns, i: number): void {
    const at = this.#length;
    this.#timeNanos = grown(this.#timeNanos, at + 1);
    this.#durationNanos = grown(this.#durationNanos, at + 1);
    this.#period = grown(this.#period, at + 1);
    this.#total = grown(this.#total, at + 1);
    this.#count = grown(this.#count, at + 1);
    this.#timeNanos[at] = profiles.timeNanos[i];
    this.#durationNanos[at] = profiles.durationNanos[i];
    this.#period[at] = profiles.period[i];
    this.#total[at] = this.#sum[0];
    this.#count[at] = this.#rows;
    this.#length = at + 1;
    this.#sum[0] = 0n;
    this.#rows = 0;
  }

  /** Returns the profiles that were added since the last call, in order of time. */
  take(): ProfileColumns {
    const length = this.#length;
    this.#length = 0;
    return mergeByTime([
      {
        profileCount: length,
        timeNanos: this.#timeNanos.subarray(0, length),
        durationNanos: this.#durationNanos.subarray(0, length),
        period: this.#period.subarray(0, length),
        total: this.#total.subarray(0, length),
        count: this.#count.subarray(0, length),
      },
    ]);
  }
}
