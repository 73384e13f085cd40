// Writes the protobuf wire format into one growing buffer.
// Source: https://protobuf.dev/programming-guides/encoding/
import { grown } from '../model/column.ts';

/**
 * Number of bytes that are reserved for the length of a nested message. Messages below 2 MiB need
 * not be moved.
 */
const lengthBytes = 3;
/** Number of 32-bit words for which `varints` reserves space in one step; an even number. */
const wordsAtOnce = 8_192;

/** A growing message. As in proto3, fields with value 0 are left out. */
export class ProtobufWriter {
  bytes: Uint8Array<ArrayBuffer>;
  pos = 0;

  /** `capacity` is the expected size in bytes. Growing copies the message into new memory. */
  constructor(capacity = 4_096) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Returns the message so far: a view, valid until the next write. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.pos);
  }

  /** Writes a varint field with a value in 0..2^53. */
  uint(field: number, value: number): void {
    if (value === 0) return;
    this.varint(field * 8);
    this.varint(value);
  }

  /** Writes an int64 or uint64 field. */
  int64(field: number, value: bigint): void {
    if (value === 0n) return;
    this.varint(field * 8);
    this.varint64(value);
  }

  /** Writes a uint64 field that is given as two halves. */
  uint64(field: number, low: number, high: number): void {
    if ((low | high) === 0) return;
    this.varint(field * 8);
    this.#halves(low, high);
  }

  /**
   * Writes a length-delimited field. An empty field is written too, because rows of string tables
   * may be empty.
   */
  bytesField(field: number, content: Uint8Array): void {
    this.varint(field * 8 + 2);
    this.varint(content.length);
    this.raw(content);
  }

  /** Writes the bytes of complete fields. */
  raw(content: Uint8Array): void {
    this.#reserve(content.length);
    this.bytes.set(content, this.pos);
    this.pos += content.length;
  }

  /** Begins a nested message or packed field; the result must be passed to `end`. */
  begin(field: number): number {
    this.varint(field * 8 + 2);
    this.#reserve(lengthBytes);
    this.pos += lengthBytes;
    return this.pos;
  }

  /** Ends what `begin` has begun: writes its length and removes the unused space. */
  end(start: number): void {
    const length = this.pos - start;
    let needed = 1;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) needed += 1;
    const to = start - lengthBytes + needed;
    if (needed > lengthBytes) this.#reserve(needed - lengthBytes);
    if (to !== start) this.bytes.copyWithin(to, start, start + length);
    this.pos = start - lengthBytes;
    this.varint(length);
    this.pos = to + length;
  }

  /** Writes a varint in 0..2^53 without a tag. */
  varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    // Numbers above int32 are divided, because shifts would drop the high bits.
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 128)) {
      this.bytes[this.pos] = (rest % 128) | 0x80;
      this.pos += 1;
    }
    for (; rest > 0x7f; rest >>>= 7) {
      this.bytes[this.pos] = (rest & 0x7f) | 0x80;
      this.pos += 1;
    }
    this.bytes[this.pos] = rest;
    this.pos += 1;
  }

  /** Writes a 64-bit varint without a tag; negative values take ten bytes. */
  varint64(value: bigint): void {
    const bits = BigInt.asUintN(64, value);
    this.#halves(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
  }

  /**
   * Writes int64 values, given as 32-bit words, as varints without tags. Uses only shifts, because
   * most values have more than 32 bits.
   */
  varints(words: Int32Array): void {
    for (let from = 0; from < words.length; from += wordsAtOnce) {
      const to = Math.min(words.length, from + wordsAtOnce);
      this.#reserve(((to - from) / 2) * 10);
      const { bytes } = this;
      let { pos } = this;
      for (let i = from; i < to; i += 2) {
        let rest = words[i];
        let top = words[i + 1];
        while (top !== 0 || (rest & ~0x7f) !== 0) {
          bytes[pos] = (rest & 0x7f) | 0x80;
          pos += 1;
          rest = (rest >>> 7) | (top << 25);
          top >>>= 7;
        }
        bytes[pos] = rest;
        pos += 1;
      }
      this.pos = pos;
    }
  }

  #halves(low: number, high: number): void {
    if (high >>> 0 < 0x20_0000) {
      this.varint((high >>> 0) * 0x1_0000_0000 + (low >>> 0));
      return;
    }
    this.#reserve(10);
    let rest = low >>> 0;
    let top = high >>> 0;
    while (top !== 0 || rest > 0x7f) {
      this.bytes[this.pos] = (rest & 0x7f) | 0x80;
      this.pos += 1;
      rest = ((rest >>> 7) | (top << 25)) >>> 0;
      top >>>= 7;
    }
    this.bytes[this.pos] = rest;
    this.pos += 1;
  }

  #reserve(more: number): void {
    this.bytes = grown(this.bytes, this.pos + more);
  }
}
