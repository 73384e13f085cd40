// Encodes profiles of many label sets as one Arrow stream of schema v2, like Parca's agent.
//
// Source: parca-agent's reporter, and the column types that Parca's server requires.
import type { Label } from '../../model/labels.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { encodeNestedStream } from '../arrow/ipc-stream.ts';
import type { FrameCompressor } from '../arrow/lz4-frame.ts';
import {
  dictionaryRows,
  integers,
  listViews,
  type NestedColumn,
  runs,
  strings,
  structs,
  textViews,
} from '../arrow/nested-column.ts';
import { versionKey } from './record-reader.ts';
import { encodeRecordTimes, sampleTimesKey } from './record-times.ts';

/** A call in a frame whose function is known. An inlined call comes before its caller. */
export interface RecordLine {
  readonly systemName: string;
  readonly fileName: string;
  readonly startLine: number;
  readonly line: number;
  readonly column: number;
}

export interface RecordFrame {
  /** Path of the binary; "" = none. */
  readonly mappingFile: string;
  readonly buildId: string;
  readonly address: bigint;
  /** Calls in the frame; empty if the server must find their names. */
  readonly lines: readonly RecordLine[];
}

export interface RecordSample {
  /** Labels of the series and of the sample. */
  readonly labels: readonly Label[];
  /** Frames of the stack, leaf first. */
  readonly frames: readonly RecordFrame[];
  readonly value: bigint;
  /**
   * Times of the samples, in nanoseconds since 1970. Each sample has an equal share of the value.
   */
  readonly timesNanos?: readonly bigint[] | undefined;
}

/** Samples that share one time. */
export interface RecordProfile {
  readonly name: string;
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly samples: Iterable<RecordSample>;
}

const encoder = new TextEncoder();

/** Encodes one stream. Equal profiles give equal bytes. */
export function encodeRecord(
  profiles: readonly RecordProfile[],
  compress: FrameCompressor | undefined,
): Uint8Array {
  const rows = new RecordRows();
  for (const profile of profiles) rows.add(profile);
  const metadata: [string, string][] = [[versionKey, 'v2']];
  const times = rows.sampleTimes();
  if (times !== undefined) metadata.push([sampleTimesKey, times]);
  return encodeNestedStream(rows.columns(), rows.count, metadata, compress);
}

/** Returns the columns of the stream that `encodeRecord` writes. */
export function recordColumns(profiles: readonly RecordProfile[]): NestedColumn[] {
  const rows = new RecordRows();
  for (const profile of profiles) rows.add(profile);
  return rows.columns();
}

class RecordRows {
  readonly #labels = new Map<string, TextRuns>();
  readonly #locations = new LocationRows();
  /** Rows of the locations of all stacks, concatenated. */
  readonly #frames: number[] = [];
  readonly #stacks = new Map<string, { readonly start: number; readonly number: number }>();
  readonly #stackStarts: number[] = [];
  readonly #stackSizes: number[] = [];
  readonly #stackNumbers: number[] = [];
  readonly #values: bigint[] = [];
  readonly #times: bigint[] = [];
  readonly #sampleTimes: (readonly bigint[] | undefined)[] = [];
  readonly #heads: { readonly profile: RecordProfile; readonly end: number }[] = [];

  get count(): number {
    return this.#values.length;
  }

