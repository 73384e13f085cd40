// Work whose result is shared by all callers that arrived before it started.

/**
 * Returns a function that produces one result for all calls before its start, which is in a later
 * turn of the event loop and after the end of the previous run. So a result is never older than its
 * call, and only one run is active for any number of callers.
 */
export function shareNextRun<T>(make: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const run = async (before: Promise<unknown>): Promise<T> => {
    await before;
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    return make();
  };
  return () => {
    if (next === undefined) {
      next = run(last);
      last = next.catch(() => undefined);
    }
    return next;
  };
}
