// Time as a dependency: components read a Clock, so tests and simulations control the time.

/** A pending timer; cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/** Shares the turns of the event loop among the slices of long tasks. */
export interface SliceTurns {
  /** Calls `fire` in a later turn of the event loop, when it is the turn of the current caller. */
  next(fire: () => void): void;
  /**
   * Calls `fire` after the event loop has had time for other work; the call does not count as a
   * slice.
   */
  afterTurn(fire: () => void): void;
  /** Returns true if slices have used up their time in this turn; `nowMillis` is monotonic. */
  isSpent(nowMillis: number): boolean;
}

/** Wall time, monotonic time and timers. The real one is base/node/clock.ts. */
export interface Clock {
  /** Nanoseconds since the Unix epoch; may jump when the machine's clock is set. */
  nowNanos(): bigint;
  /** Milliseconds since the Unix epoch; same clock as nowNanos. */
  nowMillis(): number;
  /** Milliseconds on a clock that never goes backwards; for durations. */
  monotonicMillis(): number;
  /**
   * Calls `fire` once after `delayMillis` (>= 0). The timer keeps the process alive only if
   * `keepsAlive` is set, which is meant for short delays while a caller waits.
   */
  setTimer(delayMillis: number, fire: () => void, keepsAlive?: boolean): Timer;
  /**
   * Turns for slices. Undefined for test clocks: with these, each slice starts after a timer of 0
   * ms.
   */
  readonly slices?: SliceTurns;
}

/** Resolves after `delayMillis`, or rejects with the signal's reason if it is aborted first. */
export function sleep(clock: Clock, delayMillis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(delayMillis, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
