// Replaces Node's async_hooks in the browser, where all work is for one caller.

/** A store that is always empty. */
export class AsyncLocalStorage {
  run<R>(_store: unknown, work: () => R): R {
    return work();
  }

  getStore(): undefined {
    return undefined;
  }
}
