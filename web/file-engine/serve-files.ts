// Serves the requests of the page and its other workers; each has its own port.
import { wireStatus } from '../../src/api/transport/call/status.ts';
import { assertUnreachable } from '../../src/base/assert.ts';
import { AppError, errorCode, errorMessage } from '../../src/base/errors.ts';
import { ownedCopy } from '../../src/base/owned.ts';
import { send, type MessagePeer } from '../../src/base/threads/send.ts';
import type { FileEngine } from './file-engine.ts';
import type { FileReply, FileRequest } from './messages.ts';

/** Answers the requests on one port. */
export class FileServer {
  readonly #engine: FileEngine;
  readonly #peer: MessagePeer;
  readonly #running = new Map<number, AbortController>();

  constructor(engine: FileEngine, peer: MessagePeer) {
    this.#engine = engine;
    this.#peer = peer;
  }

  /** Processes a request, and sends a reply. A cancelled request gets no reply. */
  async take(request: FileRequest): Promise<void> {
    const { id } = request;
    if (request.kind === 'cancel') {
      this.#running.get(id)?.abort(new AppError('cancelled', 'cancelled by the caller'));
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    const { signal } = controller;
    try {
      const reply = await this.#answer(request, signal);
      if (!signal.aborted) send(this.#peer, reply, reply.kind === 'bytes' ? [reply.bytes] : []);
    } catch (error) {
      if (signal.aborted) return;
      const code = wireStatus(errorCode(error)).grpc;
      const reply: FileReply = { kind: 'failed', id, code, message: errorMessage(error) };
      send(this.#peer, reply);
    } finally {
      this.#running.delete(id);
    }
  }

  async #answer(
    request: Exclude<FileRequest, { kind: 'cancel' }>,
    signal: AbortSignal,
  ): Promise<FileReply> {
    const { id } = request;
    switch (request.kind) {
      case 'open':
        return { kind: 'opened', id, file: await this.#engine.open(request.file) };
      case 'close':
        await this.#engine.close(request.name);
        return { kind: 'done', id };
      case 'call': {
        const bytes = await this.#engine.call(request.path, request.message, signal);
        return { kind: 'bytes', id, bytes: ownedCopy(bytes) };
      }
      case 'get': {
        const bytes = await this.#engine.get(request.path, signal);
        return { kind: 'bytes', id, bytes: ownedCopy(bytes) };
      }
      default:
        return assertUnreachable(request);
    }
  }
}
