// Encodes rows of the tables, in the column order of schema.ts.
import type { ByteWriter } from '../../base/bytes.ts';
import { floorTo } from '../../base/int64.ts';
import type { Steps } from '../../base/pacer.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { labelValue, type LabelSet } from '../../model/labels.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { IncomingProfile } from '../interface.ts';
import { writeBytes, writeInts, writeTexts } from './row-bytes.ts';
import { dayNanos, hourNanos, type TableName } from './schema.ts';
import { streamHash, type SymbolHashes } from './symbol-hashes.ts';

/** Labels that may name a service, the preferred ones first. */
const serviceLabels = ['job', 'service_name', 'app', 'comm'];

/** Profiles of one name, shape and label set. */
export interface Stream {
  readonly id: bigint;
  readonly service: string;
  readonly name: string;
  readonly labels: LabelSet;
  readonly sampleTypes: IncomingProfile['sampleTypes'];
  readonly periodType: IncomingProfile['periodType'];
  readonly delta: boolean;
}

/** Returns the stream of a profile. */
export function toStream(profile: IncomingProfile): Stream {
  const { name, labels, sampleTypes, periodType } = profile;
  const delta = profile.durationNanos !== 0n;
  const types = [...sampleTypes, periodType].flatMap(({ type, unit }) => [type, unit]);
  const id = streamHash([name, delta ? 'delta' : '', ...types], labels);
  const services = serviceLabels.map((label) => labelValue(labels, label));
  const service = services.find((value) => value !== '') ?? '';
  return { id, service, name, labels, sampleTypes, periodType, delta };
}

/** Returns the day that a time belongs to, counted from 1970. */
export function floorToDay(timeNanos: bigint): bigint {
  // Division rounds towards 0, like intDiv in the partition keys.
  return timeNanos / dayNanos;
}

/**
 * Returns the start of the hour that contains a time. If that start is not an int64, returns the
 * time itself.
 */
export function floorToHour(timeNanos: bigint): bigint {
  const hour = floorTo(timeNanos, hourNanos);
  return BigInt.asIntN(64, hour) === hour ? hour : timeNanos;
}

/**
 * Rows of a profile that are written in one step. A step takes a few milliseconds if all stacks are
 * new.
 */
const rowsPerStep = 256;
/** Values that are summed or copied in one step, which takes less than a millisecond. */
const valuesPerStep = 65_536;

/** Returns the approximate size of the row of a profile. */
export function rowBytes({ rowCount, values, sampleLabels }: IncomingProfile): number {
  const bytes = 16 + (sampleLabels === undefined ? 0 : 8) + 8 * values.length;
  return 512 + rowCount * bytes;
}

/** Writes the row of a profile, in steps. */
export function* writeProfile(
  writer: ByteWriter,
  stream: Stream,
  profile: IncomingProfile,
  hashes: SymbolHashes,
): Steps<void> {
  const { rowCount, values, stacks, sampleLabels, timeNanos } = profile;
  const sums: ColumnSums[] = [];
  for (const column of values) sums.push(yield* sumColumn(column, rowCount));
  writer.text(stream.service);
  writer.text(stream.name);
  writer.i64(floorToHour(timeNanos));
  writer.i64(stream.id);
  writer.i64(timeNanos);
  writer.i64(profile.durationNanos);
  writer.i64(profile.period);
  writer.i64(profile.contentHash);
  writer.varint(values.length);
  for (const { total } of sums) writer.i64(total);
  writer.varint(values.length);
  for (const { count } of sums) writer.u32(count);
  writer.varint(rowCount);
  for (const [from, end] of stretches(rowCount, rowsPerStep)) {
    hashes.writeStacks(writer, stacks.subarray(from, end), end - from);
    yield;
  }
  // Most profiles have no sample labels. For these, an empty array is written.
  writer.varint(sampleLabels === undefined ? 0 : rowCount);
  if (sampleLabels !== undefined) {
    for (let i = 0; i < rowCount; i += 1) {
      writer.raw(hashes.sampleLabels(sampleLabels[i]));
      if (i % rowsPerStep === rowsPerStep - 1) yield;
    }
  }
  writer.varint(values.length);
  for (const column of values) {
    writer.varint(rowCount);
    for (const [from, end] of stretches(rowCount, valuesPerStep)) {
      writer.raw(new Uint8Array(column.buffer, column.byteOffset + from * 8, (end - from) * 8));
      yield;
    }
  }
}

/** Yields the bounds of consecutive parts of a list, each with up to `step` elements. */
function* stretches(length: number, step: number): Generator<readonly [from: number, end: number]> {
  for (let from = 0; from < length; from += step) yield [from, Math.min(length, from + step)];
}

/** Sum of a column, and number of its values that are not 0. */
interface ColumnSums {
  readonly total: bigint;
  readonly count: number;
}

function* sumColumn(column: BigInt64Array, length: number): Steps<ColumnSums> {
  // An element of an int64 array overflows like the sums of the store, and adding to it creates no
  // BigInt.
  const sum = new BigInt64Array(1);
  let count = 0;
  for (const [from, end] of stretches(length, valuesPerStep)) {
    if (from > 0) yield;
    for (let i = from; i < end; i += 1) {
      sum[0] += column[i];
      if (column[i] !== 0n) count += 1;
    }
  }
  return { total: sum[0], count };
}

