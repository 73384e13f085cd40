// Finds the row of a dictionary by the 16-byte hash of its content.
import { grown } from '../../model/column.ts';
import { HashIndex } from '../../model/hash-index.ts';
import { hashBytes } from './row-bytes.ts';

const wordsPerHash = hashBytes / 4;

/** A list of hashes in an answer. */
export interface HashList {
  readonly bytes: Uint8Array;
  /** Offset of each hash in `bytes`, in bytes. */
  readonly places: ArrayLike<number>;
}

/** Rows of a table, found by hash. The hash of all zeros is row 0, "none". */
export class HashRows {
  readonly #index = new HashIndex();
  /** The words of entries 1, 2, and so on. Entry 0 does not exist: in a slot, 0 means free. */
  #words = new Int32Array(64);
  #rows = new Int32Array(16);
  #length = 1;

  /** Returns the row of the hash at an offset of `bytes`; 0 if it is unknown or all zeros. */
  find(bytes: Uint8Array, at: number): number {
    return this.#rows[this.#find(bytes, at).entry];
  }

  /** Returns true if the hash is in the table or all zeros. */
  has(bytes: Uint8Array, at: number): boolean {
    return this.#find(bytes, at).entry !== 0 || isNone(bytes, at);
  }

  /** Adds a hash that the table does not have. */
  add(bytes: Uint8Array, at: number, row: number): void {
    const { slot } = this.#find(bytes, at);
    const entry = this.#length;
    this.#length += 1;
    this.#rows = grown(this.#rows, this.#length);
    this.#words = grown(this.#words, this.#length * wordsPerHash);
    this.#rows[entry] = row;
    for (let i = 0; i < wordsPerHash; i += 1) {
      this.#words[entry * wordsPerHash + i] = wordAt(bytes, at + 4 * i);
    }
    this.#index.insert(slot, wordAt(bytes, at + 12), entry);
  }

  /** Returns the entry of a hash, 0 if there is none, and the slot where the search ended. */
  #find(bytes: Uint8Array, at: number): { readonly entry: number; readonly slot: number } {
    // The slot comes from the last bytes, because the first bytes are equal for similar content.
    const last = wordAt(bytes, at + 12);
    const { slots, hashes, mask } = this.#index.at(last);
    let slot = last & mask;
    for (let entry = slots[slot]; entry !== 0; entry = slots[slot]) {
      if (hashes[slot] === last && this.#isEqual(entry, bytes, at)) return { entry, slot };
      slot = (slot + 1) & mask;
    }
    return { entry: 0, slot };
  }

  #isEqual(entry: number, bytes: Uint8Array, at: number): boolean {
    const first = entry * wordsPerHash;
    for (let i = 0; i < wordsPerHash; i += 1) {
      if (this.#words[first + i] !== wordAt(bytes, at + 4 * i)) return false;
    }
    return true;
  }
}

/** Returns the hashes of a list that are not in a table, without repetitions. */
export function unknownHashes({ bytes, places }: HashList, known: HashRows): HashList {
  const found = new HashRows();
  const unknown: number[] = [];
  for (let i = 0; i < places.length; i += 1) {
    const at = places[i];
    if (known.has(bytes, at) || found.has(bytes, at)) continue;
    found.add(bytes, at, 1);
    unknown.push(at);
  }
  return { bytes, places: unknown };
}

/** Returns four bytes of a hash as a word. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

/** Returns true if a hash is all zeros, which means "none". */
function isNone(bytes: Uint8Array, at: number): boolean {
  for (let i = at; i < at + hashBytes; i += 1) if (bytes[i] !== 0) return false;
  return true;
}
