// A large message or body that is assembled while it arrives. Copying 60 MB at the end would block
// the event loop for 0.1 s, and so would copying the data of many connections in one turn.
import { type Copy, copyInTurns } from '../../../base/copy-turns.ts';
import { ChunkQueue } from '../../../base/join-chunks.ts';
import { createOwnedBuffer } from '../../../base/owned.ts';

/**
 * Smallest size of a message that is assembled in this way. A smaller message is copied in a tenth
 * of a millisecond.
 */
export const gatheredBytesMin = 256 * 1024;
/**
 * Factor by which the memory of a message grows. The memory must stay small if the bytes never
 * arrive, and each growth copies it.
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

  /** Prepares for `expectedBytes` bytes. */
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

  /** Takes up to `missingBytes` of a chunk, and returns the rest of it. */
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

  /** Resolves when all bytes that have arrived are copied; undefined if they are already. */
  copied(): Promise<void> | undefined {
    if (this.waitingBytes === 0) return undefined;
    return new Promise((resolve) => (this.onCopied = resolve));
  }

  /**
   * Returns the memory with the received bytes, which are complete once `copied` resolves. The
   * buffer is not shared, and has no other content if no bytes are missing. No bytes may arrive
   * later.
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

/** Returns memory that can be sent to the thread that reads large messages. */
function ownBuffer(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(createOwnedBuffer(bytes));
}
