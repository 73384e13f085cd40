// Sends queries to the server as React state: superseded queries are aborted, and the last answer
// is kept.
import { useCallback, useEffect, useRef, useState } from 'react';
import { type Asking, newTag } from '../rpc/asking.ts';
import { RpcError, grpcUnauthenticated, grpcUnavailable } from '../rpc/grpc-web.ts';
import { useHeldKey, useLatest } from './held-key.ts';
import { updateInSlices } from './in-slices.ts';
import { useAwayNote } from './server-away.ts';
import { waitForLogin } from './session.ts';

const retryMillis = 4_000;

/** An answer, the query it belongs to, and the state of the next query. */
export interface ResourceState<T> {
  readonly value: T | undefined;
  /** Key of the query that `value` belongs to. */
  readonly valueKey: string | undefined;
  /** The running query; undefined if there is none. */
  readonly pending: PendingQuestion | undefined;
  /** Milliseconds from the last query to its cancellation; undefined if it was not cancelled. */
  readonly cancelledAfter: number | undefined;
  /** Reason why the last query has no answer; undefined after a success. */
  readonly error: ResourceError | undefined;
  /** Duration of the last query in milliseconds. */
  readonly millis: number;
}

export interface Resource<T> extends ResourceState<T> {
  /** Cancels the running query. */
  readonly cancel: () => void;
  /** Sends the last query again. */
  readonly repeat: () => void;
}

export interface PendingQuestion {
  /** Tag of the query in the server's list of running queries. */
  readonly tag: string;
  /** Start in milliseconds of `performance.now()`. */
  readonly started: number;
  /** True if it is an automatic refresh. */
  readonly isQuiet: boolean;
}

/** Marks a query that repeats the previous query for a later time. */
export interface Refreshing {
  /** Topic, equal for queries that differ only in time. */
  readonly topic: string;
  /** True if it is sent by a timer, not by a user. */
  readonly isQuiet: boolean;
}

export interface ResourceError {
  /** gRPC code; undefined for errors of the page itself. */
  readonly code: number | undefined;
  readonly message: string;
  /** Time of the first failure, in milliseconds since the epoch. */
  readonly since: number;
}

const empty = {
  value: undefined,
  valueKey: undefined,
  pending: undefined,
  cancelledAfter: undefined,
  error: undefined,
  millis: 0,
};

/**
 * Sends a query whenever the key `wished` changes; does nothing if it is undefined. Retries while
 * the server is unavailable.
 */
export function useResource<T>(
  wished: string | undefined,
  load: (asking: Asking) => Promise<T>,
  refreshing?: Refreshing,
): Resource<T> {
  const [state, setState] = useState<ResourceState<T>>(empty);
  const [attempt, setAttempt] = useState(0);
  const controller = useRef<AbortController | undefined>(undefined);
  const loadNow = useLatest(load);
  const noteAway = useAwayNote();
  const answered = useRef<string | undefined>(undefined);
  const latest = useLatest(refreshing);
  const repeat = useCallback(() => setAttempt((n) => n + 1), []);
  const key = useHeldKey(wished, refreshing, state.pending !== undefined);

  useEffect(() => {
    const [pending, cancelledAfter] = [undefined, undefined];
    if (key === undefined) {
      setState((before) => (isIdle(before) ? before : { ...before, pending, cancelledAfter }));
      return undefined;
    }
    const current = new AbortController();
    controller.current = current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { signal } = current;
    const [tag, started] = [newTag(), performance.now()];
    const { topic, isQuiet: isRefresh = false } = latest.current ?? {};
    const isQuiet = isRefresh && topic !== undefined && topic === answered.current;
    setState((before) => ({ ...before, pending: { tag, started, isQuiet }, cancelledAfter }));
    const ask = async () => {
      try {
        const value = await loadNow.current({ signal, tag });
        if (signal.aborted) return;
        const millis = performance.now() - started;
        const answer = { value, valueKey: key, error: undefined, millis, pending, cancelledAfter };
        answered.current = topic;
        noteAway(false);
        updateInSlices(() => setState(answer), signal);
      } catch (cause) {
        if (signal.aborted) return;
        const code = cause instanceof RpcError ? cause.code : undefined;
        const message = cause instanceof Error ? cause.message : String(cause);
        noteAway(code === grpcUnavailable);
        setState((before) => ({
          ...before,
          pending,
          error: { code, message, since: before.error?.since ?? Date.now() },
        }));
        if (code === grpcUnavailable) timer = setTimeout(repeat, retryMillis);
        if (code === grpcUnauthenticated) waitForLogin(repeat, signal);
      }
    };
    void ask();
    return () => {
      clearTimeout(timer);
      current.abort(new DOMException('superseded', 'AbortError'));
    };
  }, [key, attempt, repeat, noteAway, loadNow, latest]);

  const cancel = useCallback(() => {
    controller.current?.abort(new DOMException('cancelled', 'AbortError'));
    setState((before) => {
      if (before.pending === undefined) return before;
      const cancelledAfter = performance.now() - before.pending.started;
      return { ...before, pending: undefined, cancelledAfter, error: undefined };
    });
  }, []);
  return { ...state, cancel, repeat };
}

/** Returns true if no query is running, and the last one was not cancelled. */
export function isIdle({ pending, cancelledAfter }: ResourceState<unknown>): boolean {
  return pending === undefined && cancelledAfter === undefined;
}
