// Whether the server can be reached: what every question finds out, for one banner.
import { useCallback, useEffect, useRef } from 'react';
import { Store, useStore } from './store.ts';

/** Since when each question has no answer, in milliseconds since the epoch. */
const waiting = new Map<object, number>();
const away = new Store<number | undefined>(undefined);

/** Notes whether the one who asks can reach the server; forgotten when the asker goes. */
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

/** Since when the server cannot be reached; undefined while it can. */
export function useServerAway(): number | undefined {
  return useStore(away);
}
