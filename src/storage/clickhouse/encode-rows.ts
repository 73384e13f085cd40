// Encodes rows of the tables, in the column order of schema.ts.
import type { ByteWriter } from '../../base/bytes.ts';
import { floorTo } from '../../base/int64.ts';
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

/** Returns the start of a time's hour; the time itself if int64 begins within that hour. */
export function floorToHour(timeNanos: bigint): bigint {
  const hour = floorTo(timeNanos, hourNanos);
  return BigInt.asIntN(64, hour) === hour ? hour : timeNanos;
}

/** Writes the row of a profile. */
export function writeProfile(
  writer: ByteWriter,
  stream: Stream,
  profile: IncomingProfile,
  hashes: SymbolHashes,
): void {
  const { rowCount, values, stacks, sampleLabels, timeNanos } = profile;
  writer.text(stream.service);
  writer.text(stream.name);
  writer.i64(floorToHour(timeNanos));
  writer.i64(stream.id);
  writer.i64(timeNanos);
  writer.i64(profile.durationNanos);
  writer.i64(profile.period);
  writer.i64(profile.contentHash);
  writer.varint(values.length);
  for (const column of values) writer.i64(sumOfColumn(column, rowCount));
  writer.varint(values.length);
  for (const column of values) writer.u32(countOfColumn(column, rowCount));
  writer.varint(rowCount);
  hashes.writeStacks(writer, stacks, rowCount);
  // Most profiles have no sample labels: an empty array means that no sample has any.
  writer.varint(sampleLabels === undefined ? 0 : rowCount);
  for (let i = 0; i < rowCount && sampleLabels !== undefined; i += 1) {
    writer.raw(hashes.sampleLabels(sampleLabels[i]));
  }
  writer.varint(values.length);
  for (const column of values) {
    writer.varint(rowCount);
    writer.raw(new Uint8Array(column.buffer, column.byteOffset, rowCount * 8));
  }
}

function sumOfColumn(column: BigInt64Array, count: number): bigint {
  // An element of an int64 array overflows like sums of the store do, without a BigInt for each
  // step.
  const sum = new BigInt64Array(1);
  for (let i = 0; i < count; i += 1) sum[0] += column[i];
  return sum[0];
}

function countOfColumn(column: BigInt64Array, count: number): number {
  let nonZero = 0;
  for (let i = 0; i < count; i += 1) if (column[i] !== 0n) nonZero += 1;
  return nonZero;
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
  /** 1 for each row that was written, one array for each table. */
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
