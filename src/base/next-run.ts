// Work whose result all callers of a time may share.

/**
 * Returns a function that makes one result for all callers before it starts, which is in a later
 * turn of the event loop, and after the previous one has ended. So a result is never older than its
 * call, and however many callers there are, one is made at a time.
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
