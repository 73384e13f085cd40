// Columns of a top table, for clients such as the page, which read all functions.
import { packBits } from '../../formats/arrow/bits.ts';
import type { ArrowColumn } from '../../formats/arrow/column.ts';
import type { ColumnMemory } from '../../model/column-memory.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { FlatPart } from '../../report/flat-parts.ts';
import type { Top } from '../../report/top.ts';
import { noValue } from '../../report/tree/describe-frames.ts';
import { StringColumns } from './arrow-columns.ts';
import { narrowSigned, narrowWide } from './arrow-records.ts';
import { flatPartsBytesMax } from '../limits.ts';

/**
 * Makes the columns: names and files, the address of frames without a name, and values. A row for
 * several functions with one name has the facts that they have in common, as in a TopNode. Columns
 * without values are left out, which saves a third of a small record. Only a diff has `flat_diff`
 * and `cumulative_diff`. If the functions of a row are in several files or binaries, `flat_parts`
 * has the flat value of each file and binary.
 */
export function topColumns(top: Top, memory: ColumnMemory): ArrowColumn[] {
  const { rowCount, dictionary } = top;
  const { functions, mappings, strings } = dictionary;
  const columns = new StringColumns(strings, memory);
  const text = (name: string, rows: Int32Array): ArrowColumn[] =>
    rows.every((row) => row === noValue) ? [] : [columns.column(name, rows, { isText: true })];
  const pickRows = (rows: Int32Array, column: Int32Array): Int32Array => {
    const facts = memory.take(Int32Array, rowCount);
    for (let i = 0; i < rowCount; i += 1) facts[i] = column[rows[i]] || noValue;
    return facts;
  };
  const names = memory.take(Int32Array, rowCount);
  for (let i = 0; i < rowCount; i += 1) names[i] = top.name[i] || noValue;
  const values = (name: string, of: BigInt64Array): ArrowColumn => {
    return { kind: 'integer', name, values: narrowWide(of, memory), isRequired: true };
  };
  const difference = (name: string, of: BigInt64Array | undefined): ArrowColumn[] => {
    if (of === undefined) return [];
    const narrowed = narrowSigned(of, rowCount, memory);
    return [{ kind: 'integer', name, values: narrowed, isRequired: true }];
  };
  return [
    ...text('function_name', names),
    ...text('function_file_name', pickRows(top.function, functions.fileName)),
    ...text('mapping_file', pickRows(top.mapping, mappings.fileName)),
    ...text('mapping_build_id', pickRows(top.mapping, mappings.buildId)),
    ...addressColumn(top, memory),
    ...partsColumn(top, memory),
    values('cumulative', top.cumulative),
    values('flat', top.flat),
    ...difference('cumulative_diff', top.cumulativeDiff),
    ...difference('flat_diff', top.flatDiff),
  ];
}

/**
 * Makes the column with the parts of flat values. The cell of a row is a string: file, path of the
 * binary and value of each part, separated by NUL, which no path contains. A list of structs would
 * not be smaller. If the limit is exceeded, the rows with the smallest values have no parts.
 */
function partsColumn({ rowCount, dictionary, parts }: Top, memory: ColumnMemory): ArrowColumn[] {
  const indices = memory.take(Uint32Array, rowCount);
  const valid = memory.take(Uint8Array, rowCount);
  const texts: Buffer[] = [];
  let left = flatPartsBytesMax;
  for (const [row, list] of parts ?? []) {
    const text = partsText(dictionary, list, left);
    if (text === undefined) break;
    left -= text.length;
    indices[row] = texts.length;
    valid[row] = 1;
    texts.push(text);
  }
  if (texts.length === 0) return [];
  const offsets = new Int32Array(texts.length + 1);
  texts.forEach(({ length }, i) => (offsets[i + 1] = offsets[i] + length));
  const values = { offsets, data: Buffer.concat(texts) };
  const name = 'flat_parts';
  const isText = true;
  return [
    { kind: 'dictionary', name, indices, valid: packBits(valid), dictionary: values, isText },
  ];
}

/** Returns the string of a row; undefined if it has more than `bytesMax` bytes. */
function partsText(
  { strings, mappings }: Dictionary,
  parts: readonly FlatPart[],
  bytesMax: number,
): Buffer | undefined {
  const cells: string[] = [];
  let length = 0;
  for (const { file, mapping, value } of parts) {
    const names = [file, mappings.fileName[mapping]].map((row) => strings.text(row as StringIndex));
    cells.push(...names.map((name) => name.replaceAll('\0', '')), String(value));
    length += names[0].length + names[1].length;
    if (length > bytesMax) return undefined;
  }
  const text = Buffer.from(cells.join('\0'));
  return text.length > bytesMax ? undefined : text;
}

/**
 * Makes the column with the addresses of rows without a name. A row with a name may have several
 * addresses, so its cell is empty.
 */
function addressColumn(
  { rowCount, dictionary, location, name }: Top,
  memory: ColumnMemory,
): ArrowColumn[] {
  const { addressLow, addressHigh } = dictionary.locations;
  const addresses = memory.take(BigUint64Array, rowCount);
  const words = new Uint32Array(addresses.buffer, addresses.byteOffset, rowCount * 2);
  const valid = memory.take(Uint8Array, rowCount);
  let count = 0;
  for (let i = 0; i < rowCount; i += 1) {
    if (name[i] !== 0 || location[i] === 0) continue;
    valid[i] = 1;
    count += 1;
    words[i * 2] = addressLow[location[i]];
    words[i * 2 + 1] = addressHigh[location[i]];
  }
  if (count === 0) return [];
  return [{ kind: 'integer', name: 'location_address', values: addresses, valid: packBits(valid) }];
}
