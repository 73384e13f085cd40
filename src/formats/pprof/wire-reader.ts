// The protobuf wire format, read by hand: varints as two 32-bit halves, no objects, no BigInt.
// Source: https://protobuf.dev/programming-guides/encoding/
import { DecodeError } from '../decode-error.ts';

/** A cursor over a message. Methods take the end of the innermost message they may not pass. */
export class WireReader {
  bytes: Uint8Array = new Uint8Array(0);
  pos = 0;
  /** Halves of the varint or fixed64 read last, as int32. */
  low = 0;
  high = 0;

  open(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.pos = 0;
  }

  /** Reads a varint into `low` and `high`. */
  varint(end: number): void {
    const { bytes } = this;
    let { pos } = this;
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      if (pos >= end) throw this.fail('truncated varint');
      const byte = bytes[pos];
      pos += 1;
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.low = low;
        this.high = 0;
        this.pos = pos;
        return;
      }
    }
    this.low = low;
    this.longVarint(pos, end);
  }

  /** Bytes 5 to 10 of a varint, whose first 28 bits are in `low`. */
  private longVarint(from: number, end: number): void {
    const { bytes } = this;
    let pos = from;
    if (pos >= end) throw this.fail('truncated varint');
    let byte = bytes[pos];
    pos += 1;
    this.low |= (byte & 0x0f) << 28;
    let high = (byte & 0x7f) >> 4;
    for (let shift = 3; byte >= 0x80; shift += 7) {
      if (pos >= end) throw this.fail('truncated varint');
      byte = bytes[pos];
      pos += 1;
      // The tenth byte has room for one bit.
      if (shift === 31 && byte > 1) throw this.fail('varint longer than 64 bits');
      high |= (byte & 0x7f) << shift;
    }
    this.high = high;
    this.pos = pos;
  }

  /** A varint in 0..2^31-1, or -1 for any other. */
  index(end: number): number {
    const { pos } = this;
    if (pos < end) {
      const byte = this.bytes[pos];
      if (byte < 0x80) {
        this.pos = pos + 1;
        return byte;
      }
    }
    this.varint(end);
    return this.high === 0 && this.low >= 0 ? this.low : -1;
  }

  /** A varint that is an int64 within int32; 0 for any other. */
  int32(end: number): number {
    this.varint(end);
    return this.high === this.low >> 31 ? this.low : 0;
  }

  /** A varint as a signed bigint: for the few scalars of a profile, not for loops. */
  int64(end: number): bigint {
    this.varint(end);
    return (BigInt(this.high) << 32n) | BigInt(this.low >>> 0);
  }

  /** The tag of the next field: number * 8 + wire type. */
  tag(end: number): number {
    const { pos } = this;
    if (pos < end) {
      const byte = this.bytes[pos];
      if (byte < 0x80 && byte > 7) {
        this.pos = pos + 1;
        return byte;
      }
    }
    this.varint(end);
    if (this.high !== 0 || this.low >>> 3 === 0) throw this.fail('invalid field number');
    return this.low >>> 0;
  }

  /** Reads a length and returns where that many bytes end. */
  endOfBytes(end: number): number {
    const length = this.index(end);
    const { pos } = this;
    if (length < 0 || length > end - pos) {
      throw this.fail(`length of ${length < 0 ? 'more than 2^31' : length} bytes passes the end`);
    }
    return pos + length;
  }

  /**
   * Skips a field that the caller's message does not have. Its fields are 1..`knownFields`: one of
   * them ending up here has a wire type that is not its own.
   */
  skipUnknown(tag: number, knownFields: number, end: number): void {
    const number = tag >>> 3;
    if (number <= knownFields) {
      throw this.fail(`wrong wire type ${tag & 7} for field ${number}`);
    }
    this.skip(tag, end);
  }

  /** Skips a field by its wire type. */
  skip(tag: number, end: number): void {
    switch (tag & 7) {
      case 0:
        this.varint(end);
        return;
      case 1:
        this.skipBytes(8, end);
        return;
      case 2:
        this.pos = this.endOfBytes(end);
        return;
      case 5:
        this.skipBytes(4, end);
        return;
      default:
        throw this.fail(`unknown wire type ${tag & 7} of field ${tag >>> 3}`);
    }
  }

  fail(why: string): DecodeError {
    return new DecodeError('failed to parse profile', why, this.pos);
  }

  private skipBytes(count: number, end: number): void {
    if (count > end - this.pos) throw this.fail('truncated field');
    this.pos += count;
  }
}
