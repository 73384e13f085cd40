// Reads the profiles in Arrow streams of agents, of schemas v1 and v2.
//
// Source: https://github.com/parca-dev/parca/tree/main/pkg/normalizer and parca-agent's reporter.
// Labels, types and times come from the rows, as in Parca. Unlike in Parca, several batches are
// joined, unknown columns are refused, and a function without a name gets its system name.
import { crc32 } from '../../base/threads/zlib.ts';
import { inputLimits } from '../../base/input-limits.ts';
import type { Label } from '../../model/labels.ts';
import { reorderSampleTimes } from '../../model/profiles/sample-times.ts';
import { overLimit } from '../arrow/read/over-limit.ts';
import type { Field, Schema } from '../arrow/read/schema.ts';
import { readStreams, type StreamVisitor } from '../arrow/read/stream-reader.ts';
import type { Vector } from '../arrow/read/vector.ts';
import { PprofColumns } from '../pprof/columns.ts';
import { badRecord, missingColumn } from './bad-record.ts';
import { GroupLevel, Int64Keys, keysOfGroup, TextKeys } from './grouping.ts';
import type { RecordColumns, RecordHead, RecordLabel } from './record-columns.ts';
import { decodeRecordTimes, sampleTimesKey } from './record-times.ts';
import { addEmptyStack, addStacks } from './stack-columns.ts';
import { SymbolColumns } from './symbol-columns.ts';
import {
  asList,
  DictionaryRows,
  int64s,
  shown,
  textRows,
  validity,
  wrongType,
} from './text-rows.ts';

/** Key of the version of the columns in the schema metadata. */
export const versionKey = 'parca_write_schema_version';
const labelPrefix = 'labels.';
const numberColumns = ['period', 'duration'];
const textColumns = ['producer', 'sample_type', 'sample_unit', 'period_type', 'period_unit'];
const sampleColumns = [...textColumns, ...numberColumns, 'timestamp', 'value', 'stacktrace_id'];
const locationColumns = new Set(['stacktrace_id', 'is_complete', 'locations']);
/**
 * Labels that differ between the samples of a process. They become sample labels, as in WriteRaw.
 */
const sampleLabelNames = new Set(['cpu', 'thread_id', 'thread_name']);

/**
 * Reads the streams of one write: samples, and for schema v1 also their locations.
 *
 * Ownership: `streams` is borrowed during the call. Errors: AppError 'invalid-argument' that names
 * the column and the mistake, in Parca's words if Parca has an error for it; 'resource-exhausted'
 * above a limit.
 */
export function readRecord(streams: readonly Uint8Array[]): RecordColumns {
  const reader = new RecordReader();
  readStreams(streams, (memory) => reader.begin(memory));
  return reader.finish(hashStreams(streams));
}

/**
 * Like `readRecord`, but returns undefined if the write has more than `plainBytesMax` bytes after
 * decompression. The size is known before anything is decompressed.
 */
export function readRecordUpTo(
  streams: readonly Uint8Array[],
  plainBytesMax: number,
): RecordColumns | undefined {
  const reader = new RecordReader();
  const isRead = readStreams(streams, (memory) => reader.begin(memory), plainBytesMax);
  return isRead ? reader.finish(hashStreams(streams)) : undefined;
}

/**
 * Returns the distinct ids of stacks in a stream of samples of schema v1; undefined if the stream
 * has more than `plainBytesMax` bytes after decompression.
 *
 * Errors: as in readRecord.
 */
export function readStackIds(
  stream: Uint8Array,
  plainBytesMax = Infinity,
): Uint8Array[] | undefined {
  const reader = new RecordReader();
  const isRead = readStreams([stream], (memory) => reader.begin(memory), plainBytesMax);
  return isRead ? reader.stackIds() : undefined;
}

class RecordReader {
  readonly #columns = new PprofColumns();
  #rows: SampleRows | undefined;
  #stacks: StacksById | undefined;
  /** Times of samples by row of the stream, encoded. */
  #times: string | undefined;

