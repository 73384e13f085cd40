// Numbers of profiles by time. They show whether a time range has changed since it was read.
import type { TimeRange } from '../interface.ts';

/**
 * Binary logarithm of the length in nanoseconds (69 s) of the time ranges in which profiles are
 * counted together.
 */
const stretchBits = 36n;
/**
 * Maximum number of counts, enough for six days in one head. Beyond that, all profiles share one
 * count.
 */
const stretchesMax = 8192;

/** Counts profiles by their times. Counts only grow. */
export class WriteTimes {
  #total = 0;
  #stretches: Map<number, number> | undefined = new Map();

  add(timeNanos: bigint): void {
    this.#total += 1;
    const stretches = this.#stretches;
    if (stretches === undefined) return;
    const stretch = Number(timeNanos >> stretchBits);
    stretches.set(stretch, (stretches.get(stretch) ?? 0) + 1);
    if (stretches.size > stretchesMax) this.#stretches = undefined;
  }

  /**
   * Returns a number that grows when a profile is added to the range. It may also grow for a
   * profile just outside of it.
   */
  version({ from, to }: TimeRange): number {
    if (this.#stretches === undefined) return this.#total;
    const first = Number(from >> stretchBits);
    const last = Number(to >> stretchBits);
    let count = 0;
    for (const [stretch, profiles] of this.#stretches) {
      if (stretch >= first && stretch <= last) count += profiles;
    }
    return count;
  }
}
