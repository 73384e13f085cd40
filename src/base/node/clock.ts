// The real clock.
import type { Clock, Timer } from '../clock.ts';

const originNanos = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
/** Wall clock and monotonic clock drift apart when the machine's time is set: re-read past this. */
const driftNanosMax = 1_000_000_000n;

/** Node takes a longer delay for one millisecond: 25 days. */
const nodeTimerMillisMax = 2 ** 31 - 1;

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
      let handle: NodeJS.Timeout;
      const wait = (millis: number): void => {
        const rest = millis - nodeTimerMillisMax;
        handle =
          rest > 0 ? setTimeout(() => wait(rest), nodeTimerMillisMax) : setTimeout(fire, millis);
        if (!keepsAlive) handle.unref();
      };
      wait(delayMillis);
      return { cancel: () => clearTimeout(handle) };
    },
  };
}