  begin(memory: Uint8Array): StreamVisitor {
    const columns = this.#columns;
    if (columns.stringCount === 0) {
      columns.clear(memory);
      // Row 0 is "".
      columns.stringCount = 1;
      addEmptyStack(columns);
    }
    return new RecordVisitor(columns, (schema, dictionaries) => this.#open(schema, dictionaries));
  }

  /** Distinguishes samples, which have values, from locations of schema v1, which are in lists. */
  #open({ fields, metadata }: Schema, dictionaries: DictionaryRows): BatchTaker {
    const symbols = new SymbolColumns(this.#columns, dictionaries);
    const names = fields.map(({ name }) => name);
    const version = metadata.get(versionKey);
    if (version === undefined) throw badRecord('missing schema version in metadata');
    if (version !== 'v1' && version !== 'v2') {
      throw badRecord(`unsupported schema version ${shown(version)}`);
    }
    if (names.includes('value')) {
      if (this.#rows !== undefined) throw badRecord('there are two streams of samples');
      this.#rows = new SampleRows(this.#columns, symbols, fields, version === 'v2');
      this.#times = metadata.get(sampleTimesKey);
      return this.#rows;
    }
    if (!names.includes('locations')) throw badRecord('unrecognized arrow record schema');
    if (version !== 'v1' || this.#stacks !== undefined) {
      throw badRecord('locations are expected once, and of schema v1');
    }
    this.#stacks = new StacksById(this.#columns, symbols, names);
    return this.#stacks;
  }

  stackIds(): Uint8Array[] {
    const rows = this.#rows;
    if (rows === undefined) throw missingColumn('value');
    const { bytes, stringStart, stringEnd } = this.#columns;
    // Key 0 belongs to rows without a stack.
    return rows.idKeys.rows.slice(1).map((row) => {
      return bytes.slice(stringStart[row], stringEnd[row]);
    });
  }

  finish(contentHash: bigint): RecordColumns {
    if (this.#rows === undefined) throw missingColumn('value');
    return this.#rows.finish(this.#stacks, this.#times, contentHash);
  }
}

/** Receives the batches of one stream. */
interface BatchTaker {
  readonly symbols: SymbolColumns;
  batch(columns: ReadonlyMap<string, Vector>, length: number): void;
}

class RecordVisitor implements StreamVisitor {
  readonly #columns: PprofColumns;
  readonly #open: (schema: Schema, dictionaries: DictionaryRows) => BatchTaker;
  readonly #dictionaries = new DictionaryRows();
  #taker: BatchTaker | undefined;
  #names: readonly string[] = [];

  constructor(
    columns: PprofColumns,
    open: (schema: Schema, dictionaries: DictionaryRows) => BatchTaker,
  ) {
    this.#columns = columns;
    this.#open = open;
  }

  schema(schema: Schema): void {
    this.#names = schema.fields.map(({ name }) => name);
    if (new Set(this.#names).size < this.#names.length)
      throw badRecord('two columns have one name');
    this.#taker = this.#open(schema, this.#dictionaries);
  }

  entries({ name }: Field, id: number, isDelta: boolean, entries: Vector): void {
    this.#dictionaries.add(id, isDelta, this.#readEntries(entries, name));
  }

  batch(vectors: readonly Vector[], length: number): void {
    this.#taker?.batch(new Map(vectors.map((vector, i) => [this.#names[i], vector])), length);
  }

  /**
   * Reads the entries of a dictionary, and returns their rows. Entries are strings, functions or
   * locations; only locations have addresses.
   */
  #readEntries(entries: Vector, name: string): Uint32Array {
    const symbols = this.#taker?.symbols;
    if (entries.kind !== 'struct' || symbols === undefined) {
      return textRows(entries, this.#columns, this.#dictionaries, name);
    }
    return entries.children.has('address')
      ? symbols.locations(entries)
      : symbols.functions(entries);
  }
}

/** A label of each row: its name, and the vector of its values. */
interface LabelColumn {
  readonly name: string;
  of(columns: ReadonlyMap<string, Vector>): Vector;
}

/** Rows of samples, which are grouped when they arrive. */
class SampleRows implements BatchTaker {
  readonly symbols: SymbolColumns;
  /** Ids of stacks in schema v1; key 0 belongs to rows without an id. */
  readonly idKeys: TextKeys;
  readonly #columns: PprofColumns;
  readonly #isVersion2: boolean;
  readonly #texts: TextKeys;
  readonly #int64s = new Int64Keys();
  readonly #times = new Int64Keys();
  readonly #labels: readonly LabelColumn[];
  readonly #sampleLabels: readonly LabelColumn[];
  /** Levels that group rows by sample labels. */
  readonly #labelLevels: readonly GroupLevel[];
  /**
   * Levels that group rows by series labels, then by strings, then by the period and the duration.
   */
  readonly #headLevels: readonly GroupLevel[];
  readonly #timeLevel = new GroupLevel();
  readonly #batches: RowBatch[] = [];
  #rowCount = 0;

  constructor(
    columns: PprofColumns,
    symbols: SymbolColumns,
    fields: readonly Field[],
    isVersion2: boolean,
  ) {
    this.#columns = columns;
    this.symbols = symbols;
    this.#isVersion2 = isVersion2;
    this.#texts = new TextKeys(columns, 'utf-8');
    // Ids are arbitrary bytes. In Latin-1, each byte is a character.
    this.idKeys = new TextKeys(columns, 'latin1');
    requireColumns(fields, isVersion2);
    const labels = isVersion2 ? labelsOfStruct(fields) : labelsByPrefix(fields);
    const isOfSample = ({ name }: LabelColumn): boolean => sampleLabelNames.has(name);
    this.#sampleLabels = labels.filter(isOfSample);
    this.#labels = labels.filter((label) => !isOfSample(label));
    this.#labelLevels = this.#sampleLabels.map(() => new GroupLevel());
    const levelCount = this.#labels.length + textColumns.length + numberColumns.length;
    this.#headLevels = Array.from({ length: levelCount }, () => new GroupLevel());
  }

  batch(columns: ReadonlyMap<string, Vector>, length: number): void {
    this.#rowCount += length;
    if (this.#rowCount > inputLimits.arrowRows)
      throw overLimit('arrowRows', 'rows', this.#rowCount);
    const readKeys = (vector: Vector, name: string): Uint32Array =>
      this.#texts.replace(this.symbols.texts(vector, name));
    const labelKeys = (label: LabelColumn): Uint32Array => readKeys(label.of(columns), label.name);
    const labelSet = new Uint32Array(length);
    this.#sampleLabels.forEach((label, i) => {
      this.#labelLevels[i].split(labelSet, labelKeys(label));
    });
    const profile = new Uint32Array(length);
    const levels = this.#headLevels.values();
    const split = (keys: Uint32Array): void => levels.next().value?.split(profile, keys);
    for (const label of this.#labels) split(labelKeys(label));
    for (const name of textColumns) split(readKeys(requireColumn(columns, name), name));
    for (const name of numberColumns) {
      split(this.#int64s.of(int64s(requireColumn(columns, name), name)));
    }
    this.#timeLevel.split(profile, this.#times.of(readValues(columns, 'timestamp')));
    this.#requireFew();
    const values = readValues(columns, 'value');
    this.#batches.push({ length, profile, labelSet, stack: this.#readStacks(columns), values });
  }

  #requireFew(): void {
    const profiles = this.#timeLevel.keys.length;
    if (profiles > inputLimits.arrowProfiles)
      throw overLimit('arrowProfiles', 'profiles', profiles);
    const heads = this.#headLevels.at(-1)?.keys.length ?? 0;
    if (heads > inputLimits.seriesPerRequest) throw overLimit('seriesPerRequest', 'series', heads);
    const sets = this.#labelLevels.at(-1)?.keys.length ?? 0;
    if (sets > inputLimits.arrowProfiles) throw overLimit('arrowProfiles', 'sets of labels', sets);
  }

  /**
   * Reads the rows of stacks. For schema v1, reads the keys of stack ids, which are looked up at
   * the end.
   */
  #readStacks(columns: ReadonlyMap<string, Vector>): Uint32Array {
    const ids = requireColumn(columns, 'stacktrace_id');
    if (!this.#isVersion2) return this.idKeys.replace(this.symbols.texts(ids, 'stacktrace_id'));
    const lists = asList(requireColumn(columns, 'stacktrace'), 'stacktrace');
    const { items } = lists;
    if (items.kind !== 'dictionary') throw wrongType('stacktrace', 'a dictionary of locations');
    return addStacks(lists, this.symbols.locationRows(items), this.#columns);
  }

  finish(
    stacks: StacksById | undefined,
    times: string | undefined,
    contentHash: bigint,
  ): RecordColumns {
    const profileCount = this.#timeLevel.keys.length;
    const stackByRow = this.#isVersion2 ? undefined : this.#stacksById(stacks);
    const rowCount = this.#rowCount;
    const rowStart = new Uint32Array(profileCount + 1);
    for (const { profile } of this.#batches) for (const row of profile) rowStart[row + 1] += 1;
    for (let i = 0; i < profileCount; i += 1) rowStart[i + 1] += rowStart[i];
    const next = rowStart.slice();
    const stack = new Uint32Array(rowCount);
    const labelSet = new Uint32Array(rowCount);
    const values = new BigInt64Array(rowCount);
    // For each sorted row, its row in the stream.
    const source = new Uint32Array(rowCount);
    let first = 0;
    for (const batch of this.#batches) {
      for (let row = 0; row < batch.length; row += 1) {
        const to = next[batch.profile[row]];
        next[batch.profile[row]] = to + 1;
        stack[to] = stackByRow === undefined ? batch.stack[row] : stackByRow[batch.stack[row]];
        // Row 0 of the label sets is the empty set.
        labelSet[to] = this.#labelLevels.length === 0 ? 0 : batch.labelSet[row] + 1;
        values[to] = batch.values[row];
        source[to] = first + row;
      }
      first += batch.length;
    }
    const sampleTimes = times === undefined ? undefined : decodeRecordTimes(times, rowCount);
    return {
      symbols: this.#columns,
      heads: this.#heads(),
      profileCount,
      contentHash,
      headOfProfile: Uint32Array.from(this.#timeLevel.parents),
      timeNanos: BigInt64Array.from(this.#timeLevel.keys, (key) => this.#times.values[key]),
      rowStart,
      rowCount,
      stack,
      values,
      labelSet,
      labelSets: this.#labelSets(),
      sampleTimes: sampleTimes && reorderSampleTimes(sampleTimes, source),
    };
  }

  #heads(): RecordHead[] {
    const levels = this.#headLevels;
    const { texts } = this.#texts;
    return Array.from({ length: levels.at(-1)?.keys.length ?? 0 }, (_, group) => {
      const keys = keysOfGroup(levels, group);
      const labels: Label[] = [];
      for (const [i, { name }] of this.#labels.entries()) {
        if (keys[i] !== 0) labels.push({ name, value: texts[keys[i]] });
      }
      const rest = keys.slice(this.#labels.length);
      const [name, type, unit, periodType, periodUnit] = rest.map((key) => texts[key]);
      return {
        name,
        labels,
        sampleType: { type, unit },
        periodType: { type: periodType, unit: periodUnit },
        period: this.#int64s.values[rest[textColumns.length]],
        durationNanos: this.#int64s.values[rest[textColumns.length + 1]],
      };
    });
  }

  #labelSets(): RecordLabel[][] {
    const levels = this.#labelLevels;
    const sets: RecordLabel[][] = [[]];
    for (let group = 0; group < (levels.at(-1)?.keys.length ?? 0); group += 1) {
      const set: RecordLabel[] = [];
      keysOfGroup(levels, group).forEach((key, i) => {
        if (key !== 0) set.push({ name: this.#sampleLabels[i].name, text: this.#texts.rows[key] });
      });
      sets.push(set);
    }
    return sets;
  }

  /** Returns the stack of each id; row 0 belongs to rows without an id. */
  #stacksById(stacks: StacksById | undefined): Uint32Array {
    const { texts } = this.idKeys;
    return Uint32Array.from(texts, (id) => {
      if (id === '') return 0;
      const row = stacks?.findRow(id);
      if (row === undefined) throw badRecord('missing stacktrace ID');
      return row;
    });
  }
}

interface RowBatch {
  readonly length: number;
  readonly profile: Uint32Array;
  readonly labelSet: Uint32Array;
  readonly stack: Uint32Array;
  readonly values: BigInt64Array;
}

/** The locations of schema v1: stacks by their id. */
class StacksById implements BatchTaker {
  readonly symbols: SymbolColumns;
  readonly #columns: PprofColumns;
  readonly #rows = new Map<string, number>();

  constructor(columns: PprofColumns, symbols: SymbolColumns, names: readonly string[]) {
    this.#columns = columns;
    this.symbols = symbols;
    for (const name of locationColumns) if (!names.includes(name)) throw missingColumn(name);
    for (const name of names) {
      if (!locationColumns.has(name)) throw badRecord(`unknown column ${shown(name)}`);
    }
  }

  batch(columns: ReadonlyMap<string, Vector>): void {
    const keys = new TextKeys(this.#columns, 'latin1');
    const ids = this.symbols.texts(requireColumn(columns, 'stacktrace_id'), 'stacktrace_id');
    const lists = asList(requireColumn(columns, 'locations'), 'locations');
    const locationRows = this.symbols.locationsOfVersion1(lists.items);
    const stacks = addStacks(lists, locationRows, this.#columns);
    keys.replace(ids).forEach((key, i) => this.#rows.set(keys.texts[key], stacks[i]));
  }

  findRow(id: string): number | undefined {
    return this.#rows.get(id);
  }
}

function requireColumns(fields: readonly Field[], isVersion2: boolean): void {
  const names = fields.map(({ name }) => name);
  const wanted = isVersion2 ? [...sampleColumns, 'labels', 'stacktrace'] : sampleColumns;
  for (const name of wanted) if (!names.includes(name)) throw missingColumn(name);
  for (const name of names) {
    if (wanted.includes(name) || name === 'temporality') continue;
    if (isVersion2 || !name.startsWith(labelPrefix)) {
      throw badRecord(`unknown column ${shown(name)}`);
    }
  }
}

function labelsByPrefix(fields: readonly Field[]): LabelColumn[] {
  return fields
    .filter(({ name }) => name.startsWith(labelPrefix))
    .map(({ name }) => ({
      name: name.slice(labelPrefix.length),
      of: (columns) => requireColumn(columns, name),
    }));
}

function labelsOfStruct(fields: readonly Field[]): LabelColumn[] {
  const labels = fields.find(({ name }) => name === 'labels');
  if (labels?.type.kind !== 'struct') throw wrongType('labels', 'structs');
  return labels.children.map(({ name }) => ({
    name,
    of(columns) {
      const vector = requireColumn(columns, 'labels');
      if (vector.kind !== 'struct') throw wrongType('labels', 'structs');
      if (vector.valid !== undefined) throw badRecord('column labels has nulls');
      return requireColumn(vector.children, name);
    },
  }));
}

function requireColumn(columns: ReadonlyMap<string, Vector>, name: string): Vector {
  const vector = columns.get(name);
  if (vector === undefined) throw missingColumn(name);
  return vector;
}

/** Returns numbers, none of which may be null. */
function readValues(columns: ReadonlyMap<string, Vector>, name: string): BigInt64Array {
  const vector = requireColumn(columns, name);
  const row = validity(vector)?.indexOf(0) ?? -1;
  if (row !== -1) throw badRecord(`column ${name} is null in row ${row}`);
  return int64s(vector, name);
}

/** Returns the CRC-32 of all bytes in the low half, the number of bytes in the high half. */
function hashStreams(streams: readonly Uint8Array[]): bigint {
  let sum = 0;
  let length = 0;
  for (const stream of streams) {
    sum = crc32(stream, sum);
    length += stream.length;
  }
  return (BigInt(length) << 32n) | BigInt(sum);
}
