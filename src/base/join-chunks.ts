// Joins the chunks of a body, in slices.
import { type Copy, copyInTurns } from './copy-turns.ts';
import { asOwned, createOwnedBuffer, isOwnedWhole, type Owned } from './owned.ts';

/**
 * Copies the bytes of `chunks` into one new buffer, which may be transferred to a thread. Empties
 * the list.
 */
export async function joinChunks(chunks: Uint8Array[]): Promise<Owned<Uint8Array>> {
  const join = new Join(chunks.splice(0));
  copyInTurns(join);
  if (join.waitingBytes > 0) await join.copied();
  return join.joined;
}

/** Returns the same bytes if they fill a transferable buffer, otherwise a copy. */
export async function ownedBody(bytes: Uint8Array): Promise<Owned<Uint8Array>> {
  return isOwnedWhole(bytes) ? asOwned(bytes) : joinChunks([bytes]);
}

class Join implements Copy {
  readonly joined: Owned<Uint8Array>;
  waitingBytes: number;
  readonly #chunks: ChunkQueue;
  onCopied: () => void = () => undefined;

  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = new ChunkQueue(chunks);
    this.waitingBytes = this.#chunks.byteCount;
    // The system allocates pages of zeroed memory only when they are first written.
    this.joined = new Uint8Array(createOwnedBuffer(this.waitingBytes));
  }

  copyUpTo(bytesMax: number): number {
    const count = this.#chunks.copyTo(
      this.joined,
      this.joined.length - this.waitingBytes,
      bytesMax,
    );
    this.waitingBytes -= count;
    return count;
  }

  /** Resolves when all bytes have been copied. */
  copied(): Promise<void> {
    return new Promise((resolve) => (this.onCopied = resolve));
  }
}

/** Chunks that are copied one after another; each is dropped when it is copied. */
export class ChunkQueue {
  byteCount = 0;
  readonly #chunks: Uint8Array[];
  /** Index of the first chunk that is not yet copied. */
  #first = 0;

  constructor(chunks: readonly Uint8Array[] = []) {
    this.#chunks = [...chunks];
    for (const { length } of chunks) this.byteCount += length;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.byteCount += chunk.length;
  }

  /** Copies up to `bytesMax` bytes to a position, and returns their number. */
  copyTo(target: Uint8Array, position: number, bytesMax: number): number {
    const chunks = this.#chunks;
    let count = 0;
    while (count < bytesMax && count < this.byteCount) {
      const chunk = chunks[this.#first];
      const part = chunk.subarray(0, bytesMax - count);
      target.set(part, position + count);
      count += part.length;
      if (part.length < chunk.length) {
        chunks[this.#first] = chunk.subarray(part.length);
        break;
      }
      // The memory of this chunk can be collected while other chunks wait.
      chunks[this.#first] = nothing;
      this.#first += 1;
    }
    this.byteCount -= count;
    if (this.byteCount === 0) this.clear();
    return count;
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#first = 0;
    this.byteCount = 0;
  }
}

const nothing = new Uint8Array(0);
