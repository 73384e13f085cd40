// A large message or body that is copied into one buffer while it arrives. Copying 60 MB at the end
// would block the event loop for 0.1 s. Copying data of many connections in one turn would block it
// too.
import { type Copy, copyInTurns } from '../../../base/copy-turns.ts';
import { ChunkQueue } from '../../../base/join-chunks.ts';
import { createOwnedBuffer } from '../../../base/owned.ts';

/**
 * Size in bytes from which a message is copied while it arrives. Copying a smaller message takes a
 * tenth of a millisecond.
 */
export const gatheredBytesMin = 256 * 1024;
/**
 * Factor by which the buffer of a message grows. Each growth copies the buffer, but it must be
 * small at first, because the announced bytes may never arrive.
 */
const growth = 16;

export class GatheredBytes implements Copy {
  readonly #expectedBytes: number;
  #into: Buffer;
  /** Number of bytes that have arrived, and how many of them have been copied. */
  #length = 0;
  #copiedLength = 0;
  readonly #chunks = new ChunkQueue();
  onCopied: () => void = () => undefined;

  /** Allocates a small buffer for a message of `expectedBytes` bytes. */
  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
    this.#into = ownBuffer(Math.min(expectedBytes, gatheredBytesMin));
  }

  /** Number of bytes still to arrive. */
  get missingBytes(): number {
    return this.#expectedBytes - this.#length;
  }

  get waitingBytes(): number {
    return this.#chunks.byteCount;
  }

  /** Adds up to `missingBytes` of a chunk, and returns the rest of the chunk. */
  push(chunk: Uint8Array): Uint8Array {
    const part = chunk.subarray(0, this.missingBytes);
    if (part.length > 0) this.#chunks.push(part);
    this.#length += part.length;
    copyInTurns(this);
    return chunk.subarray(part.length);
  }

  copyUpTo(bytesMax: number): number {
    const length = this.#copiedLength + Math.min(bytesMax, this.waitingBytes);
    if (length > this.#into.length) this.#grow(length);
    const count = this.#chunks.copyTo(this.#into, this.#copiedLength, bytesMax);
    this.#copiedLength += count;
    return count;
  }

  /** Resolves when all bytes that have arrived are copied; returns undefined if nothing waits. */
  copied(): Promise<void> | undefined {
    if (this.waitingBytes === 0) return undefined;
    return new Promise((resolve) => (this.onCopied = resolve));
  }

  /**
   * Returns the buffer with the received bytes; they are complete once `copied` resolves. No
   * further bytes may be added. The memory is not shared, and contains nothing else if all expected
   * bytes have arrived.
   */
  take(): Buffer {
    if (this.#length > this.#into.length) this.#grow(this.#length);
    return this.#into.subarray(0, this.#length);
  }

  /** Forgets the chunks that wait to be copied, because nobody will read them. */
  drop(): void {
    this.#chunks.clear();
  }

  #grow(length: number): void {
    const grown = Math.max(length, growth * this.#into.length);
    const larger = ownBuffer(Math.min(this.#expectedBytes, grown));
    larger.set(this.#into.subarray(0, this.#copiedLength));
    this.#into = larger;
  }
}

/** Returns memory that can be transferred to the thread that reads large messages. */
function ownBuffer(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(createOwnedBuffer(bytes));
}
