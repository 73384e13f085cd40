// The page's side of the tree worker: one promise for each question, aborted by its signal.
import type { Asking } from '../rpc/asking.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import type { AnsweredTree, FromTreeWorker, ToTreeWorker, TreeQuestion } from './tree-messages.ts';

interface Waiting {
  readonly resolve: (tree: AnsweredTree) => void;
  readonly reject: (error: unknown) => void;
}

/** Loads trees in a worker that lives as long as the page. */
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

  /** Errors: RpcError of the server, Error when the answer cannot be read, the signal's reason. */
  async load(question: TreeQuestion, { signal, tag }: Asking): Promise<AnsweredTree> {
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<AnsweredTree>();
    this.#waiting.set(id, { resolve, reject });
    const cancel = () => {
      this.#waiting.delete(id);
      this.#post({ kind: 'cancel', id });
      reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#post({ kind: 'load', id, question, tag });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Tells the worker the way to what answers questions about files; gives the port away. */
  connect(port: MessagePort): void {
    this.#post({ kind: 'connect', port }, [port]);
  }

  #post(message: ToTreeWorker, moved: Transferable[] = []): void {
    this.#worker.postMessage(message, moved);
  }

  #settle(message: FromTreeWorker): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'tree') waiting?.resolve(message.tree);
    else if (message.code !== undefined) {
      waiting?.reject(new RpcError(message.code, message.message));
    } else {
      waiting?.reject(new Error(`cannot read flame graph: ${message.message}`));
    }
  }
}
