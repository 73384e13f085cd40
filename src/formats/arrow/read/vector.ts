// The values of a field, as views of the memory that a write's buffers are decoded into.

/** Integers of any width. */
export type IntArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

interface VectorHead {
  readonly length: number;
  /** A bit for each value, least significant first; 0 = null. Undefined if there are no nulls. */
  readonly valid: Uint8Array | undefined;
}

/** Values of type Int or Timestamp. */
export interface IntVector extends VectorHead {
  readonly kind: 'int';
  readonly values: IntArray;
}

/** Values of type Bool, a bit for each value. */
export interface BoolVector extends VectorHead {
  readonly kind: 'bool';
  readonly bits: Uint8Array;
}

/** Strings: string i is bytes `starts[i] .. ends[i]` of the memory. A null is an empty string. */
export interface TextVector extends VectorHead {
  readonly kind: 'text';
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Lists: items `starts[i] .. ends[i]`; they may overlap. */
export interface ListVector extends VectorHead {
  readonly kind: 'list';
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly items: Vector;
}

export interface StructVector extends VectorHead {
  readonly kind: 'struct';
  readonly children: ReadonlyMap<string, Vector>;
}

/** Runs of equal values: the run with value i of `values` ends before row `runEnds[i]`. */
export interface RunsVector extends VectorHead {
  readonly kind: 'runs';
  readonly runEnds: Int32Array;
  readonly values: Vector;
}

/** Row numbers of a dictionary. They are not checked against the dictionary's length. */
export interface DictionaryVector extends VectorHead {
  readonly kind: 'dictionary';
  readonly id: number;
  readonly indices: IntArray;
}

export type Vector =
  | IntVector
  | BoolVector
  | TextVector
  | ListVector
  | StructVector
  | RunsVector
  | DictionaryVector;

/** Returns true if a row has a value. In a run-end column, `values` tells which rows have one. */
export function isValid({ valid }: VectorHead, i: number): boolean {
  return valid === undefined || ((valid[i >> 3] >> (i & 7)) & 1) === 1;
}
