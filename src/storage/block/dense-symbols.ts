// Symbols of a block that is being written. They are collected from a dictionary while rows are
// added.
import { ByteWriter } from '../../base/bytes.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import { sortRows } from './index/sorting.ts';

/** Number of rows that are encoded between two pauses. This takes about a millisecond. */
const rowsPerPause = 16_384;

/** Writer of a column of a table. Each call writes one element. */
type ColumnWriter = (writer: ByteWriter, row: number) => void;

/**
 * Gives rows of `from` consecutive numbers on first use. Nodes are added root first, so that
 * parents precede children.
 */
export class DenseSymbols {
  readonly #from: Dictionary;
  readonly #strings = new DenseRows();
  readonly #functions = new DenseRows();
  readonly #mappings = new DenseRows();
  /**
   * Locations in the order of first use. `sortLocations` then gives them the numbers that are
   * written.
   */
  readonly #touchedLocations = new DenseRows();
  #locations = new DenseRows();
  readonly #nodes = new DenseRows();
  readonly #stacks = new DenseRows();
  readonly #labelSets = new DenseRows();
  #path = new Uint32Array(64);

  constructor(from: Dictionary) {
    this.#from = from;
  }

  /** Number of stack nodes that have a number. */
  get nodeCount(): number {
    return this.#nodes.length;
  }

  /** Returns the block's number of a stack of the dictionary. */
  stack(row: number): number {
    if (row === 0) return 0;
    const known = this.#stacks.get(row);
    if (known !== 0) return known;
    this.#touchNode(this.#from.stacks.leaf[row]);
    return this.#stacks.add(row);
  }

  /** Returns the block's number of a label set of the dictionary. */
  sampleLabels(row: number): number {
    if (row === 0) return 0;
    const known = this.#labelSets.get(row);
    if (known !== 0) return known;
    const { entryStart, key, text, unit } = this.#from.sampleLabels;
    for (let i = entryStart[row]; i < entryStart[row + 1]; i += 1) {
      this.#strings.touch(key[i]);
      this.#strings.touch(text[i]);
      this.#strings.touch(unit[i]);
    }
    return this.#labelSets.add(row);
  }

