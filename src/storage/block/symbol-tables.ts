// Decodes the symbols of a block into a dictionary. The dictionary takes over the decoded columns,
// without building hash indexes.
import { ByteReader } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import { ownedCopy, type Owned } from '../../base/owned.ts';
import type { Steps } from '../../base/pacer.ts';
import { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import { readVarints, sumUp, unzigzag } from './bytes/varints.ts';

/** Names of the tables in stored order. Rows refer only to rows of earlier tables. */
const symbolTableNames = [
  'strings',
  'functions',
  'mappings',
  'locations',
  'nodes',
  'stacks',
  'sample labels',
] as const;

/**
 * Creates a dictionary from the bytes of its tables. This takes about 20 ns for each node. Its rows
 * are never looked up by content, so its seed does not matter.
 *
 * Errors: AppError 'data-loss' when a table is not valid.
 */
export function* decodeSymbols(tables: readonly Uint8Array[]): Steps<Dictionary> {
  const dictionary = new Dictionary([0, 0, 0]);
  for (const [number, decode] of decoders.entries()) {
    const bytes = tables[number];
    if (bytes === undefined) throw damage(number, 'it is not there');
    const reader = new ByteReader(bytes);
    const length = reader.varint();
    // Each row takes at least a byte.
    if (length < 1 || length > bytes.length + 1) throw damage(number, `it has ${length} rows`);
    decode(dictionary, new Columns(bytes, reader.at, length, number), length);
    yield;
  }
  return dictionary;
}

/** Returns the approximate memory of a dictionary and its derived trie, in bytes. */
export function dictionaryBytes({ strings, stacks, locations, functions }: Dictionary): number {
  return (
    400_000 +
    strings.arena.length +
    strings.length * 12 +
    stacks.nodeCount * 32 +
    stacks.length * 4 +
    locations.length * 48 +
    functions.length * 16
  );
}

/** Reads the columns of a table in order. */
class Columns {
  readonly #bytes: Uint8Array;
  readonly #length: number;
  readonly #table: number;
  #at: number;

  constructor(bytes: Uint8Array, at: number, length: number, table: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#length = length;
    this.#table = table;
  }

  /** Reads a number for each row except row 0, whose number is 0. */
  numbers(): Int32Array<ArrayBuffer> {
    const column = new Int32Array(this.#length);
    this.#at = readVarints(this.#bytes, this.#at, column.subarray(1));
    return column;
  }

  /** Reads a number for each row, stored as differences. */
  differences(): Int32Array<ArrayBuffer> {
    const column = this.numbers();
    sumUp(column.subarray(1));
    return column;
  }

  /** Reads `count` numbers, starting with row 0. */
  lineNumbers(count: number): Int32Array<ArrayBuffer> {
    const column = new Int32Array(count);
    this.#at = readVarints(this.#bytes, this.#at, column);
    return column;
  }

  /** Reads 32-bit words. */
  words(): Uint32Array<ArrayBuffer> {
    const column = new Uint32Array(this.#length);
    const reader = this.rest();
    for (let row = 1; row < this.#length; row += 1) column[row] = reader.u32();
    this.#at = reader.at;
    return column;
  }

  /**
   * Reads the number of elements of each row. Returns the start of each row, and the end of the
   * last row.
   */
  starts(): Uint32Array<ArrayBuffer> {
    const counts = this.numbers();
    const starts = new Uint32Array(this.#length + 1);
    let end = 0;
    for (let row = 0; row < this.#length; row += 1) {
      starts[row] = end;
      end += counts[row] >>> 0;
    }
    starts[this.#length] = end;
    if (end > this.#bytes.length - this.#at) throw damage(this.#table, 'its elements are missing');
    return starts;
  }

  /** Reads `count` bytes without decoding them. */
  take(count: number): Owned<Uint8Array> {
    const start = this.#at;
    if (count > this.#bytes.length - start) throw damage(this.#table, 'it ends early');
    this.#at += count;
    return ownedCopy(this.#bytes, start, this.#at);
  }

  rest(): ByteReader {
    return new ByteReader(this.#bytes, this.#at);
  }

  /** Returns the column. Errors: AppError 'data-loss' if an element is not below `count`. */
  checked<A extends Int32Array>(column: A, count: number): A {
    for (let i = 0; i < column.length; i += 1) {
      if (column[i] < 0 || column[i] >= count) {
        throw damage(this.#table, `row ${i} refers to row ${column[i]} of ${count}`);
      }
    }
    return column;
  }
}

type Decoder = (dictionary: Dictionary, columns: Columns, length: number) => void;

const decoders: readonly Decoder[] = [
  decodeStrings,
  decodeFunctions,
  decodeMappings,
  decodeLocations,
  decodeNodes,
  decodeStacks,
  decodeLabelSets,
];

function decodeStrings({ strings }: Dictionary, columns: Columns, length: number): void {
  const starts = columns.starts();
  strings.adopt(columns.take(starts[length]), starts, length);
}

function decodeFunctions(dictionary: Dictionary, columns: Columns, length: number): void {
  const strings = dictionary.strings.length;
  const name = columns.checked(columns.differences(), strings);
  const systemName = columns.numbers();
  for (let row = 1; row < length; row += 1) systemName[row] = name[row] + unzigzag(systemName[row]);
  columns.checked(systemName, strings);
  const fileName = columns.checked(columns.differences(), strings);
  const startLine = columns.differences();
  dictionary.functions.adopt({ name, systemName, fileName, startLine }, length);
}

function decodeMappings({ mappings, strings }: Dictionary, columns: Columns, length: number): void {
  const reader = columns.rest();
  const words = Array.from({ length: 3 }, () => {
    const column = new Uint32Array(2 * length);
    for (let row = 1; row < length; row += 1) reader.varint64(column, row * 2);
    return column;
  });
  const texts = Array.from({ length: 2 }, () => {
    const column = new Int32Array(length);
    for (let row = 1; row < length; row += 1) column[row] = reader.varint();
    return columns.checked(column, strings.length);
  });
  const [start, limit, offset] = words;
  const [fileName, buildId] = texts;
  for (let row = 1; row < length; row += 1) {
    const at = row * 2;
    const added = mappings.intern(
      start[at],
      start[at + 1],
      limit[at],
      limit[at + 1],
      offset[at],
      offset[at + 1],
      fileName[row] as StringIndex,
      buildId[row] as StringIndex,
    );
    if (added !== row) throw damage(2, `row ${row} equals row ${added}`);
  }
}

function decodeLocations(dictionary: Dictionary, columns: Columns, length: number): void {
  const mapping = columns.checked(columns.differences(), dictionary.mappings.length);
  const addressLow = new Uint32Array(columns.differences().buffer);
  const addressHigh = new Uint32Array(columns.numbers().buffer);
  const linesHash = new Int32Array(columns.words().buffer);
  const lineStart = columns.starts();
  const lines = lineStart[length];
  const functions = columns.lineNumbers(lines);
  sumUp(functions);
  const lineFunction = columns.checked(functions, dictionary.functions.length);
  const lineNumber = columns.lineNumbers(lines);
  sumUp(lineNumber);
  const lineColumn = columns.lineNumbers(lines);
  for (let line = 0; line < lines; line += 1) lineColumn[line] = unzigzag(lineColumn[line]);
  dictionary.locations.adopt(
    {
      mapping,
      addressLow,
      addressHigh,
      linesHash,
      lineStart,
      lineFunction,
      lineNumber,
      lineColumn,
    },
    length,
  );
}

function decodeNodes(dictionary: Dictionary, columns: Columns, length: number): void {
  const nodeParent = columns.numbers();
  const low = columns.take(length - 1);
  const nodeLocation = columns.numbers();
  for (let row = 1; row < length; row += 1) {
    const parent = row - nodeParent[row];
    if (parent < 0 || parent >= row) throw damage(4, `node ${row} has parent ${parent}`);
    nodeParent[row] = parent;
    const step = (nodeLocation[row] << 8) | low[row - 1];
    nodeLocation[row] = nodeLocation[parent] + unzigzag(step);
  }
  columns.checked(nodeLocation, dictionary.locations.length);
  dictionary.stacks.adoptNodes(nodeParent, nodeLocation);
}

function decodeStacks({ stacks }: Dictionary, columns: Columns): void {
  stacks.adoptStacks(columns.checked(columns.differences(), stacks.nodeCount));
}

function decodeLabelSets(dictionary: Dictionary, columns: Columns, length: number): void {
  const entryStart = columns.starts();
  const count = entryStart[length];
  const key = new Int32Array(count);
  const text = new Int32Array(count);
  const number = new BigInt64Array(count);
  const unit = new Int32Array(count);
  const reader = columns.rest();
  for (let i = 0; i < count; i += 1) {
    key[i] = reader.varint();
    text[i] = reader.varint();
    number[i] = reader.varintBig();
    unit[i] = reader.varint();
  }
  for (const column of [key, text, unit]) columns.checked(column, dictionary.strings.length);
  dictionary.sampleLabels.adopt({ entryStart, key, text, number, unit }, length);
}

function damage(table: number, why: string): AppError {
  return new AppError('data-loss', `cannot read ${symbolTableNames[table]}: ${why}`);
}
