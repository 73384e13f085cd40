// Requests facts about the server and the user: whether profiles can be shared, and whether there
// is a session to end.
import { useEffect, useState } from 'react';
import { getJson } from '../rpc/json.ts';
import { useApp } from './app-context.ts';
import { noteServerTime } from './clock.ts';

/** Facts; all are false until they are known. */
export interface Facts {
  /** True if profiles can be shared by a link. */
  readonly isSharing: boolean;
  /** True if the user has a session that can be ended. */
  readonly isLoggedIn: boolean;
}

const unknown: Facts = { isSharing: false, isLoggedIn: false };

/** Facts that have been requested, by server URL. */
const asked = new Map<string, Promise<Facts>>();

async function ask(base: string): Promise<Facts> {
  try {
    const { signal } = new AbortController();
    const sentMillis = Date.now();
    const json = await getJson(base, 'page', new URLSearchParams(), { signal });
    const { isSharing, isLoggedIn, nowMillis }: Record<string, unknown> = Object(json);
    if (typeof nowMillis === 'number') noteServerTime(nowMillis, sentMillis);
    return { isSharing: isSharing === true, isLoggedIn: isLoggedIn === true };
  } catch {
    return unknown;
  }
}

/** Returns the facts. They stay false if the server does not respond. */
export function useFacts(): Facts {
  const { base } = useApp();
  const [facts, setFacts] = useState(unknown);
  useEffect(() => {
    const answer = asked.get(base) ?? ask(base);
    asked.set(base, answer);
    void answer.then(setFacts);
  }, [base]);
  return facts;
}
