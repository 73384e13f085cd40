// How many profiles came of each stretch of time: whether a range has changed since it was read.
import type { TimeRange } from '../interface.ts';

/** 2^36 ns, 69 s: what is older than that hardly changes any more. */
const stretchBits = 36n;
/** With more stretches (six days in one head: somebody loads history) all count as one. */
const stretchesMax = 8192;

/** Counts profiles by their times; counts only grow. */
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

  /** Grows when a profile of the range is added, and maybe when one near to it is. */
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