  add(profile: RecordProfile): void {
    for (const { labels, frames, value, timesNanos } of profile.samples) {
      this.#addStack(frames);
      for (const { name, value: text } of labels) {
        const column = this.#labels.get(name) ?? new TextRuns();
        this.#labels.set(name, column);
        column.add(text, this.count);
      }
      this.#values.push(value);
      this.#times.push(profile.timeNanos);
      this.#sampleTimes.push(timesNanos);
    }
    const end = this.count;
    if (end > (this.#heads.at(-1)?.end ?? 0)) this.#heads.push({ profile, end });
  }

  #addStack(frames: readonly RecordFrame[]): void {
    const locations = frames.map((frame) => this.#locations.intern(frame));
    const key = locations.join(' ');
    let stack = this.#stacks.get(key);
    if (stack === undefined) {
      stack = { start: this.#frames.length, number: this.#stacks.size };
      this.#stacks.set(key, stack);
      for (const location of locations) this.#frames.push(location);
    }
    this.#stackStarts.push(stack.start);
    this.#stackSizes.push(locations.length);
    this.#stackNumbers.push(stack.number);
  }

  sampleTimes(): string | undefined {
    return encodeRecordTimes(this.#sampleTimes, this.#values);
  }

  columns(): NestedColumn[] {
    const { count } = this;
    const names = [...this.#labels.keys()].sort();
    const labels = names.map((name) => this.#labels.get(name)?.column(name, count) ?? []);
    const items = dictionaryRows('item', Uint32Array.from(this.#frames), this.#locations.column());
    const text = (name: string, of: (profile: RecordProfile) => string): NestedColumn =>
      this.#perProfile(name, (profiles) => {
        const values = profiles.map((profile) => encoder.encode(of(profile)));
        return strings(name, values, true);
      });
    const int = (name: string, of: (profile: RecordProfile) => bigint): NestedColumn =>
      this.#perProfile(name, (profiles) => integers(name, BigInt64Array.from(profiles, of)));
    return [
      structs('labels', count, labels.flat()),
      listViews(
        'stacktrace',
        Int32Array.from(this.#stackStarts),
        Int32Array.from(this.#stackSizes),
        { ...items, isNullable: true },
      ),
      this.#stackIds(),
      integers('value', BigInt64Array.from(this.#values)),
      text('producer', ({ name }) => name),
      text('sample_type', ({ sampleType }) => sampleType.type),
      text('sample_unit', ({ sampleType }) => sampleType.unit),
      text('period_type', ({ periodType }) => periodType.type),
      text('period_unit', ({ periodType }) => periodType.unit),
      text('temporality', ({ durationNanos }) => (durationNanos === 0n ? '' : 'delta')),
      int('period', ({ period }) => period),
      this.#perProfile('duration', (profiles) => {
        const values = BigUint64Array.from(profiles, ({ durationNanos }) => durationNanos);
        return integers('duration', values);
      }),
      integers('timestamp', BigInt64Array.from(this.#times), true),
    ];
  }

  /** Makes a column with one run for each profile. */
  #perProfile(
    name: string,
    values: (profiles: readonly RecordProfile[]) => NestedColumn,
  ): NestedColumn {
    const ends = Int32Array.from(this.#heads, ({ end }) => end);
    return runs(ends, { ...values(this.#heads.map(({ profile }) => profile)), name });
  }

  /**
   * Makes the column of stack ids. Servers require the column but read the stacks themselves, so
   * any ids will do as long as equal stacks have equal ids.
   */
  #stackIds(): NestedColumn {
    const ids = new Uint32Array(this.count * 4);
    this.#stackNumbers.forEach((number, i) => (ids[i * 4] = number + 1));
    const type = { kind: 'fixed', width: 16 } as const;
    const common = { name: 'stacktrace_id', type, extension: 'arrow.uuid' };
    return { ...common, length: this.count, buffers: [ids] };
  }
}

/** Distinct strings, each with a number. */
class TextRows {
  readonly #rows = new Map<string, number>();

  intern(text: string): number {
    const row = this.#rows.get(text) ?? this.#rows.size;
    this.#rows.set(text, row);
    return row;
  }

  column(name: string, rows: readonly number[], valid?: Uint8Array): NestedColumn {
    const texts = Array.from(this.#rows.keys(), (text) => encoder.encode(text));
    return dictionaryRows(name, Uint32Array.from(rows), strings(name, texts, true), valid);
  }
}

/** The strings of a label; rows without it are null. */
class TextRuns {
  readonly #texts = new TextRows();
  readonly #ends: number[] = [];
  readonly #rows: number[] = [];
  readonly #valid: number[] = [];

  /** Adds the string of row `row`; rows between the previous row and this one lack the label. */
  add(text: string, row: number): void {
    this.#fill(row);
    this.#push(row + 1, this.#texts.intern(text), 1);
  }

  column(name: string, count: number): NestedColumn {
    this.#fill(count);
    const values = this.#texts.column(name, this.#rows, Uint8Array.from(this.#valid));
    return { ...runs(Int32Array.from(this.#ends), values), isNullable: true };
  }

  #fill(end: number): void {
    if (end > (this.#ends.at(-1) ?? 0)) this.#push(end, 0, 0);
  }

  #push(end: number, row: number, valid: number): void {
    const last = this.#ends.length - 1;
    if (this.#rows[last] === row && this.#valid[last] === valid) {
      this.#ends[last] = end;
      return;
    }
    this.#ends.push(end);
    this.#rows.push(row);
    this.#valid.push(valid);
  }
}

/** Entries of the dictionary of locations. */
class LocationRows {
  readonly #rows = new Map<string, number>();
  readonly #known = new Map<RecordFrame, number>();
  readonly #addresses: bigint[] = [];
  readonly #files = new TextRows();
  readonly #buildIds = new TextRows();
  readonly #kinds = new TextRows();
  readonly #columns: Record<'file' | 'buildId' | 'kind', number[]> = {
    file: [],
    buildId: [],
    kind: [],
  };
  readonly #lineStarts: number[] = [];
  readonly #lineSizes: number[] = [];
  readonly #lines: RecordLine[] = [];

  intern(frame: RecordFrame): number {
    const known = this.#known.get(frame);
    if (known !== undefined) return known;
    const { mappingFile, buildId, address, lines } = frame;
    const key = JSON.stringify([mappingFile, buildId, String(address), lines]);
    const row = this.#rows.get(key) ?? this.#add(frame);
    this.#rows.set(key, row);
    this.#known.set(frame, row);
    return row;
  }

  column(): NestedColumn {
    const { file, buildId, kind } = this.#columns;
    const isThere = (flags: readonly boolean[]): Uint8Array => Uint8Array.from(flags, Number);
    const emptyFile = this.#files.intern('');
    const emptyId = this.#buildIds.intern('');
    return structs('item', this.#addresses.length, [
      integers('address', BigUint64Array.from(this.#addresses)),
      this.#kinds.column('frame_type', kind),
      this.#files.column('mapping_file', file, isThere(file.map((row) => row !== emptyFile))),
      this.#buildIds.column(
        'mapping_build_id',
        buildId,
        isThere(buildId.map((row) => row !== emptyId)),
      ),
      listViews(
        'lines',
        Int32Array.from(this.#lineStarts),
        Int32Array.from(this.#lineSizes),
        this.#lineColumn(),
        isThere(this.#lineSizes.map((size) => size > 0)),
      ),
    ]);
  }

  #add({ mappingFile, buildId, address, lines }: RecordFrame): number {
    this.#columns.file.push(this.#files.intern(mappingFile));
    this.#columns.buildId.push(this.#buildIds.intern(buildId));
    this.#columns.kind.push(this.#kinds.intern(frameKind(mappingFile, lines)));
    this.#lineStarts.push(this.#lines.length);
    this.#lineSizes.push(lines.length);
    this.#lines.push(...lines);
    return this.#addresses.push(address) - 1;
  }

  #lineColumn(): NestedColumn {
    const lines = this.#lines;
    const functions = new Map<string, number>();
    const distinct: RecordLine[] = [];
    const rows = Uint32Array.from(lines, (line) => {
      const key = JSON.stringify([line.systemName, line.fileName, line.startLine]);
      const row = functions.get(key) ?? distinct.push(line) - 1;
      functions.set(key, row);
      return row;
    });
    const files = new TextRows();
    const fileRows = distinct.map(({ fileName }) => files.intern(fileName));
    const names = distinct.map(({ systemName }) => encoder.encode(systemName));
    const uints = (name: string, values: readonly number[]): NestedColumn =>
      integers(name, BigUint64Array.from(values, BigInt));
    const entries = structs('function', distinct.length, [
      textViews('system_name', names),
      files.column('filename', fileRows),
      uints(
        'start_line',
        distinct.map(({ startLine }) => startLine),
      ),
    ]);
    const children = [
      uints(
        'line',
        lines.map(({ line }) => line),
      ),
      uints(
        'column',
        lines.map(({ column }) => column),
      ),
      dictionaryRows('function', rows, entries),
    ];
    return { ...structs('item', lines.length, children), isNullable: true };
  }
}

/** Returns Parca's word for the origin of a frame. */
function frameKind(mappingFile: string, lines: readonly RecordLine[]): string {
  if (mappingFile === '[kernel.kallsyms]') return 'kernel';
  return lines.length === 0 ? 'native' : 'interpreted';
}
