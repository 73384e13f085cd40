// Client of the tree worker: each request returns a promise, and can be aborted by a signal.
import type { Asking } from '../rpc/asking.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import type { FunctionTable } from './function-table.ts';
import type {
  Answered,
  AnsweredTree,
  Asked,
  ChartQuestion,
  FlameChart,
  FromTreeWorker,
  FunctionsQuestion,
  ToTreeWorker,
  TreeQuestion,
} from './tree-messages.ts';

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Loads trees and function lists in a worker. */
export class TreeLoader {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor() {
    this.#worker = new Worker(new URL('./tree.worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', (event: MessageEvent<FromTreeWorker>) => {
      this.#settle(event.data);
    });
  }

  /**
   * Loads a tree. Errors: RpcError from the server; Error if the answer cannot be parsed; the
   * signal's reason.
   */
  load(question: TreeQuestion, asking: Asking): Promise<AnsweredTree> {
    return this.#ask<'tree'>({ kind: 'tree', question }, asking);
  }

  /** Loads a list of functions. Errors: same as `load`. */
  functions(question: FunctionsQuestion, asking: Asking): Promise<FunctionTable> {
    return this.#ask<'functions'>({ kind: 'functions', question }, asking);
  }

  /** Loads a flame chart. Errors: same as `load`. */
  chart(question: ChartQuestion, asking: Asking): Promise<FlameChart> {
    return this.#ask<'chart'>({ kind: 'chart', question }, asking);
  }

  /** Connects the worker to the local server for files; the port is transferred. */
  connect(port: MessagePort): void {
    this.#post({ kind: 'connect', port }, [port]);
  }

  async #ask<K extends keyof Answered>(
    asked: Asked & { readonly kind: K },
    { signal, tag }: Asking,
  ): Promise<Answered[K]> {
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Answered[K]>();
    this.#waiting.set(id, { resolve, reject });
    const cancel = () => {
      this.#waiting.delete(id);
      this.#post({ kind: 'cancel', id });
      reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#post({ id, tag, ...asked });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #post(message: ToTreeWorker, moved: Transferable[] = []): void {
    this.#worker.postMessage(message, moved);
  }

  #settle(message: FromTreeWorker): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    // The worker answers each request with the type of its kind.
    if (message.kind === 'answer') waiting?.resolve(message.value as never);
    else if (message.code !== undefined) {
      waiting?.reject(new RpcError(message.code, message.message));
    } else {
      waiting?.reject(new Error(`cannot read the answer: ${message.message}`));
    }
  }
}
