// Keeps a query that is running while refreshes repeat it, and values of the last render.
import { type RefObject, useRef } from 'react';

/** Returns a ref to the value of the last render. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

interface Repeated {
  /** Topic, equal for queries that differ only in time; undefined for queries without refreshes. */
  readonly topic?: string;
  /** True if the query is sent by a timer, not by a user. */
  readonly isQuiet?: boolean;
}

/**
 * Returns the key of the query to send. A refresh waits for the query that it repeats, because on a
 * slow server each refresh would otherwise abort the previous one, and no answer would arrive.
 */
export function useHeldKey(
  key: string | undefined,
  { topic, isQuiet = false }: Repeated = {},
  isPending: boolean,
): string | undefined {
  const held = useRef({ key, topic });
  const repeats = isQuiet && topic !== undefined && topic === held.current.topic;
  if (!repeats || !isPending || key === undefined) held.current = { key, topic };
  return held.current.key;
}
