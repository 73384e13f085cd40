// Reads numbers and strings of DWARF one after another.

const decoder = new TextDecoder();
const lowBits = 0x7f;
const moreBit = 0x80;
/** Longest LEB128 number in bytes; no real number is longer. */
const lebBytesMax = 10;

/** Bytes of a section and a position in them. Reading after the end throws RangeError. */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly isLittleEndian: boolean;
  at: number;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, isLittleEndian: boolean, at = 0) {
    this.bytes = bytes;
    this.isLittleEndian = isLittleEndian;
    this.at = at;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  u8(): number {
    const { at } = this;
    if (at >= this.bytes.length) throw pastTheEnd();
    this.at = at + 1;
    return this.bytes[at];
  }

  i8(): number {
    return (this.u8() << 24) >> 24;
  }

  u16(): number {
    const value = this.#view.getUint16(this.at, this.isLittleEndian);
    this.at += 2;
    return value;
  }

  u24(): number {
    const [first, second, third] = [this.u8(), this.u8(), this.u8()];
    return this.isLittleEndian
      ? first | (second << 8) | (third << 16)
      : (first << 16) | (second << 8) | third;
  }

  u32(): number {
    const value = this.#view.getUint32(this.at, this.isLittleEndian);
    this.at += 4;
    return value;
  }

  /**
   * Reads 64 bits as a number. Numbers above 2^53 are rounded, but no real address or offset is so
   * large.
   */
  u64(): number {
    const [first, second] = [this.u32(), this.u32()];
    const [low, high] = this.isLittleEndian ? [first, second] : [second, first];
    return high * 0x1_0000_0000 + low;
  }

  /** Reads 64 bits that are not a number, such as a signature. */
  bits64(): bigint {
    const [first, second] = [this.u32(), this.u32()];
    const [low, high] = this.isLittleEndian ? [first, second] : [second, first];
    return (BigInt(high) << 32n) | BigInt(low);
  }

  uleb(): number {
    const first = this.u8();
    if (first < moreBit) return first;
    let value = first & lowBits;
    let factor = moreBit;
    for (let i = 1; ; i += 1) {
      const byte = this.u8();
      if (i < lebBytesMax) value += (byte & lowBits) * factor;
      factor *= moreBit;
      if (byte < moreBit) return value;
    }
  }

  /** Reads an offset that may be negative, which Go writes as an unsigned 64-bit number. */
  wrapped(): number {
    const start = this.at;
    const value = this.uleb();
    if (value <= Number.MAX_SAFE_INTEGER) return value;
    let exact = 0n;
    for (let at = this.at - 1; at >= start; at -= 1) {
      exact = (exact << 7n) | BigInt(this.bytes[at] & lowBits);
    }
    return Number(BigInt.asIntN(64, exact));
  }

  sleb(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; ; i += 1) {
      const byte = this.u8();
      if (i < lebBytesMax) value += (byte & lowBits) * factor;
      factor *= moreBit;
      if (byte >= moreBit) continue;
      return (byte & 0x40) === 0 || i >= lebBytesMax ? value : value - factor;
    }
  }

  /** Reads an offset of the 32-bit or the 64-bit format. */
  offset(is64: boolean): number {
    return is64 ? this.u64() : this.u32();
  }

  address(size: number): number {
    return size === 8 ? this.u64() : this.number(size);
  }

  /** Reads an unsigned number of 1, 2, 3, 4 or 8 bytes. */
  number(size: number): number {
    if (size === 1) return this.u8();
    if (size === 2) return this.u16();
    if (size === 4) return this.u32();
    if (size === 8) return this.u64();
    if (size === 3) return this.u24();
    throw new RangeError(`a number has ${size} bytes`);
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) throw pastTheEnd();
  }

  /** Reads a string up to its zero byte. Returns only the first `lengthMax` bytes. */
  text(lengthMax: number): string {
    const start = this.at;
    this.skipText();
    return decoder.decode(this.bytes.subarray(start, Math.min(this.at - 1, start + lengthMax)));
  }

  skipText(): void {
    const end = this.bytes.indexOf(0, this.at);
    if (end === -1 || this.at >= this.bytes.length) throw pastTheEnd();
    this.at = end + 1;
  }
}

function pastTheEnd(): RangeError {
  return new RangeError('it goes past the end of a section');
}
