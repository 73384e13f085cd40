// Writes and reads little-endian integers, varints and strings, of which storage's formats consist.
import { AppError } from './errors.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/**
 * Longest string, in UTF-16 units, that is written without TextEncoder. For longer strings, the
 * encoder is faster.
 */
const asciiLengthMax = 64;
const two32 = 0x1_0000_0000;
const halves = new Uint32Array(2);
const whole = new BigInt64Array(halves.buffer);

/** A growing buffer; `bytes[0..length)` has the written bytes. Set length = 0 to reuse it. */
export class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Reserves space for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const bigger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    bigger.set(this.bytes.subarray(0, this.length));
    this.bytes = bigger;
  }

  u8(value: number): void {
    this.reserve(1);
    this.bytes[this.length] = value;
    this.length += 1;
  }

  u32(value: number): void {
    this.reserve(4);
    this.setU32(this.length, value);
    this.length += 4;
  }

  /** Overwrites four bytes written earlier. */
  setU32(at: number, value: number): void {
    const { bytes } = this;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }

  /** Writes an integer in 0 .. 2^53 - 1, in eight bytes. */
  u64(value: number): void {
    this.u32(value >>> 0);
    this.u32(Math.floor(value / two32));
  }

  /** Writes a 64-bit integer in eight bytes, two's complement. */
  i64(value: bigint): void {
    whole[0] = value;
    this.u32(halves[0]);
    this.u32(halves[1]);
  }

  /** Writes an integer in 0 .. 2^53 - 1, 7 bits a byte, low bits first. */
  varint(value: number): void {
    this.varint64(value >>> 0, Math.floor(value / two32));
  }

  /**
   * Writes a 64-bit integer, given in halves of its two's complement, as a varint of 1..10 bytes.
   */
  varint64(low: number, high: number): void {
    this.reserve(10);
    const { bytes } = this;
    let at = this.length;
    while (high !== 0) {
      bytes[at] = (low & 127) | 128;
      at += 1;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    while (low > 127) {
      bytes[at] = (low & 127) | 128;
      at += 1;
      low >>>= 7;
    }
    bytes[at] = low;
    this.length = at + 1;
  }

  /** Writes a 64-bit integer as a varint of its two's complement. */
  varintBig(value: bigint): void {
    whole[0] = value;
    this.varint64(halves[0], halves[1]);
  }

  /** Writes a 32-bit signed integer; small magnitudes are short. */
  zigzag(value: number): void {
    this.varint64(((value << 1) ^ (value >> 31)) >>> 0, 0);
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes a string: its length in bytes as a varint, then UTF-8. */
  text(value: string): void {
    if (value.length <= asciiLengthMax && this.#shortAscii(value)) return;
    const bytes = encoder.encode(value);
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Writes a short ASCII string without the encoder; returns false for other strings. */
  #shortAscii(value: string): boolean {
    const { length } = value;
    this.reserve(1 + length);
    const { bytes } = this;
    const start = this.length;
    bytes[start] = length;
    for (let i = 0; i < length; i += 1) {
      const code = value.charCodeAt(i);
      if (code > 127) return false;
      bytes[start + 1 + i] = code;
    }
    this.length = start + 1 + length;
    return true;
  }

  /** Returns a copy of the written bytes. */
  copy(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Reads bytes of a ByteWriter. Errors: AppError 'data-loss' when the bytes end early. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  /** Skips `count` bytes and returns their start. */
  skip(count: number): number {
    const start = this.at;
    if (count > this.end - start) throw endsEarly();
    this.at = start + count;
    return start;
  }

  u8(): number {
    return this.bytes[this.skip(1)];
  }

  u32(): number {
    const { bytes } = this;
    const at = this.skip(4);
    const low = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
    return (low | (bytes[at + 3] << 24)) >>> 0;
  }

  u64(): number {
    const low = this.u32();
    return this.u32() * two32 + low;
  }

  i64(): bigint {
    halves[0] = this.u32();
    halves[1] = this.u32();
    return whole[0];
  }

  /** Reads an integer in 0 .. 2^53 - 1. Errors: 'data-loss' if it is larger. */
  varint(): number {
    const { bytes } = this;
    const first = bytes[this.at];
    if (first < 128 && this.at < this.end) {
      this.at += 1;
      return first;
    }
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
      if (scale > 2 ** 49) throw new AppError('data-loss', 'cannot read number: it is too long');
    }
    if (value > Number.MAX_SAFE_INTEGER) {
      throw new AppError('data-loss', 'cannot read number: it passes 2^53');
    }
    return value;
  }

  /** Reads a varint of 1..10 bytes into `into[at]` (low half) and `into[at + 1]` (high half). */
  varint64(into: Uint32Array, at: number): void {
    let low = 0;
    let high = 0;
    let shift = 0;
    for (;;) {
      const byte = this.u8();
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 128) break;
      shift += 7;
      if (shift > 63) throw new AppError('data-loss', 'cannot read number: it is too long');
    }
    into[at] = low;
    into[at + 1] = high;
  }

  varintBig(): bigint {
    this.varint64(halves, 0);
    return whole[0];
  }

  zigzag(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  text(): string {
    const length = this.varint();
    const start = this.skip(length);
    return decoder.decode(this.bytes.subarray(start, start + length));
  }
}

function endsEarly(): AppError {
  return new AppError('data-loss', 'cannot read bytes: they end early');
}

/**
 * Releases the memory of a buffer immediately; otherwise it would stay allocated until a full
 * garbage collection. The buffer must not be read afterwards.
 */
export function releaseMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
