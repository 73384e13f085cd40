// Work whose result all callers of a time may share.

/**
 * Returns a function that makes one result for all that ask before it is begun, which is in a later
 * turn of the event loop, and after the run before it. So a result is never older than its call,
 * and however many ask, one run is under way.
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
