// State of the connection to the server, updated by all requests and shown in a banner.
import { useCallback, useEffect, useRef } from 'react';
import { Store, useStore } from './store.ts';

/** Time of the first unanswered request of each caller, in milliseconds since the epoch. */
const waiting = new Map<object, number>();
const away = new Store<number | undefined>(undefined);

/**
 * Returns a function that records whether a component can reach the server; the record is removed
 * on unmount.
 */
export function useAwayNote(): (isAway: boolean) => void {
  const asker = useRef(undefined);
  const note = useCallback((isAway: boolean) => {
    if (isAway) waiting.set(asker, waiting.get(asker) ?? Date.now());
    else waiting.delete(asker);
    away.set(waiting.size === 0 ? undefined : Math.min(...waiting.values()));
  }, []);
  useEffect(() => () => note(false), [note]);
  return note;
}

/** Returns the time at which the server became unreachable; undefined while it is reachable. */
export function useServerAway(): number | undefined {
  return useStore(away);
}