  #touchNode(leaf: number): void {
    const { nodeParent, nodeLocation } = this.#from.stacks;
    let count = 0;
    for (let at = leaf; at !== 0 && this.#nodes.get(at) === 0; at = nodeParent[at]) {
      this.#path = grown(this.#path, count + 1);
      this.#path[count] = at;
      count += 1;
    }
    for (let i = count - 1; i >= 0; i -= 1) {
      const node = this.#path[i];
      this.#touchedLocations.touch(nodeLocation[node]);
      this.#nodes.add(node);
    }
  }

  #touchMapping(row: number): void {
    if (row === 0 || this.#mappings.get(row) !== 0) return;
    this.#strings.touch(this.#from.mappings.fileName[row]);
    this.#strings.touch(this.#from.mappings.buildId[row]);
    this.#mappings.add(row);
  }

  #touchFunction(row: number): void {
    if (row === 0 || this.#functions.get(row) !== 0) return;
    const { name, systemName, fileName } = this.#from.functions;
    this.#strings.touch(name[row]);
    this.#strings.touch(systemName[row]);
    this.#strings.touch(fileName[row]);
    this.#functions.add(row);
  }

  /**
   * Yields the tables as bytes, in the order of symbol-tables.ts. `pause` is awaited about every
   * millisecond. Ownership: a table is valid until the next table is requested.
   */
  async *encode(pause: () => Promise<void>): AsyncGenerator<Uint8Array> {
    await this.#sortLocations(pause);
    const writer = new ByteWriter(1 << 16);
    const tables: readonly (readonly [DenseRows, readonly ColumnWriter[]])[] = [
      [this.#strings, this.#stringColumns()],
      [this.#functions, this.#functionColumns()],
      [this.#mappings, this.#mappingColumns()],
      [this.#locations, this.#locationColumns()],
      [this.#nodes, this.#nodeColumns()],
      [this.#stacks, this.#stackColumns()],
      [this.#labelSets, this.#labelSetColumns()],
    ];
    for (const [rows, columns] of tables) {
      writer.length = 0;
      writer.varint(rows.length);
      for (const column of columns) {
        for (let row = 1; row < rows.length; row += 1) {
          column(writer, rows.rows[row]);
          if (row % rowsPerPause === 0) await pause();
        }
      }
      yield writer.bytes.subarray(0, writer.length);
    }
  }

  /**
   * Numbers locations by mapping and address. Callers and callees are mostly in the same binary, so
   * their numbers are close. Numbers functions and mappings in the order in which locations refer
   * to them.
   */
  async #sortLocations(pause: () => Promise<void>): Promise<void> {
    const { mapping, addressLow, addressHigh, lineStart, lineFunction } = this.#from.locations;
    const rows = this.#touchedLocations.rows.slice(1, this.#touchedLocations.length);
    const compare = (a: number, b: number): number =>
      mapping[a] - mapping[b] ||
      addressHigh[a] - addressHigh[b] ||
      addressLow[a] - addressLow[b] ||
      a - b;
    this.#locations = new DenseRows();
    for (const [i, row] of (await sortRows(rows, compare, pause)).entries()) {
      this.#locations.add(row);
      this.#touchMapping(mapping[row]);
      for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) {
        this.#touchFunction(lineFunction[line]);
      }
      if (i % rowsPerPause === 0) await pause();
    }
  }

  #stringColumns(): ColumnWriter[] {
    const { strings } = this.#from;
    return [
      (writer, row) => writer.varint(strings.starts[row + 1] - strings.starts[row]),
      (writer, row) => writer.raw(strings.bytes(row as StringIndex)),
    ];
  }

  #functionColumns(): ColumnWriter[] {
    const { name, systemName, fileName, startLine } = this.#from.functions;
    const dense = (row: number): number => this.#strings.get(row);
    return [
      differences((row) => dense(name[row])),
      (writer, row) => writer.zigzag(dense(systemName[row]) - dense(name[row])),
      differences((row) => dense(fileName[row])),
      differences((row) => startLine[row]),
    ];
  }

  #mappingColumns(): ColumnWriter[] {
    const table = this.#from.mappings;
    return [
      (writer, row) => writer.varint64(table.startLow[row], table.startHigh[row]),
      (writer, row) => writer.varint64(table.limitLow[row], table.limitHigh[row]),
      (writer, row) => writer.varint64(table.offsetLow[row], table.offsetHigh[row]),
      (writer, row) => writer.varint(this.#strings.get(table.fileName[row])),
      (writer, row) => writer.varint(this.#strings.get(table.buildId[row])),
    ];
  }

  #locationColumns(): ColumnWriter[] {
    const table = this.#from.locations;
    const { lineStart, lineFunction, lineNumber, lineColumn } = table;
    const lines =
      (write: (writer: ByteWriter, line: number) => void): ColumnWriter =>
      (writer, row) => {
        for (let line = lineStart[row]; line < lineStart[row + 1]; line += 1) write(writer, line);
      };
    const functionDifference = differences((line) => this.#functions.get(lineFunction[line]));
    const numberDifference = differences((line) => lineNumber[line]);
    return [
      differences((row) => this.#mappings.get(table.mapping[row])),
      differences((row) => table.addressLow[row] | 0),
      (writer, row) => writer.varint(table.addressHigh[row]),
      (writer, row) => writer.u32(this.#linesHash(row)),
      (writer, row) => writer.varint(lineStart[row + 1] - lineStart[row]),
      lines(functionDifference),
      lines(numberDifference),
      lines((writer, line) => writer.zigzag(lineColumn[line])),
    ];
  }

  /** Returns the lines hash of a location with a build id and an address; 0 for others. */
  #linesHash(row: number): number {
    return this.#from.isKnownByAddress(row) ? this.#from.locations.linesHash[row] : 0;
  }

  #nodeColumns(): ColumnWriter[] {
    const { nodeParent, nodeLocation } = this.#from.stacks;
    /** Difference from the caller's location, in zigzag encoding. */
    const step = (row: number): number => {
      const caller = this.#locations.get(nodeLocation[nodeParent[row]]);
      const difference = this.#locations.get(nodeLocation[row]) - caller;
      return (difference << 1) ^ (difference >> 31);
    };
    return [
      (writer, row) => writer.varint(this.#nodes.get(row) - this.#nodes.get(nodeParent[row])),
      // The low bytes are nearly random, but the high bytes are not. So both compress better
      // separately.
      (writer, row) => writer.u8(step(row) & 255),
      (writer, row) => writer.varint(step(row) >>> 8),
    ];
  }

  #stackColumns(): ColumnWriter[] {
    const { leaf } = this.#from.stacks;
    return [differences((row) => this.#nodes.get(leaf[row]))];
  }

  #labelSetColumns(): ColumnWriter[] {
    const { entryStart, key, text, number, unit } = this.#from.sampleLabels;
    return [
      (writer, row) => writer.varint(entryStart[row + 1] - entryStart[row]),
      (writer, row) => {
        for (let i = entryStart[row]; i < entryStart[row + 1]; i += 1) {
          writer.varint(this.#strings.get(key[i]));
          writer.varint(this.#strings.get(text[i]));
          writer.varintBig(number[i]);
          writer.varint(this.#strings.get(unit[i]));
        }
      },
    ];
  }
}

/** Returns a writer of the differences between successive values of a column. */
function differences(value: (row: number) => number): ColumnWriter {
  let before = 0;
  return (writer, row) => {
    const now = value(row);
    writer.zigzag(now - before);
    before = now;
  };
}

/**
 * Gives rows consecutive numbers in the order in which they are first used. Row 0 means "none" in
 * both tables.
 */
class DenseRows {
  /** Source row of each dense row. */
  rows = new Uint32Array(64);
  /** Number of dense rows, including row 0. */
  length = 1;
  #dense = new Uint32Array(64);

  /** Returns the dense row of a source row; 0 if it has none. */
  get(row: number): number {
    return row < this.#dense.length ? this.#dense[row] : 0;
  }

  /** Numbers a row that has no number yet. */
  add(row: number): number {
    const added = this.length;
    this.rows = grown(this.rows, added + 1);
    this.#dense = grown(this.#dense, row + 1);
    this.rows[added] = row;
    this.#dense[row] = added;
    this.length = added + 1;
    return added;
  }

  /** Returns the dense row of a source row; adds it if it is new. */
  touch(row: number): number {
    if (row === 0) return 0;
    const known = this.get(row);
    return known === 0 ? this.add(row) : known;
  }
}
