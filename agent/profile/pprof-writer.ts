// One pprof profile of one process under construction.
//
// Source: https://github.com/google/pprof/blob/main/proto/profile.proto
import { ProtobufWriter } from '../../src/formats/protobuf-writer.ts';
import type { Label } from '../../src/model/labels.ts';
import type { ValueType } from '../../src/model/profile-type.ts';

/** A frame as it is sent. Addresses do not depend on where the file was mapped. */
export interface Frame {
  /** Path of the file, or a name in brackets such as [kernel.kallsyms]. */
  readonly mapping: string;
  /** In hexadecimal, "" when there is none. */
  readonly buildId: string;
  /** ELF virtual address; 0n for frames that have their name already. */
  readonly address: bigint;
  /** Name in the words of the linker or the runtime; "" = the server finds it. */
  readonly functionName: string;
  /** "" when it is not known. */
  readonly fileName: string;
  /** Line where the function starts; 0 when it is not known. */
  readonly startLine: number;
}

export interface PprofHead {
  readonly sampleType: ValueType;
  readonly periodType: ValueType;
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** A row that is being summed. */
interface Sample {
  readonly stack: number;
  readonly labels: readonly Label[];
  value: bigint;
}

/** A sum of equal samples. */
export interface SampleRow {
  readonly frames: readonly Frame[];
  readonly labels: readonly Label[];
  readonly value: bigint;
}

/** Collects samples; equal ones are summed. */
export class PprofWriter {
  readonly #samples = new Map<string, Sample>();
  /** Locations by stack, from the leaf, and the stacks by their locations. */
  readonly #stacks: (readonly number[])[] = [];
  readonly #stackNumbers = new Map<string, number>();
  /** The same stacks as frames. */
  readonly #frames: (readonly Frame[])[] = [];
  readonly #mappings = new Map<string, MappingRow>();
  readonly #locations = new Map<string, LocationRow>();
  readonly #functions = new Map<string, FunctionRow>();

