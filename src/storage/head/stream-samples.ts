// The sample labels on the rows of each stream.
import type { StringIndex } from '../../model/rows.ts';
import type { SampleLabelsTable } from '../../model/sample-labels-table.ts';
import { IdLists } from './id-lists.ts';

/** Approximate memory of an entry in a Map of numbers, in bytes. */
const entryBytes = 40;

/**
 * Sample labels by stream. Only streams with labelled rows have an entry.
 *
 * Layout: the list `firstList` of a stream has the SampleLabelsIndex of all its rows (0 for rows
 * without labels). The list after it has the StringIndex of the names of string labels.
 */
export class StreamSamples {
  readonly #firstList = new Map<number, number>();
  readonly #lists = new IdLists();
  readonly #table: SampleLabelsTable;

  constructor(table: SampleLabelsTable) {
    this.#table = table;
  }

  /** Returns true if any row of a stream has labels. */
  has(ref: number): boolean {
    return this.#firstList.has(ref);
  }

  /** Starts to record the labels of a stream. */
  start(ref: number): void {
    this.#firstList.set(ref, this.#lists.create());
    this.#lists.create();
  }

  /** Records the labels of a row. Calls `onName` with each name that is new to the stream. */
  note(ref: number, row: number, onName: (name: StringIndex) => void): void {
    const lists = this.#lists;
    const table = this.#table;
    const list = this.#firstList.get(ref);
    if (list === undefined || !lists.add(list, row)) return;
    for (let i = table.entryStart[row]; i < table.entryStart[row + 1]; i += 1) {
      if (table.text[i] === 0 || !lists.add(list + 1, table.key[i])) continue;
      onName(table.key[i] as StringIndex);
    }
  }

  /** Returns true if samples of a stream have a string label of this name. */
  hasName(ref: number, name: StringIndex): boolean {
    const list = this.#firstList.get(ref);
    return list !== undefined && this.#lists.has(list + 1, name);
  }

  /**
   * Returns the names of the string labels on the samples of a stream. Ownership: a view, valid
   * until the next `note`.
   */
  labelNames(ref: number): Uint32Array {
    const list = this.#firstList.get(ref);
    return list === undefined ? new Uint32Array(0) : this.#lists.view(list + 1);
  }

  /**
   * Returns all label sets on the rows of a stream, ascending. Ownership: a view, valid until the
   * next `note`.
   */
  labelRows(ref: number): Uint32Array {
    const list = this.#firstList.get(ref);
    return list === undefined ? new Uint32Array(0) : this.#lists.view(list);
  }

  get usedBytes(): number {
    return this.#firstList.size * entryBytes + this.#lists.usedBytes;
  }
}
