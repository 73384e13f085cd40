// Slices of long work, at most one in each turn of the event loop, for any number of waiting tasks.
//
// Timers cannot do that, because all due timers fire in one turn, so sixty queries would block it
// for sixty slices.
import type { SliceTurns } from '../clock.ts';
import { turnSlicesMillis } from '../limits.ts';

/** Creates turns for the slices of one thread. */
export function createSliceTurns(): SliceTurns {
  const waiting = new Set<() => void>();
  let endsMillis = 0;
  let isOpen = false;
  const open = (nowMillis: number): void => {
    endsMillis = nowMillis + turnSlicesMillis;
    if (isOpen) return;
    isOpen = true;
    setImmediate(() => void (isOpen = false)).unref();
  };
  const run = (): void => {
    for (const fire of waiting) {
      waiting.delete(fire);
      if (waiting.size > 0) setImmediate(run);
      // Every slice makes some progress, even in a turn that others have used up.
      open(performance.now());
      fire();
      return;
    }
  };
  return {
    next: (fire) => {
      waiting.add(fire);
      if (waiting.size === 1) setImmediate(run);
    },
    afterTurn: (fire) => void setImmediate(fire),
    isSpent: (nowMillis) => {
      if (!isOpen) open(nowMillis);
      return nowMillis >= endsMillis;
    },
  };
}

/** Turns of this thread. */
export const sliceTurns = createSliceTurns();
