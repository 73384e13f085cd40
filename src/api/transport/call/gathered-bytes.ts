// A large message or body that is put together while it arrives: copying 60 MB when it is complete
// holds the event loop for 0.1 s.
import { createOwnedBuffer } from '../../../base/owned.ts';

/**
 * Size from which a message is put together this way; less is copied in a tenth of a millisecond.
 */
export const gatheredBytesMin = 256 * 1024;
/** Growth of memory of a known length, which must stay small if the bytes never arrive. */
const growthOfKnown = 4;
/** Growth of memory of an unknown length, of which little may be left unused. */
const growthOfUnknown = 2;

export class GatheredBytes {
  readonly #expectedBytes: number;
  readonly #growth: number;
  #into: Buffer;
  #length = 0;

  /** Takes up to `expectedBytes`; `isKnown` if less is an error. */
  constructor(expectedBytes: number, isKnown: boolean) {
    this.#expectedBytes = expectedBytes;
    this.#growth = isKnown ? growthOfKnown : growthOfUnknown;
    this.#into = ownBuffer(Math.min(expectedBytes, gatheredBytesMin));
  }

  /** Number of bytes that have not arrived yet. */
  get missingBytes(): number {
    return this.#expectedBytes - this.#length;
  }

  /** Copies up to `missingBytes` of a chunk, and returns the rest of it. */
  push(chunk: Uint8Array): Uint8Array {
    const part = chunk.subarray(0, this.missingBytes);
    const length = this.#length + part.length;
    if (length > this.#into.length) this.#grow(length);
    this.#into.set(part, this.#length);
    this.#length = length;
    return chunk.subarray(part.length);
  }

  /** Returns the bytes so far, in a buffer of their own if none are missing. */
  take(): Buffer {
    return this.#into.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const grown = Math.max(length, this.#growth * this.#into.length);
    const larger = ownBuffer(Math.min(this.#expectedBytes, grown));
    larger.set(this.#into.subarray(0, this.#length));
    this.#into = larger;
  }
}

/** Returns memory that may be sent to a thread, which reads large messages. */
function ownBuffer(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(createOwnedBuffer(bytes));
}
