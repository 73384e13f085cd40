// Work whose result is shared by all callers that arrived before it started.

/**
 * Returns a function whose calls share results: all calls that arrive before `make` is called get
 * its result. `make` is called in a later turn of the event loop, after its previous run has ended.
 * So a result is never older than the call that gets it, and only one run is active at a time.
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
