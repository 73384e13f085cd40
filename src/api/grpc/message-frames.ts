// gRPC's length-prefixed messages: one byte of flags, four of length (big-endian), the message.
import { AppError } from '../../base/errors.ts';

/** Length of the prefix of a message. */
export const framePrefixBytes = 5;
const compressedFlag = 1;
/** gRPC-Web's flag of the frame that carries the trailers. */
export const trailersFlag = 0x80;

/** One message as it came. */
export interface Frame {
  readonly compressed: boolean;
  readonly bytes: Uint8Array;
}

/** Cuts a byte stream into frames. Chunks are kept, not copied, while a frame fits into one. */
export class FrameReader {
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  readonly #messageBytesMax: number;

  constructor(messageBytesMax: number) {
    this.#messageBytesMax = messageBytesMax;
  }

  /** Whether bytes wait that are not a whole frame yet. */
  get isPartial(): boolean {
    return this.#buffered > 0;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
  }

  /**
   * The next whole frame, or undefined while it is not there.
   *
   * Errors: AppError 'resource-exhausted' as soon as a prefix announces too long a message,
   * 'unimplemented' for unknown flags.
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

/** A message with its prefix, uncompressed. */
export function frameMessage(message: Uint8Array, flags = 0): Buffer {
  return Buffer.concat([framePrefix(message.length, flags), message]);
}

/** What stands before an uncompressed message of `length` bytes. */
export function framePrefix(length: number, flags = 0): Buffer {
  const prefix = Buffer.alloc(framePrefixBytes);
  prefix[0] = flags;
  prefix.writeUInt32BE(length, 1);
  return prefix;
}
