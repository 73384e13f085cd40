// Long work in slices, so that requests are answered in between.
import { sleep, type Clock } from '../base/clock.ts';
import { backgroundSliceMillis } from '../base/limits.ts';

/** Work that may take long calls `pause` whenever it can be interrupted. */
export class Pacer {
  private readonly clock: Clock;
  private sliceEnds: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.sliceEnds = clock.monotonicMillis() + backgroundSliceMillis;
  }

  /** Lets everything else run when the slice is used up; undefined while it is not. */
  pause(): Promise<void> | undefined {
    if (this.clock.monotonicMillis() < this.sliceEnds) return undefined;
    return sleep(this.clock, 0).then(() => {
      this.sliceEnds = this.clock.monotonicMillis() + backgroundSliceMillis;
    });
  }
}
