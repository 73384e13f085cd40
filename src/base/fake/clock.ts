// A clock that a test moves by hand.
import type { Clock, Timer } from '../clock.ts';

/** A clock whose time changes only when a test advances or sets it. */
export interface FakeClock extends Clock {
  /**
   * Advances time and fires timers in order, each at its time. Between two timers, all ready
   * callbacks run.
   */
  advance(millis: number): Promise<void>;
  /** Sets the wall clock, as an operator would; monotonic time and timers are not affected. */
  setWallMillis(millis: number): void;
  /** Returns the number of timers that have not fired. */
  pendingTimers(): number;
}

interface Pending {
  readonly due: number;
  readonly fire: () => void;
}

/** Creates a clock whose monotonic time starts at 0 and whose wall clock starts at `wallMillis`. */
export function createFakeClock(wallMillis = 0): FakeClock {
  let now = 0;
  let wallOffset = wallMillis;
  const timers = new Set<Pending>();
  const nextUntil = (end: number): Pending | undefined => {
    let next: Pending | undefined;
    for (const timer of timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };
  return {
    nowNanos: () => BigInt(Math.round((now + wallOffset) * 1e6)),
    nowMillis: () => now + wallOffset,
    monotonicMillis: () => now,
    setTimer(delayMillis: number, fire: () => void): Timer {
      const timer = { due: now + Math.max(0, delayMillis), fire };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
    async advance(millis: number): Promise<void> {
      const end = now + millis;
      await settle();
      for (let next = nextUntil(end); next !== undefined; next = nextUntil(end)) {
        now = next.due;
        timers.delete(next);
        next.fire();
        await settle();
      }
      now = end;
    },
    setWallMillis(millis: number): void {
      wallOffset = millis - now;
    },
    pendingTimers: () => timers.size,
  };
}

/** Runs all ready promises and immediates. */
async function settle(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => void setImmediate(resolve));
}
