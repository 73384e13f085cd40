// The sample labels that the rows of each stream have.
import type { StringIndex } from '../../model/rows.ts';
import type { SampleLabelsTable } from '../../model/sample-labels-table.ts';
import { IdLists } from './id-lists.ts';

/** Approximate memory of an entry of a Map of numbers, in bytes. */
const entryBytes = 40;

/**
 * Layout: `firstList` of a stream with labelled rows has the SampleLabelsIndex of all its rows (0
 * for rows without labels). The next list has the StringIndex of the names of string labels.
 */
export class StreamSamples {
  readonly #firstList = new Map<number, number>();
  readonly #lists = new IdLists();
  readonly #table: SampleLabelsTable;

  constructor(table: SampleLabelsTable) {
    this.#table = table;
  }

  /** Returns true if a row of a stream has labels. */
  has(ref: number): boolean {
    return this.#firstList.has(ref);
  }

  /** Starts to record the labels of a stream. */
  start(ref: number): void {
    this.#firstList.set(ref, this.#lists.create());
    this.#lists.create();
  }

  /** Records a row's labels. `onName` is called with each name that is new to the stream. */
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

  /** Returns the names of string labels of a stream's samples: a view until the next `note`. */
  labelNames(ref: number): Uint32Array {
    const list = this.#firstList.get(ref);
    return list === undefined ? new Uint32Array(0) : this.#lists.view(list + 1);
  }

  /** Returns all labels of a stream's rows, ascending: a view until the next `note`. */
  labelRows(ref: number): Uint32Array {
    const list = this.#firstList.get(ref);
    return list === undefined ? new Uint32Array(0) : this.#lists.view(list);
  }

  get usedBytes(): number {
    return this.#firstList.size * entryBytes + this.#lists.usedBytes;
  }
}