  /** Adds a stack, leaf first; returns its number for `add`. */
  addStack(frames: readonly Frame[]): number {
    const locations = frames.map((frame) => this.#location(frame));
    const key = locations.join(',');
    const known = this.#stackNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.#stacks.push(locations) - 1;
    this.#stackNumbers.set(key, number);
    this.#frames.push(frames);
    return number;
  }

  /** Adds `value` at a stack. */
  add(stack: number, labels: readonly Label[], value: bigint): void {
    const labelKey = labels.map((label) => `${label.name}\0${label.value}`).join('\0');
    const key = `${stack}\0${labelKey}`;
    const known = this.#samples.get(key);
    if (known === undefined) this.#samples.set(key, { stack, labels, value });
    else known.value += value;
  }

  get isEmpty(): boolean {
    return this.#samples.size === 0;
  }

  /** The sums so far: stacks leaf first, labels and values. */
  *rows(): Generator<SampleRow> {
    for (const { stack, labels, value } of this.#samples.values()) {
      yield { frames: this.#frames[stack], labels, value };
    }
  }

  /** The uncompressed message. Ownership: a copy, the caller's to keep. */
  encode(head: PprofHead): Uint8Array {
    const out = new ProtobufWriter();
    const strings = new StringRows();
    writeValueType(out, 1, head.sampleType, strings);
    for (const sample of this.#samples.values()) {
      writeSample(out, sample, this.#stacks[sample.stack], strings);
    }
    for (const row of this.#mappings.values()) writeMapping(out, row, strings);
    for (const row of this.#locations.values()) writeLocation(out, row);
    for (const row of this.#functions.values()) writeFunction(out, row, strings);
    out.int64(9, head.timeNanos);
    out.int64(10, head.durationNanos);
    writeValueType(out, 11, head.periodType, strings);
    out.int64(12, head.period);
    strings.write(out);
    return out.finish().slice();
  }

  #location(frame: Frame): number {
    const { mapping, buildId, address, functionName, fileName, startLine } = frame;
    const key = [mapping, buildId, address, functionName, fileName, startLine].join('\0');
    const known = this.#locations.get(key);
    if (known !== undefined) return known.id;
    const row = {
      id: this.#locations.size + 1,
      mapping: this.#mapping(mapping, buildId, functionName !== ''),
      address,
      functionRow: functionName === '' ? 0 : this.#function(functionName, fileName, startLine),
    };
    this.#locations.set(key, row);
    return row.id;
  }

  #mapping(file: string, buildId: string, isNamed: boolean): number {
    if (file === '' && buildId === '') return 0;
    const key = `${file}\0${buildId}`;
    const row = this.#mappings.get(key) ?? { id: this.#mappings.size + 1, file, buildId, isNamed };
    row.isNamed ||= isNamed;
    this.#mappings.set(key, row);
    return row.id;
  }

  #function(name: string, fileName: string, startLine: number): number {
    const key = `${name}\0${fileName}\0${startLine}`;
    const id = this.#functions.get(key)?.id ?? this.#functions.size + 1;
    this.#functions.set(key, { id, name, fileName, startLine });
    return id;
  }
}

interface MappingRow {
  readonly id: number;
  readonly file: string;
  readonly buildId: string;
  isNamed: boolean;
}

interface LocationRow {
  readonly id: number;
  readonly mapping: number;
  readonly address: bigint;
  /** 0 = none. */
  readonly functionRow: number;
}

interface FunctionRow {
  readonly id: number;
  readonly name: string;
  readonly fileName: string;
  readonly startLine: number;
}

/** The string table: row 0 is "". */
class StringRows {
  readonly #rows = new Map<string, number>([['', 0]]);

  row(text: string): number {
    const row = this.#rows.get(text) ?? this.#rows.size;
    this.#rows.set(text, row);
    return row;
  }

  write(out: ProtobufWriter): void {
    const encoder = new TextEncoder();
    for (const text of this.#rows.keys()) out.bytesField(6, encoder.encode(text));
  }
}

function writeSample(
  out: ProtobufWriter,
  sample: Sample,
  stack: readonly number[],
  strings: StringRows,
): void {
  const start = out.begin(2);
  const locations = out.begin(1);
  for (const id of stack) out.varint(id);
  out.end(locations);
  const values = out.begin(2);
  out.varint64(sample.value);
  out.end(values);
  for (const { name, value } of sample.labels) {
    const label = out.begin(3);
    out.uint(1, strings.row(name));
    out.uint(2, strings.row(value));
    out.end(label);
  }
  out.end(start);
}

function writeMapping(out: ProtobufWriter, row: MappingRow, strings: StringRows): void {
  const start = out.begin(3);
  out.uint(1, row.id);
  out.uint(5, strings.row(row.file));
  out.uint(6, strings.row(row.buildId));
  out.uint(7, Number(row.isNamed));
  out.end(start);
}

function writeLocation(out: ProtobufWriter, row: LocationRow): void {
  const start = out.begin(4);
  out.uint(1, row.id);
  out.uint(2, row.mapping);
  out.int64(3, row.address);
  if (row.functionRow !== 0) {
    const line = out.begin(4);
    out.uint(1, row.functionRow);
    out.end(line);
  }
  out.end(start);
}

function writeFunction(out: ProtobufWriter, row: FunctionRow, strings: StringRows): void {
  const start = out.begin(5);
  out.uint(1, row.id);
  out.uint(2, strings.row(row.name));
  out.uint(3, strings.row(row.name));
  out.uint(4, strings.row(row.fileName));
  out.uint(5, row.startLine);
  out.end(start);
}

function writeValueType(
  out: ProtobufWriter,
  field: number,
  { type, unit }: ValueType,
  strings: StringRows,
): void {
  const start = out.begin(field);
  out.uint(1, strings.row(type));
  out.uint(2, strings.row(unit));
  out.end(start);
}
