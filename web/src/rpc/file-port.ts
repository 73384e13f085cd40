// Sends requests to the worker that reads files; each returns a promise.
import type {
  FileContent,
  FileReply,
  FileRequest,
  OpenedFile,
} from '../../file-engine/messages.ts';
import { RpcError } from './grpc-web.ts';
import type { LocalServer } from './local.ts';

/** The worker, or a port to it. */
type Port = Pick<Worker, 'postMessage'> & EventTarget;
type Body = FileRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never;

interface Waiting {
  readonly resolve: (reply: FileReply) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends requests to the worker. The caller must start the port. */
export class FilePort implements LocalServer {
  readonly #port: Port;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(port: Port) {
    this.#port = port;
    port.addEventListener('message', (event) => {
      this.#settle((event as MessageEvent<FileReply>).data);
    });
  }

  /** Reads a file; its bytes are transferred. Errors: RpcError with the reason. */
  async open(file: FileContent): Promise<OpenedFile> {
    const reply = await this.#ask({ kind: 'open', file }, undefined, [file.bytes.buffer]);
    if (reply.kind !== 'opened') throw new Error(`BUG: opening was answered by ${reply.kind}`);
    return reply.file;
  }

  /** Closes a file. */
  async close(name: string): Promise<void> {
    await this.#ask({ kind: 'close', name });
  }

  call(path: string, message: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    return this.#askBytes({ kind: 'call', path, message }, signal);
  }

  get(path: string, signal: AbortSignal): Promise<Uint8Array> {
    return this.#askBytes({ kind: 'get', path }, signal);
  }

  async #askBytes(body: Body, signal: AbortSignal): Promise<Uint8Array> {
    const reply = await this.#ask(body, signal);
    if (reply.kind !== 'bytes') throw new Error(`BUG: a question was answered by ${reply.kind}`);
    return reply.bytes;
  }

  async #ask(body: Body, signal?: AbortSignal, moved: ArrayBuffer[] = []): Promise<FileReply> {
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<FileReply>();
    this.#waiting.set(id, { resolve, reject });
    const cancel = () => {
      this.#waiting.delete(id);
      this.#port.postMessage({ kind: 'cancel', id });
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', cancel, { once: true });
    this.#port.postMessage({ ...body, id }, moved);
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #settle(reply: FileReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'failed') waiting?.reject(new RpcError(reply.code, reply.message));
    else waiting?.resolve(reply);
  }
}
