// Queue of the messages of a gRPC stream that its method has not read yet. It is limited in bytes.
import type { ServerHttp2Stream } from 'node:http2';
import { AppError } from '../../../base/errors.ts';
import { streamQueueBytes, streamWindowBytes } from '../../limits.ts';
import { readInTurns } from '../call/connection-turns.ts';
import { decodeMessage } from '../call/request-body.ts';
import type { ByteLease } from '../call/request-memory.ts';
import { type Frame, framePrefixBytes, FrameReader } from './message-frames.ts';

/** Memory lease and encoding of a stream of messages. */
export interface MessageQueueOptions {
  readonly lease: ByteLease;
  readonly messageBytesMax: number;
  /** Compression of those messages that are flagged as compressed. */
  readonly encoding: string;
  /** True if a message stays in memory until the call ends, or until the next one is requested. */
  readonly keepsMessages: boolean;
}

/**
 * Yields the messages of `stream` one by one.
 *
 * When more than `streamQueueBytes` wait, HTTP/2 slows the caller down. The caller may still send
 * as much as its window allows, so the window counts as used memory, too.
 *
 * Errors: as in FrameReader.next, decodeMessage and ByteLease.take; AppError 'cancelled' when the
 * caller disconnects.
 */
export async function* readMessages(
  stream: ServerHttp2Stream,
  options: MessageQueueOptions,
): AsyncGenerator<Uint8Array> {
  const { lease, messageBytesMax, encoding, keepsMessages } = options;
  const queue = new MessageQueue(stream, lease, messageBytesMax);
  try {
    for (;;) {
      const frame = await queue.next();
      if (frame === undefined) return;
      if (frame.copied !== undefined) await frame.copied;
      const message = frame.compressed
        ? await decodeMessage(frame.bytes, encoding, messageBytesMax, lease)
        : frame.bytes;
      yield message;
      if (keepsMessages) continue;
      lease.give(framePrefixBytes + frame.bytes.length);
      if (message !== frame.bytes) lease.give(message.length);
    }
  } finally {
    queue.close();
  }
}

/**
 * Approximate memory of a queued message in addition to its bytes, so that many empty messages
 * count as used memory, too.
 */
const frameOverheadBytes = 64;

class MessageQueue {
  readonly #stream: ServerHttp2Stream;
  readonly #lease: ByteLease;
  readonly #reader: FrameReader;
  #frames: Frame[] = [];
  #queuedBytes = 0;
  #isPaused = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(stream: ServerHttp2Stream, lease: ByteLease, messageBytesMax: number) {
    this.#stream = stream;
    this.#lease = lease;
    this.#reader = new FrameReader(messageBytesMax);
    stream.on('data', this.#take).once('end', this.#finish).once('close', this.#cut);
    readInTurns(stream);
    // Node ends an empty stream even if nobody reads it, so it may have ended already.
    if (stream.readableEnded) this.#finish();
  }

  /**
   * Resolves to the next message, or to undefined after the last one. Errors: as in readMessages.
   */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame) {
        this.#queuedBytes -= frame.bytes.length + frameOverheadBytes;
        this.#resume();
        return frame;
      }
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error;
        return undefined;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Drops all messages that arrive from now on. */
  close(): void {
    const stream = this.#stream;
    this.#end ??= {};
    this.#frames = [];
    this.#reader.clear();
    stream.off('data', this.#take).off('end', this.#finish).off('close', this.#cut);
    stream.resume();
  }

  readonly #take = (chunk: Uint8Array): void => {
    try {
      this.#lease.take(chunk.length);
      this.#reader.push(chunk);
      for (let frame = this.#reader.next(); frame; frame = this.#reader.next()) {
        this.#frames.push(frame);
        this.#queuedBytes += frame.bytes.length + frameOverheadBytes;
      }
      this.#pause();
    } catch (error) {
      this.#stop({ error });
    }
    if (this.#frames.length > 0) this.#wake();
  };

  #pause(): void {
    if (this.#isPaused || this.#queuedBytes <= streamQueueBytes) return;
    this.#lease.take(streamWindowBytes);
    this.#isPaused = true;
    this.#stream.pause();
  }

  #resume(): void {
    if (!this.#isPaused || this.#queuedBytes > streamQueueBytes) return;
    this.#isPaused = false;
    this.#lease.give(streamWindowBytes);
    this.#stream.resume();
  }

  readonly #finish = (): void => {
    if (!this.#reader.isPartial) this.#stop({});
    else this.#stop({ error: new AppError('invalid-argument', 'the last message is not whole') });
  };

  readonly #cut = (): void => {
    this.#stop({ error: new AppError('cancelled', 'the caller has disconnected') });
  };

  #stop(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake();
  }
}
