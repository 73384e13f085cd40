// Reads the protobuf wire format. Varints are two 32-bit halves, so no objects or BigInts are made.
//
// Reads are not checked byte by byte. A field starts before the end of its message, and its tag and
// varint take at most 20 bytes, so it is enough that `open` adds padding after the bytes. A loop
// over a message ends with `endMessage`, which detects a field that goes beyond the end. Source:
// https://protobuf.dev/programming-guides/encoding/
import { DecodeError } from './decode-error.ts';

/** Number of bytes that may be read after the end of the message. */
const slackBytes = 32;
/** The high bits of four bytes. In a varint, the high bit of a byte is set if more bytes follow. */
const highBits = 0x8080_8080 | 0;

/** A cursor over a message and its nested messages. */
export class WireReader {
  /** The message, followed by padding. */
  bytes: Uint8Array = new Uint8Array(slackBytes);
  /** View of the same bytes. */
  view = new DataView(this.bytes.buffer);
  pos = 0;
  /** Halves of the last varint that `varint` read, as int32. */
  low = 0;
  high = 0;

  /** Start of error messages. */
  readonly #what: string;

  constructor(what = 'failed to parse profile') {
    this.#what = what;
  }

  /**
   * Moves to the first byte of `message`. Copies the message only if its buffer has no padding
   * after it.
   */
  open(message: Uint8Array): void {
    const { buffer, byteOffset, length } = message;
    this.pos = 0;
    if (byteOffset + length + slackBytes <= buffer.byteLength) {
      this.bytes = new Uint8Array(buffer, byteOffset, length + slackBytes);
    } else {
      this.bytes = new Uint8Array(length + slackBytes);
      this.bytes.set(message);
    }
    this.view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
  }

  /**
   * Reads a varint into `low` and `high`, four bytes at a time. A varint ends at the first byte
   * whose high bit is not set. Varints of up to 4 bytes need no branch on the length, and varints
   * of up to 8 bytes need one.
   */
  varint(): void {
    const { view, pos } = this;
    const word = view.getInt32(pos, true);
    const stops = ~word & highBits;
    if (stops === 0) {
      this.#longVarint(pos, joinSevens(word));
      return;
    }
    this.low = joinSevens(word & (stops ^ (stops - 1)));
    this.high = 0;
    this.pos = pos + bytesUpTo(stops);
  }

  /** Reads the rest of a varint of 5 to 10 bytes. `first` has its lowest 28 bits. */
  #longVarint(pos: number, first: number): void {
    const { view } = this;
    const word = view.getInt32(pos + 4, true);
    const stops = ~word & highBits;
    if (stops !== 0) {
      const bits = joinSevens(word & (stops ^ (stops - 1)));
      this.low = first | (bits << 28);
      this.high = bits >>> 4;
      this.pos = pos + 4 + bytesUpTo(stops);
      return;
    }
    const bits = joinSevens(word);
    const ninth = view.getUint8(pos + 8);
    const tenth = ninth > 0x7f ? view.getUint8(pos + 9) : 0;
    // Only the lowest bit of the tenth byte may be set.
    if (tenth > 1) throw this.fail('varint longer than 64 bits');
    this.low = first | (bits << 28);
    this.high = (bits >>> 4) | ((ninth & 0x7f) << 24) | (tenth << 31);
    this.pos = pos + (ninth > 0x7f ? 10 : 9);
  }

  /**
   * Reads a varint in 0..2^31-1; returns -1 for any other number, which is then in `low` and
   * `high`.
   */
  index(): number {
    const { bytes, pos } = this;
    const byte = bytes[pos];
    if (byte < 0x80) {
      this.pos = pos + 1;
      return byte;
    }
    const next = bytes[pos + 1];
    if (next < 0x80) {
      this.pos = pos + 2;
      return (byte & 0x7f) | (next << 7);
    }
    return this.longIndex(pos);
  }

  /** Reads a varint of any length at `pos`. */
  longIndex(pos: number): number {
    this.pos = pos;
    this.varint();
    return this.high === 0 && this.low >= 0 ? this.low : -1;
  }

  /**
   * Reads a varint as a signed bigint. Too slow for loops; meant for the few scalars of a profile.
   */
  int64(): bigint {
    this.varint();
    return (BigInt(this.high) << 32n) | BigInt(this.low >>> 0);
  }

  /**
   * Reads the length of a field, and returns the offset after its bytes, which must not exceed
   * `end`.
   */
  endOfBytes(end: number): number {
    const length = this.index();
    const { pos } = this;
    if (length < 0 || length > end - pos) {
      throw this.fail(`length of ${length < 0 ? 'over 2^31' : length} bytes passes the end`);
    }
    return pos + length;
  }

  /** Checks that the last field of a message ends at the end of the message. */
  endMessage(end: number): void {
    if (this.pos !== end) throw this.fail('a field passes the end of its message');
  }

  /**
   * Skips an unknown field, including its tag. Fields 1 .. `knownFields` belong to the message:
   * such a field is unknown only if its wire type is wrong.
   */
  skipUnknown(knownFields: number, end: number): void {
    this.varint();
    const field = this.low >>> 3;
    const wireType = this.low & 7;
    if (this.high !== 0 || field === 0) throw this.fail('invalid field number');
    if (field <= knownFields) throw this.fail(`wrong wire type ${wireType} for field ${field}`);
    this.skip(wireType, field, end);
  }

  /** Skips the content of a field. */
  skip(wireType: number, field: number, end: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.pos += 8;
    else if (wireType === 2) this.pos = this.endOfBytes(end);
    else if (wireType === 5) this.pos += 4;
    else throw this.fail(`unknown wire type ${wireType} of field ${field}`);
  }

  fail(why: string): DecodeError {
    return new DecodeError(this.#what, why, this.pos);
  }
}

/** Joins the low seven bits of four bytes. */
function joinSevens(word: number): number {
  const low = (word & 0x7f) | ((word >>> 1) & 0x3f80);
  return low | ((word >>> 2) & 0x1f_c000) | ((word >>> 3) & 0xfe0_0000);
}

/** Returns the number of bytes up to the lowest high bit in `stops`. */
function bytesUpTo(stops: number): number {
  return (32 - Math.clz32(stops & -stops)) >> 3;
}
