// Converts the server's Arrow answer to plain columns, without creating an object per value.
//
// Format of the record: Parca's FLAMEGRAPH_ARROW with 18 columns, breadth-first, LZ4-compressed.
// Integer columns have the smallest possible width, and are widened here.
import { baseName } from '../../../src/model/file-path.ts';
import type { Column, Table } from '@uwdata/flechette';
import {
  type AnyBatch,
  requireBatch,
  findDictionary,
  dictionaryTexts,
  isNull,
  optionalBatch,
  readRecord,
  readValues,
  widen64,
} from './arrow-cells.ts';
import { inlinedFlag, labelFlag, noString, type ServerRows, type Strings } from './tree.ts';

/** Rows of the answer, and the string tables that they refer to. */
export interface ArrowRows {
  readonly rows: ServerRows;
  readonly names: readonly string[];
  readonly strings: Strings;
}

/**
 * Reads the record of a flame graph; with `isDiff`, of a diff, whose base is computed from the
 * differences.
 *
 * Errors: flechette's error if the bytes are not an Arrow stream; RangeError for a missing column.
 */
export function readArrow(record: Uint8Array, isDiff: boolean): ArrowRows {
  const table = readRecord(record);
  const count = table.numRows;
  const strings = new StringCollector();
  const names = nameColumn(table, count);
  const flags = new Uint8Array(count);
  setFlag(flags, requireBatch(table, 'inlined'), inlinedFlag);
  setFlag(flags, requireBatch(table, 'labels_only'), labelFlag);
  const cumulative = widen64(requireBatch(table, 'cumulative'));
  const rows: ServerRows = {
    count,
    parent: Int32Array.from(readValues(requireBatch(table, 'parent')), Number),
    cumulative,
    base: isDiff ? computeBase(cumulative, widen64(requireBatch(table, 'diff'))) : undefined,
    flat: widen64(requireBatch(table, 'flat')),
    name: names.column,
    flags,
    file: strings.column(optionalBatch(table, 'function_file_name'), count),
    binary: strings.column(optionalBatch(table, 'mapping_file'), count),
    buildId: strings.column(optionalBatch(table, 'mapping_build_id'), count),
    line: widen32(optionalBatch(table, 'location_line'), count),
  };
  return { rows, names: names.texts, strings: strings.finish() };
}

function computeBase(compared: BigInt64Array, difference: BigInt64Array): BigInt64Array {
  return difference.map((value, row) => compared[row] - value);
}

function widen32(batch: AnyBatch | undefined, count: number): Uint32Array {
  const wide = new Uint32Array(count);
  if (batch === undefined) return wide;
  const values = readValues(batch);
  for (let row = 0; row < count; row++) wide[row] = isNull(batch, row) ? 0 : Number(values[row]);
  return wide;
}

function setFlag(flags: Uint8Array, batch: AnyBatch, flag: number): void {
  const bits = batch.values;
  for (let row = 0; row < flags.length; row++) {
    const bit = Number(bits[row >> 3]) & (1 << (row & 7));
    if (bit !== 0 && !isNull(batch, row)) flags[row] |= flag;
  }
}

/** Returns the names of all rows: function or address; "root" for the first row. */
function nameColumn(
  table: Table,
  count: number,
): { readonly column: Uint32Array; readonly texts: readonly string[] } {
  const batch = requireBatch(table, 'function_name');
  const texts = ['root', ...dictionaryTexts(batch)];
  const values = readValues(batch);
  const column = new Uint32Array(count);
  const addresses = new AddressNames(table, texts);
  for (let row = 1; row < count; row++) {
    column[row] = isNull(batch, row) ? addresses.frameName(row) : Number(values[row]) + 1;
  }
  return { column, texts };
}

/** Names of frames without a function: `binary+0x1f20`, or the labels of a label row. */
class AddressNames {
  readonly #texts: string[];
  readonly #known = new Map<string, number>();
  readonly #address: AnyBatch | undefined;
  readonly #binary: AnyBatch | undefined;
  readonly #binaries: readonly string[];
  readonly #labels: readonly { readonly name: string; readonly column: Column<unknown> }[];
  readonly #labelsOnly: Column<unknown> | null;

  constructor(table: Table, texts: string[]) {
    this.#texts = texts;
    this.#address = optionalBatch(table, 'location_address');
    this.#binary = optionalBatch(table, 'mapping_file');
    this.#binaries = this.#binary === undefined ? [] : dictionaryTexts(this.#binary);
    this.#labelsOnly = table.getChild('labels_only');
    this.#labels = table.schema.fields
      .filter(({ name }) => name.startsWith('labels.'))
      .map(({ name }) => ({ name: name.slice('labels.'.length), column: table.getChild(name) }));
  }

  frameName(row: number): number {
    // Frames below a label row contain its labels, too.
    const isLabelRow = this.#labelsOnly === null || this.#labelsOnly.at(row) === true;
    const text = (isLabelRow && this.#labelText(row)) || this.#addressText(row);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  #addressText(row: number): string {
    const binary = this.#binaryText(row);
    const address = this.#address;
    if (address === undefined || isNull(address, row)) return binary || '(unknown)';
    const digits = BigInt(readValues(address)[row]).toString(16);
    return `${binary === '' ? '' : `${binary}+`}0x${digits}`;
  }

  #binaryText(row: number): string {
    if (this.#binary === undefined || isNull(this.#binary, row)) return '';
    return baseName(this.#binaries[Number(readValues(this.#binary)[row])] ?? '');
  }

  #labelText(row: number): string {
    const decoder = new TextDecoder();
    const parts: string[] = [];
    for (const { name, column } of this.#labels) {
      const value = column.at(row);
      if (value instanceof Uint8Array) parts.push(`${name}=${decoder.decode(value)}`);
      else if (typeof value === 'string') parts.push(`${name}=${value}`);
    }
    return parts.join(', ');
  }
}

/** Merges the dictionaries of several columns into one table. */
class StringCollector {
  readonly #parts: Uint8Array[] = [];
  readonly #offsets: number[] = [0];

  column(batch: AnyBatch | undefined, count: number): Uint32Array {
    const column = new Uint32Array(count).fill(noString);
    if (batch === undefined) return column;
    const base = this.#offsets.length - 1;
    for (const part of findDictionary(batch)?.data ?? []) {
      const bytes = part.values;
      if (!(bytes instanceof Uint8Array)) throw new RangeError('a dictionary holds no text');
      for (let i = 0; i < part.length; i++) {
        const text = bytes.subarray(Number(part.offsets[i]), Number(part.offsets[i + 1]));
        this.#parts.push(text);
        this.#offsets.push(this.#offsets[this.#offsets.length - 1] + text.length);
      }
    }
    const values = readValues(batch);
    for (let row = 0; row < count; row++) {
      if (!isNull(batch, row)) column[row] = base + Number(values[row]);
    }
    return column;
  }

  finish(): Strings {
    const offsets = Uint32Array.from(this.#offsets);
    const bytes = new Uint8Array(offsets[offsets.length - 1]);
    this.#parts.forEach((part, i) => bytes.set(part, offsets[i]));
    return { bytes, offsets };
  }
}
