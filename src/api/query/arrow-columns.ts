// Converts columns of reports to columns of Arrow records.
import { type Bits, packBits } from '../../formats/arrow/bits.ts';
import type { BinaryValues, DictionaryColumn } from '../../formats/arrow/column.ts';
import { type ColumnKind, type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import { grown } from '../../model/column.ts';
import type { StringTable } from '../../model/string-table.ts';
import { type FrameColumns, noValue } from '../../report/tree/describe-frames.ts';

/**
 * Allocates an array of the narrowest unsigned type that can hold `largest`. As in Parca, the
 * largest value of each type is not used.
 */
export function unsignedArray(
  length: number,
  largest: number,
  memory: ColumnMemory,
): Uint8Array | Uint16Array | Uint32Array {
  if (largest < 0xff) return memory.take(Uint8Array, length);
  return memory.take<Uint16Array | Uint32Array>(
    largest < 0xffff ? Uint16Array : Uint32Array,
    length,
  );
}

/** Returns 1 for each cell that has a value, and 0 for `noValue`. */
export function presence(values: Int32Array, memory: ColumnMemory = ownMemory): Uint8Array {
  const valid = memory.take(Uint8Array, values.length);
  for (let i = 0; i < values.length; i += 1) valid[i] = values[i] === noValue ? 0 : 1;
  return valid;
}

/**
 * Returns 64-bit addresses, which are 0 where unknown. `frame` has the number of each row's frame;
 * if undefined, the rows are the frames.
 */
export function addressColumn(
  { addressLow, addressHigh }: FrameColumns,
  frame: Int32Array | undefined,
  memory: ColumnMemory = ownMemory,
): BigUint64Array {
  const rowCount = frame?.length ?? addressLow.length;
  const addresses = memory.take(BigUint64Array, rowCount);
  const words = new Uint32Array(addresses.buffer, addresses.byteOffset, rowCount * 2);
  for (let i = 0; i < rowCount; i += 1) {
    const at = frame === undefined ? i : frame[i];
    words[i * 2] = addressLow[at];
    words[i * 2 + 1] = addressHigh[at];
  }
  return addresses;
}

/** Cells of a column, indexed by frame number; flags are bytes. */
type FrameCells = Uint8Array | Uint16Array | Uint32Array;

/** Copies values of frames to the rows of a graph, of which several may show the same frame. */
export class FrameSpreader {
  readonly #frame: Int32Array;
  readonly #memory: ColumnMemory;
  readonly #known: { readonly flags: Uint8Array; readonly bits: Bits }[] = [];

  /** `frame`: number of the frame of each row. Cells are valid as long as `memory`. */
  constructor(frame: Int32Array, memory: ColumnMemory) {
    this.#frame = frame;
    this.#memory = memory;
  }

  /** Returns the cell of each row. */
  cells<A extends FrameCells>(values: A): A {
    const frame = this.#frame;
    const spread = this.#memory.take(values.constructor as ColumnKind<A>, frame.length);
    for (let i = 0; i < frame.length; i += 1) spread[i] = values[frame[i]];
    return spread;
  }

  /**
   * Returns the flag of each row. In most programs, several columns have equal flags; these are
   * packed and compressed once. `flags` must stay valid as long as this object.
   */
  bits(flags: Uint8Array): Bits {
    const known = this.#known.find((one) => Buffer.compare(one.flags, flags) === 0);
    if (known !== undefined) return known.bits;
    const bits = packBits(flags, this.#frame);
    this.#known.push({ flags, bits });
    return bits;
  }
}

export interface StringColumnOptions {
  /** True if the type is Utf8 instead of Binary. */
  readonly isText?: boolean;
  /** Minimum width of the indices, in bytes. */
  readonly indexBytesMin?: 1 | 2 | 4;
}

/** Smallest number for which `unsignedArray` chooses a type of the given width in bytes. */
const largestBelow = { 1: 0, 2: 0xff, 4: 0xffff };

/** Arrays of zeros, reused between records: one zero for each string of the table. */
const indexes = new WeakMap<StringTable, Int32Array>();

/** Cells of a dictionary column, without its name; validity flags are bytes. */
export interface StringCells {
  readonly indices: Uint8Array | Uint16Array | Uint32Array;
  readonly valid: Uint8Array;
  readonly dictionary: BinaryValues;
}

/** Makes dictionary columns; each dictionary has only the strings of its rows. */
export class StringColumns {
  readonly #strings: StringTable;
  /** Index in the current column's dictionary plus 1, by StringIndex. */
  readonly #indexes: Int32Array;
  readonly #memory: ColumnMemory;

  /** Columns are valid as long as `memory`. */
  constructor(strings: StringTable, memory: ColumnMemory = ownMemory) {
    this.#strings = strings;
    this.#memory = memory;
    this.#indexes = grown(indexes.get(strings) ?? new Int32Array(0), strings.length);
    indexes.set(strings, this.#indexes);
  }

  /**
   * Makes a column from values that are a StringIndex or `noValue`; default: Binary with the
   * narrowest indices.
   */
  column(
    name: string,
    rows: Int32Array,
    { isText = false, indexBytesMin = 1 }: StringColumnOptions = {},
  ): DictionaryColumn {
    const { indices, valid, dictionary } = this.cells(rows, indexBytesMin);
    return { kind: 'dictionary', name, indices, valid: packBits(valid), dictionary, isText };
  }

  /** Makes the cells of a column from values that are a StringIndex or `noValue`. */
  cells(rows: Int32Array, indexBytesMin: 1 | 2 | 4 = 1): StringCells {
    const memory = this.#memory;
    const indexByRow = this.#indexes;
    // `used` has the strings of the dictionary; `wide` has each row's index into `used`.
    const used = memory.take(Int32Array, rows.length);
    const wide = memory.take(Uint32Array, rows.length);
    const valid = memory.take(Uint8Array, rows.length);
    let count = 0;
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i];
      wide[i] = 0;
      if (row === noValue) continue;
      if (indexByRow[row] === 0) {
        used[count] = row;
        count += 1;
        indexByRow[row] = count;
      }
      wide[i] = indexByRow[row] - 1;
      valid[i] = 1;
    }
    for (let i = 0; i < count; i += 1) indexByRow[used[i]] = 0;
    const largest = Math.max(count, largestBelow[indexBytesMin]);
    const indices = unsignedArray(rows.length, largest, memory);
    for (let i = 0; i < rows.length; i += 1) indices[i] = wide[i];
    const dictionary = this.#readValues(used.subarray(0, count));
    return { indices, valid, dictionary };
  }

  #readValues(rows: Int32Array): BinaryValues {
    const { arena, starts } = this.#strings;
    const offsets = this.#memory.take(Int32Array, rows.length + 1);
    for (let i = 0; i < rows.length; i += 1) {
      offsets[i + 1] = offsets[i] + starts[rows[i] + 1] - starts[rows[i]];
    }
    const data = this.#memory.take(Uint8Array, offsets[rows.length]);
    let at = 0;
    for (let i = 0; i < rows.length; i += 1) {
      // Names are short, so a loop is faster than a view and a call for each name.
      const end = starts[rows[i] + 1];
      for (let from = starts[rows[i]]; from < end; from += 1, at += 1) data[at] = arena[from];
    }
    return { offsets, data };
  }
}
