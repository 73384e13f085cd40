// Reads columns of the server's Arrow records as plain arrays, without creating an object per
// value.
import { type Batch, type Column, type Table, tableFromIPC } from '@uwdata/flechette';
import { addLz4 } from '../rpc/arrow-lz4.ts';
import { decodeTexts } from './strings.ts';

addLz4();

/** Reads a record. Errors: flechette's error if the bytes are not an Arrow stream. */
export function readRecord(record: Uint8Array): Table {
  return tableFromIPC(record);
}

/** Column of a record, which consists of one batch. */
export type AnyBatch = Batch<unknown>;

/** Returns a column; undefined if it is missing. */
export function optionalBatch(table: Table, name: string): AnyBatch | undefined {
  const found: Column<unknown> | undefined = table.getChild(name) ?? undefined;
  return found?.data[0];
}

/** Returns a column. Errors: RangeError if it is missing. */
export function requireBatch(table: Table, name: string): AnyBatch {
  const batch = optionalBatch(table, name);
  if (batch === undefined) throw new RangeError(`the answer has no column ${name}`);
  return batch;
}

/** Returns the values of a column, or the indices of a dictionary column. */
export function readValues(batch: AnyBatch): ArrayLike<number | bigint> {
  return batch.values;
}

/** Returns true if a row has no value. */
export function isNull(batch: AnyBatch, row: number): boolean {
  return batch.nullCount > 0 && (batch.validity[row >> 3] & (1 << (row & 7))) === 0;
}

/** Converts integers of any width to int64; null becomes 0. */
export function widen64(batch: AnyBatch): BigInt64Array {
  const wide = new BigInt64Array(batch.length);
  const halves = new Uint32Array(wide.buffer);
  const { values } = batch;
  if (values instanceof BigUint64Array || values instanceof BigInt64Array) {
    wide.set(new BigInt64Array(values.buffer, values.byteOffset, batch.length));
  } else {
    for (let row = 0; row < batch.length; row++) {
      const value = values[row];
      halves[2 * row] = value;
      halves[2 * row + 1] = value < 0 ? 0xffffffff : 0;
    }
  }
  if (batch.nullCount > 0) {
    for (let row = 0; row < batch.length; row++) if (isNull(batch, row)) wide[row] = 0n;
  }
  return wide;
}

/** Returns the strings of a dictionary column (Binary or Utf8) by index. */
export function dictionaryTexts(batch: AnyBatch): string[] {
  const dictionary = findDictionary(batch);
  return (dictionary?.data ?? []).flatMap(({ values: bytes, offsets, length }) => {
    if (!(bytes instanceof Uint8Array)) throw new RangeError('a dictionary holds no text');
    return decodeTexts(bytes, offsets, length);
  });
}

/** Returns the dictionary of a batch; flechette's types do not declare it. */
export function findDictionary(batch: AnyBatch): Column<unknown> | undefined {
  return 'dictionary' in batch ? (batch.dictionary as Column<unknown>) : undefined;
}

/** Returns the string of each row in a dictionary column; "" for null. */
export function rowTexts(batch: AnyBatch): string[] {
  const texts = dictionaryTexts(batch);
  const values = readValues(batch);
  return Array.from({ length: batch.length }, (_, row) =>
    isNull(batch, row) ? '' : (texts[Number(values[row])] ?? ''),
  );
}
