// A clock that reports every slice as used up, so that work pauses wherever it can.
import type { Clock } from '../clock.ts';

/** Returns a clock that counts the pauses; `onPause` is called in each of them. */
export function createPausingClock(
  clock: Clock,
  onPause: () => void = () => undefined,
): { readonly clock: Clock; readonly pauses: () => number } {
  let pauses = 0;
  const slices = {
    next: (fire: () => void): void => {
      pauses += 1;
      onPause();
      setImmediate(fire);
    },
    afterTurn: (fire: () => void): void => void setImmediate(fire),
    isSpent: (): boolean => true,
  };
  return { clock: { ...clock, slices }, pauses: () => pauses };
}
