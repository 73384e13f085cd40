// The time by the server's clock, which the profiles have too: this computer's may be wrong.
import { useEffect, useEffectEvent, useRef } from 'react';
import { Store, useStore } from './store.ts';

/** Smaller differences are ignored: they may come from the time that an answer takes. */
const ignoredMillis = 3_000;

/** Number of milliseconds that the server's clock is ahead of this computer's. */
const ahead = new Store(0);

/** Returns the time by the server's clock, in milliseconds since the epoch. */
export function now(): number {
  return Date.now() + ahead.get();
}

/** Notes the server's time in an answer to a question that was sent at `sentMillis`. */
export function noteServerTime(serverMillis: number, sentMillis: number): void {
  const difference = Math.round(serverMillis - (sentMillis + Date.now()) / 2);
  if (Math.abs(difference) >= ignoredMillis) ahead.set(difference);
}

/** Returns how many milliseconds the server's clock is ahead of this computer's. */
export function useClockDifference(): number {
  return useStore(ahead);
}

/** Calls `action` when this computer's clock turns out to be wrong. */
export function useClockChange(action: () => void): void {
  const difference = useStore(ahead);
  const known = useRef(difference);
  const act = useEffectEvent(action);
  useEffect(() => {
    if (known.current === difference) return;
    known.current = difference;
    act();
  }, [difference]);
}
