// gRPC's length-prefixed messages: 1 byte of flags, 4 bytes of length (big-endian), the message.
import { AppError } from '../../../base/errors.ts';
import { ChunkList } from '../call/chunk-list.ts';
import { GatheredBytes, gatheredBytesMin } from '../call/gathered-bytes.ts';
import { TooLargeError } from '../call/status.ts';

/** Length of a message's prefix in bytes. */
export const framePrefixBytes = 5;
const compressedFlag = 1;
const nothing = new Uint8Array(0);
/** Flag of the frame with gRPC-Web's trailers. */
export const trailersFlag = 0x80;

/** A received message, which may be compressed. */
export interface Frame {
  readonly compressed: boolean;
  /** Message; it is complete when `copied` has resolved. */
  readonly bytes: Uint8Array;
  /** Resolves when all of `bytes` are copied; undefined if they already are. */
  readonly copied?: Promise<void> | undefined;
  /** True if `bytes` is in a buffer of its own, which was assembled from chunks. */
  readonly isJoined: boolean;
}

/** Splits a byte stream into frames. A frame that is within one chunk is not copied. */
export class FrameReader {
  /** Bytes before `#rest`. */
  #first: Uint8Array = nothing;
  readonly #rest = new ChunkList();
  #buffered = 0;
  /** True if `#join` made the buffer of `#first`. */
  #isJoined = false;
  /** A large frame that is still incomplete. Its bytes come before those in `#first`. */
  #large: GatheredBytes | undefined;
  #isLargeCompressed = false;
  readonly #messageBytesMax: number;

  constructor(messageBytesMax: number) {
    this.#messageBytesMax = messageBytesMax;
  }

  /** True if part of a frame is buffered. */
  get isPartial(): boolean {
    return this.#buffered > 0;
  }

  push(chunk: Uint8Array): void {
    this.#buffered += chunk.length;
    const after = this.#large?.push(chunk) ?? chunk;
    if (this.#first.length > 0) this.#rest.push(after);
    else if (after.length > 0) {
      this.#first = after;
      this.#isJoined = false;
    }
  }

  /**
   * Returns the next complete frame, or undefined until all of its bytes have arrived.
   *
   * Errors: AppError 'resource-exhausted' as soon as a prefix announces a message that is too long,
   * 'unimplemented' for unknown flags.
   */
  next(): Frame | undefined {
    if (this.#large !== undefined) return this.#nextLarge(this.#large);
    if (this.#buffered < framePrefixBytes) return undefined;
    if (this.#first.length < framePrefixBytes) this.#join();
    const prefix = this.#first;
    const length = prefix[1] * 0x1000000 + ((prefix[2] << 16) | (prefix[3] << 8) | prefix[4]);
    if (length > this.#messageBytesMax) {
      throw new TooLargeError(
        `received message larger than max (${length} vs. ${this.#messageBytesMax})`,
      );
    }
    if (prefix[0] > compressedFlag) {
      throw new AppError('unimplemented', `cannot read message: unknown flags ${prefix[0]}`);
    }
    const frameBytes = framePrefixBytes + length;
    if (this.#buffered < frameBytes) {
      if (frameBytes >= gatheredBytesMin) this.#gather(frameBytes);
      return undefined;
    }
    if (this.#first.length < frameBytes) this.#join();
    const bytes = this.#first.subarray(framePrefixBytes, frameBytes);
    const compressed = prefix[0] === compressedFlag;
    this.#first = this.#first.subarray(frameBytes);
    this.#buffered -= frameBytes;
    const isJoined = this.#isJoined && frameBytes === bytes.buffer.byteLength;
    return { compressed, bytes, isJoined };
  }

  /** Drops the buffered bytes. */
  clear(): void {
    this.#rest.takeAll();
    this.#first = nothing;
    this.#large?.drop();
    this.#large = undefined;
    this.#buffered = 0;
  }

  /** Begins to collect the bytes of a large frame. */
  #gather(frameBytes: number): void {
    this.#join();
    this.#isLargeCompressed = this.#first[0] === compressedFlag;
    this.#large = new GatheredBytes(frameBytes);
    this.#large.push(this.#first);
    this.#first = nothing;
  }

  #nextLarge(large: GatheredBytes): Frame | undefined {
    if (large.missingBytes > 0) return undefined;
    const frame = large.take();
    this.#large = undefined;
    this.#buffered -= frame.length;
    return {
      compressed: this.#isLargeCompressed,
      bytes: frame.subarray(framePrefixBytes),
      copied: large.copied(),
      isJoined: true,
    };
  }

  #join(): void {
    const rest = this.#rest.takeAll();
    this.#isJoined = this.#first.length > 0;
    this.#first = this.#isJoined ? Buffer.concat([this.#first, rest]) : rest;
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
