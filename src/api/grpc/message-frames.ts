// gRPC's length-prefixed messages: 1 byte of flags, 4 bytes of length (big-endian), the message.
import { AppError } from '../../base/errors.ts';

/** Length of the prefix of a message. */
export const framePrefixBytes = 5;
const compressedFlag = 1;
/** Flag of gRPC-Web's frame of trailers. */
export const trailersFlag = 0x80;

/** A message as received, perhaps compressed. */
export interface Frame {
  readonly compressed: boolean;
  readonly bytes: Uint8Array;
}

/** Splits a byte stream into frames. A frame that lies in a single chunk is not copied. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  readonly #messageBytesMax: number;

  constructor(messageBytesMax: number) {
    this.#messageBytesMax = messageBytesMax;
  }

  /** Whether part of a frame is buffered. */
  get isPartial(): boolean {
    return this.#buffered > 0;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
  }

  /**
   * Returns the next whole frame, or undefined until all of its bytes have arrived.
   *
   * Errors: AppError 'resource-exhausted' as soon as a prefix announces a message that is
   * too long, 'unimplemented' for unknown flags.
   */
  next(): Frame | undefined {
    if (this.#buffered < framePrefixBytes) return undefined;
    const prefix = this.#peekPrefix();
    const length = prefix[1] * 0x1000000 + ((prefix[2] << 16) | (prefix[3] << 8) | prefix[4]);
    if (length > this.#messageBytesMax) {
      throw new AppError(
        'resource-exhausted',
        `received message larger than max (${length} vs. ${this.#messageBytesMax})`,
      );
    }
    if (prefix[0] > compressedFlag) {
      throw new AppError('unimplemented', `cannot read message: unknown flags ${prefix[0]}`);
    }
    if (this.#buffered < framePrefixBytes + length) return undefined;
    const compressed = prefix[0] === compressedFlag;
    const whole = this.#take(framePrefixBytes + length);
    return { compressed, bytes: whole.subarray(framePrefixBytes) };
  }

  #peekPrefix(): Uint8Array {
    const first = this.#chunks[0];
    if (first.length >= framePrefixBytes) return first;
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }

  #take(length: number): Uint8Array {
    this.#buffered -= length;
    const first = this.#chunks[0];
    if (first.length === length) {
      this.#chunks.shift();
      return first;
    }
    if (first.length > length) {
      this.#chunks[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = whole.length > length ? [whole.subarray(length)] : [];
    return whole.subarray(0, length);
  }
}

/** Returns an uncompressed message with its prefix. */
export function frameMessage(message: Uint8Array, flags = 0): Buffer {
  return Buffer.concat([framePrefix(message.length, flags), message]);
}

/** Returns the prefix of an uncompressed message of `length` bytes. */
export function framePrefix(length: number, flags = 0): Buffer {
  const prefix = Buffer.alloc(framePrefixBytes);
  prefix[0] = flags;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}
