// One question to the server as React state: superseded ones are aborted, the last answer stays.
import { useCallback, useEffect, useRef, useState } from 'react';
import { RpcError, grpcUnavailable } from '../rpc/grpc-web.ts';

const retryMillis = 4_000;

/** An answer, the question it belongs to, and how the next one is doing. */
export interface Resource<T> {
  readonly value: T | undefined;
  /** Key of the question that `value` answers. */
  readonly valueKey: string | undefined;
  /** Key of the question being asked; undefined when none is. */
  readonly pendingKey: string | undefined;
  /** Why the last question has no answer; undefined after a success. */
  readonly error: ResourceError | undefined;
  /** Milliseconds the last answer took. */
  readonly millis: number;
}

export interface ResourceError {
  /** gRPC code, undefined for errors of the page itself. */
  readonly code: number | undefined;
  readonly message: string;
  /** When it failed first, in milliseconds since the epoch. */
  readonly since: number;
}

const empty = {
  value: undefined,
  valueKey: undefined,
  pendingKey: undefined,
  error: undefined,
  millis: 0,
};

/** Asks when `key` changes; undefined asks nothing. While the server is away it asks again. */
export function useResource<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> & { readonly cancel: () => void } {
  const [state, setState] = useState<Resource<T>>(empty);
  const [attempt, setAttempt] = useState(0);
  const controller = useRef<AbortController | undefined>(undefined);
  const loadNow = useRef(load);
  loadNow.current = load;

  useEffect(() => {
    if (key === undefined) return undefined;
    const current = new AbortController();
    controller.current = current;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const started = performance.now();
    setState((before) => ({ ...before, pendingKey: key }));
    const ask = async () => {
      try {
        const value = await loadNow.current(current.signal);
        if (current.signal.aborted) return;
        const millis = performance.now() - started;
        setState({ value, valueKey: key, pendingKey: undefined, error: undefined, millis });
      } catch (cause) {
        if (current.signal.aborted) return;
        const code = cause instanceof RpcError ? cause.code : undefined;
        const message = cause instanceof Error ? cause.message : String(cause);
        setState((before) => ({
          ...before,
          pendingKey: undefined,
          error: { code, message, since: before.error?.since ?? Date.now() },
        }));
        if (code === grpcUnavailable)
          timer = setTimeout(() => setAttempt((n) => n + 1), retryMillis);
      }
    };
    void ask();
    return () => {
      clearTimeout(timer);
      current.abort(new DOMException('superseded', 'AbortError'));
    };
  }, [key, attempt]);

  const cancel = useCallback(() => {
    controller.current?.abort(new DOMException('cancelled', 'AbortError'));
    setState((before) => ({ ...before, pendingKey: undefined }));
  }, []);
  return { ...state, cancel };
}
