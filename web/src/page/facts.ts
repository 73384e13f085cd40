// Facts about the server and the reader: whether profiles can be shared, and whether
// there is a session to end.
import { useEffect, useState } from 'react';
import { getJson } from '../rpc/json.ts';
import { useApp } from './app-context.ts';
import { noteServerTime } from './clock.ts';

/** Facts that parts of the page depend on; all are false until they are known. */
export interface Facts {
  /** True if links to copies of profiles can be made. */
  readonly isSharing: boolean;
  /** True if the reader has a session that can be ended. */
  readonly isLoggedIn: boolean;
}

const unknown: Facts = { isSharing: false, isLoggedIn: false };

/** Facts that are requested once, by the address of their server. */
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

/** Returns the facts. They stay false if the server does not answer. */
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
