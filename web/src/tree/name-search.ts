// Client of the search worker: runs one search at a time, with a time limit.
import type { SearchMode } from './search.ts';
import type { FromSearchWorker, ToSearchWorker } from './search.worker.ts';
import type { Strings } from './tree.ts';

/** Longest duration of a search by an expression in milliseconds, because some never end. */
const searchMillisMax = 2_000;

/** Searches the names in a tree. */
export class NameSearch {
  readonly #names: Strings;
  #worker: Worker | undefined;

  constructor(names: Strings) {
    this.#names = names;
  }

  /** Returns one byte per name, or the error in the search. A newer call aborts an older call. */
  async search(text: string, mode: SearchMode, signal: AbortSignal): Promise<FromSearchWorker> {
    const worker = this.#start();
    const { promise, resolve } = Promise.withResolvers<FromSearchWorker>();
    const stop = () => {
      this.close();
      resolve({ ok: false, message: 'the expression takes too long' });
    };
    const timer = mode === 'regex' ? setTimeout(stop, searchMillisMax) : undefined;
    signal.addEventListener('abort', stop, { once: true });
    worker.addEventListener(
      'message',
      (event: MessageEvent<FromSearchWorker>) => resolve(event.data),
      { once: true },
    );
    this.#post(worker, { kind: 'search', text, mode });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    this.#worker = new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' });
    this.#post(this.#worker, { kind: 'names', names: this.#names });
    return this.#worker;
  }

  #post(worker: Worker, message: ToSearchWorker): void {
    worker.postMessage(message);
  }
}
