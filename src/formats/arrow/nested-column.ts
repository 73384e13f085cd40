// Nested columns for records of profiles. Each has a type, buffers and children.
import type { FieldType } from './read/schema.ts';

/** A field with its values. */
export interface NestedColumn {
  readonly name: string;
  readonly type: FieldType | { readonly kind: 'utf8' };
  readonly length: number;
  /** 1 for each row that has a value; absent = every row has a value. */
  readonly valid?: Uint8Array | undefined;
  readonly isNullable?: boolean;
  /** Buffers in Arrow's order, without the buffer of `valid`. */
  readonly buffers: readonly ArrayBufferView[];
  readonly children?: readonly NestedColumn[];
  /** Entries of the dictionary, if the column's values (Uint32) are row numbers of a dictionary. */
  readonly dictionary?: NestedColumn;
  /** Name of an extension type. */
  readonly extension?: string;
}

type Values = Int32Array | Uint32Array | BigInt64Array | BigUint64Array;

/** Makes a column of integers, or of times if `isTime`. */
export function integers(name: string, values: Values, isTime = false): NestedColumn {
  const isSigned = values instanceof Int32Array || values instanceof BigInt64Array;
  const type = isTime
    ? ({ kind: 'timestamp' } as const)
    : ({ kind: 'int', bits: values.BYTES_PER_ELEMENT * 8, isSigned } as const);
  return { name, type, length: values.length, buffers: [values] };
}

/** Makes a column of byte strings, or of strings if `isText`. */
export function strings(
  name: string,
  values: readonly Uint8Array[],
  isText: boolean,
): NestedColumn {
  const offsets = new Int32Array(values.length + 1);
  values.forEach((value, i) => (offsets[i + 1] = offsets[i] + value.length));
  const type = { kind: isText ? 'utf8' : 'text' } as const;
  return { name, type, length: values.length, buffers: [offsets, Buffer.concat(values)] };
}

/** Makes a column of runs of equal values: the run with value i ends before row `runEnds[i]`. */
export function runs(runEnds: Int32Array, values: NestedColumn): NestedColumn {
  const { name } = values;
  const children = [integers('run_ends', runEnds), { ...values, name: 'values', isNullable: true }];
  const length = runEnds.at(-1) ?? 0;
  return { name, type: { kind: 'runs' }, length, buffers: [], children };
}

/** Makes a column whose values are row numbers of a dictionary. */
export function dictionaryRows(
  name: string,
  rows: Uint32Array,
  entries: NestedColumn,
  valid?: Uint8Array,
): NestedColumn {
  const { type, children } = entries;
  const common = { name, type, valid, isNullable: true, dictionary: entries };
  return { ...common, length: rows.length, buffers: [rows], children: children ?? [] };
}

/** Makes a column of structs from columns that all have `length` values. */
export function structs(
  name: string,
  length: number,
  children: readonly NestedColumn[],
): NestedColumn {
  return { name, type: { kind: 'struct' }, length, buffers: [], children };
}

/**
 * Makes a column of lists with items `starts[i] .. starts[i] + sizes[i]`. Lists may share items.
 */
export function listViews(
  name: string,
  starts: Int32Array,
  sizes: Int32Array,
  items: NestedColumn,
  valid?: Uint8Array,
): NestedColumn {
  const common = { name, type: { kind: 'list-view' }, valid, isNullable: true } as const;
  return { ...common, length: starts.length, buffers: [starts, sizes], children: [items] };
}

/** Makes a column of string views. A view contains a short string or refers to a long string. */
export function textViews(name: string, values: readonly Uint8Array[]): NestedColumn {
  const views = new DataView(new ArrayBuffer(values.length * 16));
  const long: Uint8Array[] = [];
  let end = 0;
  values.forEach((value, i) => {
    const at = i * 16;
    views.setInt32(at, value.length, true);
    const isLong = value.length > 12;
    // The view of a long string repeats the first 4 bytes of the string.
    const inView = isLong ? 4 : value.length;
    for (let j = 0; j < inView; j += 1) views.setUint8(at + 4 + j, value[j]);
    if (!isLong) return;
    views.setInt32(at + 12, end, true);
    long.push(value);
    end += value.length;
  });
  const buffers = long.length === 0 ? [views] : [views, Buffer.concat(long)];
  return { name, type: { kind: 'text-view' }, length: values.length, isNullable: true, buffers };
}
