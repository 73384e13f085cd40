// Estimates the server's time, which profiles use, because this computer's clock may be wrong.
import { useEffect, useEffectEvent, useRef } from 'react';
import { Store, useStore } from './store.ts';

/** Largest difference that is ignored: the time that a response takes may cause it. */
const ignoredMillis = 3_000;

/** Number of milliseconds by which the server's clock is ahead of this computer's. */
const ahead = new Store(0);

/** Returns the server's time in milliseconds since the epoch. */
export function now(): number {
  return Date.now() + ahead.get();
}

/** Records the server's time in a response to a request that was sent at `sentMillis`. */
export function noteServerTime(serverMillis: number, sentMillis: number): void {
  const difference = Math.round(serverMillis - (sentMillis + Date.now()) / 2);
  if (Math.abs(difference) >= ignoredMillis) ahead.set(difference);
}

/** Returns by how many milliseconds the server's clock is ahead of this computer's. */
export function useClockDifference(): number {
  return useStore(ahead);
}

/** Calls `action` when this computer's clock is found to be wrong. */
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
