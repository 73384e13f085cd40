// The real clock.
import type { Clock, Timer } from '../clock.ts';

const originNanos = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
/** Wall clock and monotonic clock drift apart when the machine's time is set: re-read past this. */
const driftNanosMax = 1_000_000_000n;

/** Nanoseconds from the high-resolution clock, kept within a second of the wall clock. */
export function createClock(): Clock {
  let origin = originNanos;
  return {
    nowNanos(): bigint {
      const wall = BigInt(Date.now()) * 1_000_000n;
      const precise = origin + process.hrtime.bigint();
      const drift = precise > wall ? precise - wall : wall - precise;
      if (drift <= driftNanosMax) return precise;
      origin = wall - process.hrtime.bigint();
      return wall;
    },
    nowMillis: () => Date.now(),
    monotonicMillis: () => performance.now(),
    setTimer(delayMillis: number, fire: () => void, keepsAlive = false): Timer {
      const handle = setTimeout(fire, delayMillis);
      if (!keepsAlive) handle.unref();
      return { cancel: () => clearTimeout(handle) };
    },
  };
}
