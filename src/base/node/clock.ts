// The real clock.
import type { Clock, Timer } from '../clock.ts';
import { sliceTurns } from './slice-turns.ts';

const originNanos = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();
/**
 * Drift between wall clock and monotonic clock, in nanoseconds. If it is larger, the wall clock was
 * probably set, so it is read again.
 */
const driftNanosMax = 1_000_000_000n;

/** Longest delay of a Node timer, 25 days. Node would change longer delays to one millisecond. */
const nodeTimerMillisMax = 2 ** 31 - 1;

/**
 * Creates a clock with nanosecond resolution that stays within a second of the wall clock.
 */
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
    slices: sliceTurns,
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
