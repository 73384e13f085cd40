// Runs tasks one after the other, so that a list does not send all of its requests at once.

/**
 * Runs each task after the earlier ones have ended; skips tasks that were aborted before their
 * turn.
 */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const begin = async (): Promise<T> => {
      signal.throwIfAborted();
      return task();
    };
    const result = this.#last.then(begin);
    // A failed task does not end the others.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
