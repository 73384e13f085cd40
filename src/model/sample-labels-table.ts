// The table of sample labels: each row is a set of pprof labels of samples.
import { assert } from '../base/assert.ts';
import { grownInSteps } from './column.ts';
import { HashIndex, mixHash } from './hash-index.ts';
import type { SampleLabelsIndex, StringIndex } from './rows.ts';

/**
 * Unique sets of sample labels; row 0 is "no labels".
 *
 * Entries of row r are `entryStart[r] .. entryStart[r + 1]` of the entry columns, sorted by the row
 * of the key. A string label has `text` != 0 and number 0; a numeric label has `text` = 0, `number`
 * and `unit`.
 */
export class SampleLabelsTable {
  entryStart = new Uint32Array(64);
  /** StringIndex of the label's name, as it was sent. */
  key = new Int32Array(64);
  /** StringIndex of a string value. */
  text = new Int32Array(64);
  /** Numeric value. */
  number = new BigInt64Array(64);
  /** StringIndex of the unit of a numeric value. */
  unit = new Int32Array(64);
  length = 1;
  readonly #index = new HashIndex(64);
  readonly #seed: number;
  #isAdopted = false;

  /**
   * Creates a table. `seed` is a secret number for the hash function. No stored data depends on it.
   */
  constructor(seed = 0) {
    this.#seed = seed;
  }

  /** Takes over decoded columns. No sets can be interned afterwards. */
  adopt(
    columns: Pick<SampleLabelsTable, 'entryStart' | 'key' | 'text' | 'number' | 'unit'>,
    length: number,
  ): void {
    assert(this.length === 1, 'only an empty table adopts');
    this.entryStart = columns.entryStart;
    this.key = columns.key;
    this.text = columns.text;
    this.number = columns.number;
    this.unit = columns.unit;
    this.length = length;
    this.#isAdopted = true;
  }

  /** Returns the row of a set of entries, which are sorted by key; adds the set if it is new. */
  intern(entries: readonly SampleLabelEntry[]): SampleLabelsIndex {
    if (entries.length === 0) return 0 as SampleLabelsIndex;
    assert(!this.#isAdopted, 'an adopted table is complete');
    const hash = hashEntries(this.#seed, entries);
    const index = this.#index;
    const { slots, hashes, mask } = index.at(hash);
    let slot = hash & mask;
    for (let known = slots[slot]; known !== 0; known = slots[slot]) {
      if (hashes[slot] === hash && this.#equals(known, entries)) {
        return known as SampleLabelsIndex;
      }
      slot = (slot + 1) & mask;
    }
    const row = this.length;
    let at = this.entryStart[row];
    const end = at + entries.length;
    this.key = grownInSteps(this.key, end, at);
    this.text = grownInSteps(this.text, end, at);
    this.number = grownInSteps(this.number, end, at);
    this.unit = grownInSteps(this.unit, end, at);
    for (const entry of entries) {
      this.key[at] = entry.key;
      this.text[at] = entry.text;
      this.number[at] = entry.number;
      this.unit[at] = entry.unit;
      at += 1;
    }
    this.entryStart = grownInSteps(this.entryStart, row + 2, row);
    this.entryStart[row + 1] = at;
    this.length = row + 1;
    index.insert(slot, hash, row);
    return row as SampleLabelsIndex;
  }

  /** Memory in bytes. */
  get usedBytes(): number {
    return 4 * this.length + 20 * this.entryStart[this.length] + this.#index.usedBytes;
  }

  #equals(row: number, entries: readonly SampleLabelEntry[]): boolean {
    const start = this.entryStart[row];
    if (this.entryStart[row + 1] - start !== entries.length) return false;
    return entries.every(
      (entry, i) =>
        this.key[start + i] === entry.key &&
        this.text[start + i] === entry.text &&
        this.number[start + i] === entry.number &&
        this.unit[start + i] === entry.unit,
    );
  }

  /** Returns the string value of the label `key` in a row's set; 0 if the set lacks it. */
  findText(row: SampleLabelsIndex, key: StringIndex): StringIndex {
    for (let i = this.entryStart[row]; i < this.entryStart[row + 1]; i += 1) {
      if (this.key[i] === key) return this.text[i] as StringIndex;
    }
    return 0 as StringIndex;
  }
}

/** One label of a sample. See SampleLabelsTable for the fields that are used. */
export interface SampleLabelEntry {
  readonly key: StringIndex;
  readonly text: StringIndex;
  readonly number: bigint;
  readonly unit: StringIndex;
}

function hashEntries(seed: number, entries: readonly SampleLabelEntry[]): number {
  let hash = seed;
  for (const { key, text, number, unit } of entries) {
    hash = mixHash(mixHash(mixHash(hash, key), text), unit);
    hash = mixHash(mixHash(hash, Number(BigInt.asIntN(32, number))), Number(number >> 32n));
  }
  return hash;
}
