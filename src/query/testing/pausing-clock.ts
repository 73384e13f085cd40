// A clock that ends every slice of a query immediately, so that the query pauses wherever it can.
import { createFakeClock } from '../../base/fake/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { querySliceMillis } from '../../base/limits.ts';

/**
 * Creates a clock that calls `onPause` at each pause. The pause ends in a later turn of the event
 * loop.
 */
export function createPausingClock(onPause: () => void): Clock {
  let now = 0;
  return {
    ...createFakeClock(),
    monotonicMillis: () => (now += querySliceMillis),
    setTimer: (_, fire) => {
      onPause();
      setImmediate(fire);
      return { cancel: () => undefined };
    },
  };
}
