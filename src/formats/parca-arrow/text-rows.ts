// Converts a vector in any encoding to one row of a string table, or one integer, for each value.
import { inputLimits } from '../../base/input-limits.ts';
import {
  type DictionaryVector,
  isValid,
  type ListVector,
  type StructVector,
  type TextVector,
  type Vector,
} from '../arrow/read/vector.ts';
import { overLimit } from '../arrow/read/over-limit.ts';
import type { PprofColumns } from '../pprof/columns.ts';
import { badRecord } from './bad-record.ts';

/** The row that each dictionary entry has in its table. */
export class DictionaryRows {
  readonly #rows = new Map<number, Uint32Array>();
  #entries = 0;

  /** Sets or extends the rows of a dictionary. */
  add(id: number, isDelta: boolean, rows: Uint32Array): void {
    this.#entries += rows.length;
    if (this.#entries > inputLimits.arrowDictionaryEntries) {
      throw overLimit('arrowDictionaryEntries', 'entries of dictionaries', this.#entries);
    }
    const known = isDelta ? this.#rows.get(id) : undefined;
    if (known === undefined) {
      this.#rows.set(id, rows);
      return;
    }
    const all = new Uint32Array(known.length + rows.length);
    all.set(known);
    all.set(rows, known.length);
    this.#rows.set(id, all);
  }

  /** Returns the row of each value; 0 for nulls. `what` names the column. */
  lookUp(vector: DictionaryVector, what: string): Uint32Array {
    const rows = this.#rows.get(vector.id) ?? new Uint32Array(0);
    const { indices, length } = vector;
    const found = new Uint32Array(length);
    for (let i = 0; i < length; i += 1) {
      if (!isValid(vector, i)) continue;
      const index = Number(indices[i]);
      if (!(index >= 0 && index < rows.length)) {
        throw badRecord(`column ${what} refers to entry ${index} of ${rows.length}`);
      }
      found[i] = rows[index];
    }
    return found;
  }
}

/** Returns the row of each string in `columns`; adds strings that are not in a dictionary. */
export function textRows(
  vector: Vector,
  columns: PprofColumns,
  dictionaries: DictionaryRows,
  what: string,
): Uint32Array {
  if (vector.kind === 'text') return addTexts(vector, columns);
  if (vector.kind === 'dictionary') return dictionaries.lookUp(vector, what);
  if (vector.kind === 'runs') {
    const rows = textRows(vector.values, columns, dictionaries, what);
    return expanded(new Uint32Array(vector.length), vector.runEnds, rows);
  }
  throw wrongType(what, 'texts');
}

function addTexts(vector: TextVector, columns: PprofColumns): Uint32Array {
  const { starts, ends, length } = vector;
  const rows = new Uint32Array(length);
  for (let i = 0; i < length; i += 1) {
    if (ends[i] === starts[i] || !isValid(vector, i)) continue;
    const row = columns.stringCount;
    columns.reserveString(row);
    columns.stringStart[row] = starts[i];
    columns.stringEnd[row] = ends[i];
    columns.stringCount = row + 1;
    rows[i] = row;
  }
  return rows;
}

/** Returns integers as int64, in two's complement; 0 for nulls. */
export function int64s(vector: Vector, what: string): BigInt64Array {
  if (vector.kind === 'runs') {
    const values = int64s(vector.values, what);
    return expanded(new BigInt64Array(vector.length), vector.runEnds, values);
  }
  if (vector.kind !== 'int') throw wrongType(what, 'integers');
  const { values, length } = vector;
  const is64 = values instanceof BigInt64Array || values instanceof BigUint64Array;
  const found = is64
    ? new BigInt64Array(values.buffer as ArrayBuffer, values.byteOffset, length)
    : BigInt64Array.from(values.subarray(0, length), BigInt);
  if (vector.valid === undefined) return found;
  return found.map((value, i) => (isValid(vector, i) ? value : 0n));
}

/** Returns 1 for each value that is not null; undefined if there are no nulls. */
export function validity(vector: Vector): Uint8Array | undefined {
  if (vector.kind === 'runs') {
    const valid = validity(vector.values);
    return valid && expanded(new Uint8Array(vector.length), vector.runEnds, valid);
  }
  if (vector.valid === undefined) return undefined;
  return Uint8Array.from({ length: vector.length }, (_, i) => Number(isValid(vector, i)));
}

/** Fills `rows` with the values of their runs. */
function expanded<A extends Uint8Array | Uint32Array | BigInt64Array>(
  rows: A,
  runEnds: Int32Array,
  values: A,
): A {
  let from = 0;
  for (let run = 0; run < runEnds.length; run += 1) {
    (rows as Uint32Array).fill(values[run] as number, from, runEnds[run]);
    from = runEnds[run];
  }
  return rows;
}

/** Returns the vector if it has lists. Errors: as in badRecord. */
export function asList(vector: Vector, what: string): ListVector {
  if (vector.kind === 'list') return vector;
  throw wrongType(what, 'lists');
}

/**
 * Returns the vector if it has structs whose fields are all among `names`. Errors: as in badRecord.
 */
export function asStruct(vector: Vector, what: string, names: ReadonlySet<string>): StructVector {
  if (vector.kind !== 'struct') throw wrongType(what, 'structs');
  for (const name of vector.children.keys()) {
    if (!names.has(name)) throw badRecord(`column ${what} has an unknown field ${shown(name)}`);
  }
  return vector;
}

/** Returns a field of structs. Errors: as in badRecord. */
export function requireField({ children }: StructVector, name: string, what: string): Vector {
  const vector = children.get(name);
  if (vector === undefined) throw badRecord(`column ${what} does not have the field ${name}`);
  return vector;
}

export function wrongType(what: string, wanted: string): Error {
  return badRecord(`column ${what} does not have ${wanted}`);
}

/** Shortens a name for messages. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
