// Groups rows with equal keys, column by column, without an object for each row.
import type { PprofColumns } from '../pprof/columns.ts';

/**
 * Upper limit for the keys of a column. Each key belongs to a row or to a dictionary entry, and
 * the number of rows and the number of entries are limited.
 */
const keysMax = 2 ** 26;

/** Splits groups by another column. Groups and keys are numbers from 0. */
export class GroupLevel {
  /** For each group, its group before this column was added, and its key in this column. */
  readonly parents: number[] = [];
  readonly keys: number[] = [];
  readonly #known = new Map<number, number>();

  /** Replaces the group of each row with a group for the combination of its group and key. */
  split(groups: Uint32Array, keys: Uint32Array): void {
    let lastPair = -1;
    let last = 0;
    for (let row = 0; row < groups.length; row += 1) {
      const pair = groups[row] * keysMax + keys[row];
      if (pair !== lastPair) {
        lastPair = pair;
        last = this.#known.get(pair) ?? this.#add(pair, groups[row], keys[row]);
      }
      groups[row] = last;
    }
  }

  #add(pair: number, parent: number, key: number): number {
    const group = this.parents.length;
    this.#known.set(pair, group);
    this.parents.push(parent);
    this.keys.push(key);
    return group;
  }
}

/** Returns the key in each column for a group of the last of `levels`. */
export function keysOfGroup(levels: readonly GroupLevel[], group: number): number[] {
  const keys: number[] = [];
  let at = group;
  for (const level of levels.toReversed()) {
    keys.unshift(level.keys[at]);
    at = level.parents[at];
  }
  return keys;
}

/**
 * Assigns numbers to strings. Equal strings get equal numbers, even in different rows; "" gets 0.
 */
export class TextKeys {
  readonly texts: string[] = [''];
  /** The row of each string. */
  readonly rows: number[] = [0];
  readonly #columns: PprofColumns;
  readonly #decoder: TextDecoder;
  readonly #keyOfText = new Map<string, number>([['', 0]]);
  readonly #keyOfRow = new Map<number, number>([[0, 0]]);

  constructor(columns: PprofColumns, encoding: 'utf-8' | 'latin1') {
    this.#columns = columns;
    this.#decoder = new TextDecoder(encoding);
  }

  /** Replaces rows of strings with keys, in the same array. */
  replace(rows: Uint32Array): Uint32Array {
    let lastRow = 0;
    let last = 0;
    for (let i = 0; i < rows.length; i += 1) {
      if (rows[i] !== lastRow) {
        lastRow = rows[i];
        last = this.#keyOfRow.get(lastRow) ?? this.#add(lastRow);
      }
      rows[i] = last;
    }
    return rows;
  }

  #add(row: number): number {
    const { bytes, stringStart, stringEnd } = this.#columns;
    const text = this.#decoder.decode(bytes.subarray(stringStart[row], stringEnd[row]));
    const key = this.#keyOfText.get(text) ?? this.texts.length;
    this.#keyOfRow.set(row, key);
    if (key === this.texts.length) {
      this.#keyOfText.set(text, key);
      this.texts.push(text);
      this.rows.push(row);
    }
    return key;
  }
}

/** Assigns numbers to int64 values. */
export class Int64Keys {
  readonly values: bigint[] = [];
  readonly #known = new Map<bigint, number>();

  of(values: BigInt64Array): Uint32Array {
    const keys = new Uint32Array(values.length);
    let last = -1;
    for (let i = 0; i < values.length; i += 1) {
      if (last === -1 || values[i] !== this.values[last]) {
        last = this.#known.get(values[i]) ?? this.#add(values[i]);
      }
      keys[i] = last;
    }
    return keys;
  }

  #add(value: bigint): number {
    this.#known.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}
