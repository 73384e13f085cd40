// State of the connection to the server, updated by every request and shown in one banner.
import { useCallback, useEffect, useRef } from 'react';
import { Store, useStore } from './store.ts';

/** Time since which each request has been unanswered, in milliseconds since the epoch. */
const waiting = new Map<object, number>();
const away = new Store<number | undefined>(undefined);

/**
 * Returns a function that notes whether a component reaches the server; removes the note on
 * unmount.
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

/** Returns the time since which the server cannot be reached; undefined while it can. */
export function useServerAway(): number | undefined {
  return useStore(away);
}
