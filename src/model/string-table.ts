// The table of strings, as bytes in one arena. Lookups need no JavaScript strings.
import { assert } from '../base/assert.ts';
import { AppError } from '../base/errors.ts';
import type { Owned } from '../base/owned.ts';
import { grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { StringIndex } from './rows.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** Approximate memory in bytes of a JavaScript string, apart from its characters. */
const decodedStringBytes = 32;

/**
 * Unique byte strings (UTF-8 by convention, not checked).
 *
 * Layout: bytes of row r are `arena[starts[r] .. starts[r + 1])`; row 0 is "".
 */
export class StringTable {
  arena = new Uint8Array(1024);
  starts = new Uint32Array(64);
  length = 1;
  readonly #index: HashIndex;
  readonly #keepsHashes: boolean;
  readonly #seed: number;
  readonly #decoded: (string | undefined)[] = [''];
  #decodedBytes = 0;
  /** Number of indexed rows. Rows that were adopted or copied may not be indexed yet. */
  #indexedRows = 1;

  /**
   * Creates a table. `seed` is a secret number for the hash function. If `keepsHashes` is false,
   * lookups are slower, but the table saves 8-16 bytes a string.
   */
  constructor(seed: number, keepsHashes = true) {
    this.#seed = seed;
    this.#keepsHashes = keepsHashes;
    const hashRow = (row: number): number => {
      return this.#hash(this.arena, this.starts[row], this.starts[row + 1]);
    };
    this.#index = new HashIndex(64, keepsHashes ? undefined : hashRow);
  }

  /**
   * Takes over a decoded table: rows 0 .. length, whose bytes in `arena` are delimited by `starts`.
   * The first `intern` or `find` indexes them.
   */
  adopt(arena: Owned<Uint8Array>, starts: Uint32Array<ArrayBuffer>, length: number): void {
    assert(this.length === 1, 'only an empty table adopts');
    this.arena = arena;
    this.starts = starts;
    this.length = length;
  }

  /** Returns the row of `bytes[start..end)`; adds it if it is new. `bytes` is not kept. */
  intern(bytes: Uint8Array, start: number, end: number): StringIndex {
    const length = end - start;
    if (length === 0) return 0 as StringIndex;
    if (this.#indexedRows < this.length) this.#indexRows();
    const hash = this.#hash(bytes, start, end);
    const index = this.#index;
    const keepsHashes = this.#keepsHashes;
    const { slots, hashes, mask } = index.at(hash);
    let slot = hash & mask;
    for (;;) {
      const row = slots[slot];
      if (row === 0) break;
      const mayBe = !keepsHashes || hashes[slot] === hash;
      if (mayBe && this.#equals(row, bytes, start, length)) {
        return row as StringIndex;
      }
      slot = (slot + 1) & mask;
    }
    const row = this.#append(bytes, start, end);
    index.insert(slot, hash, row);
    this.#indexedRows = this.length;
    return row as StringIndex;
  }

  /** Returns the row of `bytes[start..end)`; 0 if it is missing or empty. */
  find(bytes: Uint8Array, start: number, end: number): StringIndex {
    if (this.#indexedRows < this.length) this.#indexRows();
    const hash = this.#hash(bytes, start, end);
    const { slots, hashes, mask } = this.#index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      const mayBe = !this.#keepsHashes || hashes[slot] === hash;
      if (mayBe && this.#equals(row, bytes, start, end - start)) {
        return row as StringIndex;
      }
      slot = (slot + 1) & mask;
    }
    return 0 as StringIndex;
  }

  /** Returns the hash of `bytes[start..end)`, which is the same for all tables with this seed. */
  hashRow(bytes: Uint8Array, start: number, end: number): number {
    return this.#hash(bytes, start, end);
  }

  /** Returns the row of a JavaScript string; adds it if it is new. */
  internText(text: string): StringIndex {
    const bytes = encoder.encode(text);
    return this.intern(bytes, 0, bytes.length);
  }

  /** Returns the row of a JavaScript string; 0 if it is missing or empty. */
  findText(text: string): StringIndex {
    const bytes = encoder.encode(text);
    return this.find(bytes, 0, bytes.length);
  }

  /** Returns the string of a row. Each row is decoded only once. Invalid UTF-8 becomes U+FFFD. */
  text(row: StringIndex): string {
    const known = this.#decoded[row];
    if (known !== undefined) return known;
    const text = decoder.decode(this.bytes(row));
    this.#decoded[row] = text;
    this.#decodedBytes += text.length + decodedStringBytes;
    return text;
  }

  /**
   * Compares rows by their bytes, which is the order of code points. Negative if `a` comes first.
   */
  compare(a: StringIndex, b: StringIndex): number {
    const { arena, starts } = this;
    const from = starts[a];
    const to = starts[b];
    const lengthA = starts[a + 1] - from;
    const lengthB = starts[b + 1] - to;
    const common = Math.min(lengthA, lengthB);
    for (let i = 0; i < common; i += 1) {
      const difference = arena[from + i] - arena[to + i];
      if (difference !== 0) return difference;
    }
    return lengthA - lengthB;
  }

  /** Memory used by the strings, the index and the JavaScript strings, in bytes. */
  get usedBytes(): number {
    return this.starts[this.length] + 4 * this.length + this.#index.usedBytes + this.#decodedBytes;
  }

  /** Returns the bytes of a row: a view, valid until the next `intern`. */
  bytes(row: StringIndex): Uint8Array {
    return this.arena.subarray(this.starts[row], this.starts[row + 1]);
  }

  #append(bytes: Uint8Array, start: number, end: number): number {
    const row = this.length;
    const from = this.starts[row];
    const to = from + (end - start);
    if (to > 0xffff_ffff) {
      throw new AppError('resource-exhausted', 'cannot intern string: symbol text passes 4 GiB');
    }
    this.arena = grownInSteps(this.arena, to, from);
    this.starts = grownInSteps(this.starts, row + 2, row);
    this.arena.set(bytes.subarray(start, end), from);
    this.starts[row + 1] = to;
    this.length = row + 1;
    return row;
  }

  /** Indexes the rows that were adopted or copied. */
  #indexRows(): void {
    const { arena, starts } = this;
    const index = this.#index;
    for (let row = this.#indexedRows; row < this.length; row += 1) {
      const hash = this.#hash(arena, starts[row], starts[row + 1]);
      const { slots, mask } = index.at(hash);
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      index.insert(slot, hash, row);
    }
    this.#indexedRows = this.length;
  }

  #hash(bytes: Uint8Array, start: number, end: number): number {
    // Four bytes are read at a time and joined by shifts, which works at any alignment.
    let h = this.#seed ^ (end - start);
    let i = start;
    for (const last = end - 3; i < last; i += 4) {
      const word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
      h = Math.imul(h ^ word, 0x9e3779b1);
      h ^= h >>> 15;
    }
    let tail = 0;
    for (; i < end; i += 1) tail = (tail << 8) | bytes[i];
    return mixHash(h, tail);
  }

  #equals(row: number, bytes: Uint8Array, start: number, length: number): boolean {
    const from = this.starts[row];
    if (this.starts[row + 1] - from !== length) return false;
    const { arena } = this;
    for (let i = 0; i < length; i += 1) if (arena[from + i] !== bytes[start + i]) return false;
    return true;
  }
}
