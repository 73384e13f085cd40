// Growing columns of typed arrays: the storage of every table of the dictionary.

/** The element types that tables use. */
export type ColumnArray =
  | Uint8Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array;

/** A copy of `column` with room for at least `rows` elements, doubled; the same one if it has it. */
export function grown<A extends ColumnArray>(column: A, rows: number): A {
  if (rows <= column.length) return column;
  let capacity = Math.max(16, column.length);
  while (capacity < rows) capacity *= 2;
  const bigger = new (column.constructor as new (length: number) => A)(capacity);
  (bigger as Uint8Array).set(column as Uint8Array);
  return bigger;
}