/** Writes the row that records that a stream has profiles on a day. */
export function writeStream(writer: ByteWriter, day: bigint, stream: Stream): void {
  const { sampleTypes, periodType, labels } = stream;
  writer.i64(day);
  writer.text(stream.name);
  writer.text(stream.service);
  writer.i64(stream.id);
  writeTexts(
    writer,
    sampleTypes.map(({ type }) => type),
  );
  writeTexts(
    writer,
    sampleTypes.map(({ unit }) => unit),
  );
  writer.text(periodType.type);
  writer.text(periodType.unit);
  writer.u8(stream.delta ? 1 : 0);
  writeTexts(
    writer,
    labels.map(({ name }) => name),
  );
  writeTexts(
    writer,
    labels.map(({ value }) => value),
  );
}

/** Rows of one table that are written together. */
export type RowsByTable = Readonly<Record<TableName, ByteWriter>>;

/** Writes the symbols that the profiles of a day use, each once. */
export class SymbolRows {
  readonly #dictionary: Dictionary;
  readonly #hashes: SymbolHashes;
  /** 1 for each row that was written. There is one array for each table. */
  #stacks = new Uint8Array(0);
  #locations = new Uint8Array(0);
  #labels = new Uint8Array(0);
  readonly #day: bigint;

  constructor(dictionary: Dictionary, hashes: SymbolHashes, day: bigint) {
    this.#dictionary = dictionary;
    this.#hashes = hashes;
    this.#day = day;
  }

  /** Writes a stack and its locations, unless they are already written. */
  addStack(row: number, rows: RowsByTable): void {
    if (this.#stacks[row] === 1) return;
    this.#stacks = grown(this.#stacks, row + 1);
    this.#stacks[row] = 1;
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const path: number[] = [];
    for (let node = leaf[row]; node !== 0; node = nodeParent[node]) path.push(nodeLocation[node]);
    for (const location of path) this.#addLocation(location, rows.locations);
    const { stacks } = rows;
    stacks.i64(this.#day);
    stacks.raw(this.#hashes.stack(row));
    stacks.varint(path.length);
    for (const location of path) stacks.raw(this.#hashes.location(location));
  }

  /** Writes a set of sample labels, unless it is already written. */
  addSampleLabels(row: number, { sample_labels: writer }: RowsByTable): void {
    if (row === 0 || this.#labels[row] === 1) return;
    this.#labels = grown(this.#labels, row + 1);
    this.#labels[row] = 1;
    const { entryStart, key, text, number, unit } = this.#dictionary.sampleLabels;
    const [start, end] = [entryStart[row], entryStart[row + 1]];
    writer.i64(this.#day);
    writer.raw(this.#hashes.sampleLabels(row));
    this.#writeStrings(writer, key.subarray(start, end));
    this.#writeStrings(writer, text.subarray(start, end));
    writer.varint(end - start);
    for (let i = start; i < end; i += 1) writer.i64(number[i]);
    this.#writeStrings(writer, unit.subarray(start, end));
  }

  #addLocation(row: number, writer: ByteWriter): void {
    if (row === 0 || this.#locations[row] === 1) return;
    this.#locations = grown(this.#locations, row + 1);
    this.#locations[row] = 1;
    const { locations, mappings, functions } = this.#dictionary;
    const mapping = locations.mapping[row];
    const [start, end] = [locations.lineStart[row], locations.lineStart[row + 1]];
    const called = locations.lineFunction.subarray(start, end);
    writer.i64(this.#day);
    writer.raw(this.#hashes.location(row));
    writer.u32(locations.addressLow[row]);
    writer.u32(locations.addressHigh[row]);
    writer.u32(mappings.startLow[mapping]);
    writer.u32(mappings.startHigh[mapping]);
    writer.u32(mappings.limitLow[mapping]);
    writer.u32(mappings.limitHigh[mapping]);
    writer.u32(mappings.offsetLow[mapping]);
    writer.u32(mappings.offsetHigh[mapping]);
    this.#writeString(writer, mappings.fileName[mapping]);
    this.#writeString(writer, mappings.buildId[mapping]);
    writeInts(writer, [...locations.lineNumber.subarray(start, end)]);
    writeInts(writer, [...locations.lineColumn.subarray(start, end)]);
    this.#writeStrings(
      writer,
      called.map((of) => functions.name[of]),
    );
    this.#writeStrings(
      writer,
      called.map((of) => functions.systemName[of]),
    );
    this.#writeStrings(
      writer,
      called.map((of) => functions.fileName[of]),
    );
    writeInts(
      writer,
      Array.from(called, (of) => functions.startLine[of]),
    );
  }

  #writeStrings(writer: ByteWriter, rows: Int32Array): void {
    writer.varint(rows.length);
    for (const row of rows) this.#writeString(writer, row);
  }

  #writeString(writer: ByteWriter, row: number): void {
    writeBytes(writer, this.#dictionary.strings.bytes(row as StringIndex));
  }
}
