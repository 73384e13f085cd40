// Time as a dependency: components ask a Clock, so that tests and simulation own time.

/** A pending timer; cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/** Wall time, monotonic time and timers. The real one is base/node/clock.ts. */
export interface Clock {
  /** Nanoseconds since the Unix epoch; may jump when the machine's clock is set. */
  nowNanos(): bigint;
  /** Milliseconds since the Unix epoch; same clock as nowNanos. */
  nowMillis(): number;
  /** Milliseconds on a clock that only goes forward; for durations. */
  monotonicMillis(): number;
  /**
   * Calls `fire` once after `delayMillis` (>= 0). Keeps the process alive only if asked to: for a
   * moment, in work that somebody waits for.
   */
  setTimer(delayMillis: number, fire: () => void, keepsAlive?: boolean): Timer;
}

/** Resolves after `delayMillis`, or rejects with the signal's reason when aborted first. */
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
