// The types of Arrow columns in our records. Their values are typed arrays.
import type { Bits } from './bits.ts';

export type IntegerArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/** Byte strings: value i is `data[offsets[i] .. offsets[i + 1])`. */
export interface BinaryValues {
  readonly offsets: Int32Array;
  readonly data: Uint8Array;
}

interface ColumnHead {
  readonly name: string;
  /** 1 for each row that has a value; absent = every row has a value. */
  readonly valid?: Bits | undefined;
  /** True if the schema declares that every row has a value. */
  readonly isRequired?: boolean;
}

export interface BoolColumn extends ColumnHead {
  readonly kind: 'bool';
  readonly values: Bits;
}

/** A column of integers; its Arrow type is as wide as the array's elements. */
export interface IntegerColumn extends ColumnHead {
  readonly kind: 'integer';
  readonly values: IntegerArray;
}

/** Dictionary<integer, Binary or Utf8>; `indices` are rows of `dictionary`. */
export interface DictionaryColumn extends ColumnHead {
  readonly kind: 'dictionary';
  readonly indices: Uint8Array | Uint16Array | Uint32Array | Int32Array;
  readonly dictionary: BinaryValues;
  /** True if the entries have the type Utf8 instead of Binary. */
  readonly isText?: boolean;
}

/** List<integer>: list i is `values[offsets[i] .. offsets[i + 1])`. */
export interface ListColumn extends ColumnHead {
  readonly kind: 'list';
  readonly offsets: Int32Array;
  readonly values: IntegerArray;
}

export type ArrowColumn = BoolColumn | IntegerColumn | DictionaryColumn | ListColumn;

/** Returns the width in bits and the signedness of an array's elements, for Arrow's type Int. */
export function integerType(values: IntegerArray): { bits: number; isSigned: boolean } {
  const isSigned =
    values instanceof Int8Array ||
    values instanceof Int16Array ||
    values instanceof Int32Array ||
    values instanceof BigInt64Array;
  return { bits: values.BYTES_PER_ELEMENT * 8, isSigned };
}
