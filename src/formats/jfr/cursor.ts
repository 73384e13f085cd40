// A cursor over one chunk of a recording: integers, compressed or of a fixed size, and strings.
//
// Compressed integers have seven bits a byte, lowest first; a ninth byte has eight.
import { DecodeError } from '../decode-error.ts';

/** Start of error messages. */
export const what = 'cannot read JFR';

/** The key of a constant or a type; a bigint only above 2^53. */
export type Key = number | bigint;

const utf8 = new TextDecoder();
const latin1 = new TextDecoder('latin1');
/** Ways of storing a string. */
const encodings = { absent: 0, empty: 1, constant: 2, utf8: 3, characters: 4, latin1: 5 };

/** A string, or the key of a constant string. */
export type StoredString = string | { readonly constant: Key };

export class JfrCursor {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #isCompressed: boolean;
  /** Offset of the end of the readable bytes. */
  readonly end: number;
  pos = 0;
  /** Halves of the last integer read, as int32. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array, end: number, isCompressed: boolean) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#isCompressed = isCompressed;
    this.end = end;
  }

  /** Reads an integer, compressed or of `size` bytes, into `low` and `high`. */
  integer(size: 2 | 4 | 8): void {
    if (this.#isCompressed) this.#compressed();
    else this.#fixed(size);
  }

  #compressed(): void {
    const { bytes } = this;
    let { pos } = this;
    let byte = bytes[pos++];
    let low = byte & 0x7f;
    let high = 0;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[pos++];
      const bits = shift === 56 ? byte : byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (shift === 56) break;
    }
    if (pos > this.end) throw this.fail('an integer passes the end of its chunk');
    this.low = low;
    this.high = high;
    this.pos = pos;
  }

  #fixed(size: 2 | 4 | 8): void {
    const { pos } = this;
    this.skip(size);
    const view = this.#view;
    this.high = size === 8 ? view.getInt32(pos) : 0;
    if (size === 2) this.low = view.getUint16(pos);
    else this.low = view.getInt32(size === 8 ? pos + 4 : pos);
  }

  /** Reads an int as a signed 32-bit number. */
  int(): number {
    this.integer(4);
    return this.low | 0;
  }

  /** Reads a long as a double, exact up to 2^53. */
  long(): number {
    this.integer(8);
    return this.high * 0x1_0000_0000 + (this.low >>> 0);
  }

  /** Reads a long, exactly. */
  key(): Key {
    this.integer(8);
    const { low, high } = this;
    if (high >>> 21 === 0) return high * 0x1_0000_0000 + (low >>> 0);
    return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }

  /** Reads a number of items, each of which takes at least `bytesMin` bytes. */
  count(bytesMin = 1): number {
    const at = this.pos;
    const count = this.int();
    if (count < 0 || count * bytesMin > this.end - this.pos) {
      throw this.fail(`a count is ${count}, more than there are bytes`, at);
    }
    return count;
  }

  /** Skips bytes. */
  skip(size: number): void {
    if (size > this.end - this.pos) throw this.fail('a value passes the end of its chunk');
    this.pos += size;
  }

  byte(): number {
    this.skip(1);
    return this.bytes[this.pos - 1];
  }

  /** Reads a string; undefined for null. */
  string(): StoredString | undefined {
    const encoding = this.byte();
    switch (encoding) {
      case encodings.absent:
        return undefined;
      case encodings.empty:
        return '';
      case encodings.constant:
        return { constant: this.key() };
      case encodings.utf8:
      case encodings.latin1: {
        const size = this.count();
        const start = this.pos;
        this.skip(size);
        const content = this.bytes.subarray(start, start + size);
        return (encoding === encodings.utf8 ? utf8 : latin1).decode(content);
      }
      case encodings.characters: {
        let text = '';
        for (let left = this.count(); left > 0; left -= 1) {
          this.integer(2);
          text += String.fromCharCode(this.low & 0xffff);
        }
        return text;
      }
      default:
        throw this.fail(`a string has the unknown encoding ${encoding}`, this.pos - 1);
    }
  }

  /** Skips a string. */
  skipString(): void {
    const encoding = this.byte();
    if (encoding === encodings.absent || encoding === encodings.empty) return;
    if (encoding === encodings.constant) this.integer(8);
    else if (encoding === encodings.utf8 || encoding === encodings.latin1) this.skip(this.count());
    else if (encoding === encodings.characters) {
      for (let left = this.count(); left > 0; left -= 1) this.integer(2);
    } else throw this.fail(`a string has the unknown encoding ${encoding}`, this.pos - 1);
  }

  fail(why: string, at = this.pos): DecodeError {
    return new DecodeError(what, why, at);
  }
}
