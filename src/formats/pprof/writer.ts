// Writes named frames as pprof, for imported formats, which are stored as pprof. Source:
// https://github.com/google/pprof/blob/main/proto/profile.proto
import type { ValueType } from '../../model/profile-type.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import { offsetsField, timedValuesField, timesLostField } from './sample-offsets.ts';

/** Information about the whole profile; zero and undefined mean "unknown". */
export interface PprofHeader {
  readonly sampleTypes: readonly ValueType[];
  readonly periodType?: ValueType | undefined;
  readonly period?: bigint | undefined;
  readonly timeNanos?: bigint;
  readonly durationNanos?: bigint;
  /** True if the samples had times that are left out. */
  readonly areTimesLost?: boolean;
}

/**
 * A frame that an imported file describes by name, not by address. Lines are counted from 1; 0
 * means unknown.
 */
export interface NamedFrame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** First line of the function. */
  readonly startLine?: number;
}

/** A binary that code was loaded from. */
export interface WrittenMapping {
  readonly file: string;
  readonly buildId?: string;
  readonly start?: bigint;
  readonly limit?: bigint;
  readonly offset?: bigint;
  /** True if its locations have the names of their functions. */
  readonly hasFunctions?: boolean;
}

/** A label of a sample: a string, or a number. */
export type WrittenLabel = readonly [key: string, value: string | bigint];

/** Times of the samples that are summed in one sample of a profile. */
export interface WrittenTimes {
  /** Nanoseconds from the profile's time to each sample. */
  readonly offsets: readonly bigint[];
  /** A value of each sample type for each offset; if absent, offsets have equal shares. */
  readonly values?: readonly bigint[] | undefined;
}

/** A line of a location: the function's id, the line and the column. */
export type WrittenLine = readonly [functionId: number, line: number, column: number];

/** Writes one profile; equal symbols share one row, whose id is returned. */
export class PprofWriter {
  readonly #samples = new ProtobufWriter();
  readonly #symbols = new ProtobufWriter();
  readonly #strings = new Map<string, number>([['', 0]]);
  readonly #mappings = new Map<string, number>();
  readonly #functions = new Map<string, number>();
  readonly #locations = new Map<string, number>();

  mapping(mapping: WrittenMapping): number {
    const { file, buildId = '', start = 0n, limit = 0n, offset = 0n, hasFunctions } = mapping;
    const fileId = this.#text(file);
    const buildIdText = this.#text(buildId);
    const key = `${fileId} ${buildIdText} ${start} ${limit} ${offset}`;
    return this.#row(this.#mappings, key, 3, (message) => {
      message.int64(2, start);
      message.int64(3, limit);
      message.int64(4, offset);
      message.uint(5, fileId);
      message.uint(6, buildIdText);
      message.uint(7, Number(hasFunctions === true));
    });
  }

  function(name: string, systemName: string, file: string, startLine: number): number {
    const texts = [name, systemName, file].map((text) => this.#text(text));
    return this.#row(this.#functions, `${texts.join(' ')} ${startLine}`, 5, (message) => {
      texts.forEach((text, i) => message.uint(2 + i, text));
      message.uint(5, startLine);
    });
  }

  /** Returns the id of a location; `lines` are innermost first, none for a bare address. */
  location(mapping: number, address: bigint, lines: readonly WrittenLine[]): number {
    const key = `${mapping} ${address} ${lines.join(' ')}`;
    return this.#row(this.#locations, key, 4, (message) => {
      message.uint(2, mapping);
      message.int64(3, address);
      for (const [functionId, line, column] of lines) {
        const nested = message.begin(4);
        message.uint(1, functionId);
        message.uint(2, line);
        message.uint(3, column);
        message.end(nested);
      }
    });
  }

  /** Returns the id of the location of a call that has a name. */
  frame({ name, file = '', line = 0, column = 0, startLine = 0 }: NamedFrame, mapping = 0): number {
    return this.location(mapping, 0n, [[this.function(name, '', file, startLine), line, column]]);
  }

  /** Writes a sample: locations leaf first, a value for each sample type. */
  sample(
    locations: Iterable<number>,
    values: readonly bigint[],
    labels: readonly WrittenLabel[] = [],
    times?: WrittenTimes,
  ): void {
    const message = this.#samples;
    const sample = message.begin(2);
    const frames = message.begin(1);
    for (const location of locations) message.varint(location);
    message.end(frames);
    const packed = message.begin(2);
    for (const value of values) message.varint64(value);
    message.end(packed);
    for (const [key, value] of labels) {
      const label = message.begin(3);
      message.uint(1, this.#text(key));
      if (typeof value === 'string') message.uint(2, this.#text(value));
      else message.int64(3, value);
      message.end(label);
    }
    if (times !== undefined) writeTimes(message, times);
    message.end(sample);
  }

  /** Returns the profile, not compressed. */
  finish(header: PprofHeader): Uint8Array {
    const { sampleTypes, periodType, period = 0n, timeNanos = 0n, durationNanos = 0n } = header;
    const head = new ProtobufWriter();
    for (const type of sampleTypes) this.#valueType(head, 1, type);
    if (periodType !== undefined) this.#valueType(head, 11, periodType);
    head.int64(9, timeNanos);
    head.int64(10, durationNanos);
    head.int64(12, period);
    if (header.areTimesLost === true) head.bytesField(timesLostField, Uint8Array.of(1));
    const strings = new ProtobufWriter();
    const encoder = new TextEncoder();
    for (const text of this.#strings.keys()) strings.bytesField(6, encoder.encode(text));
    const parts = [head, this.#samples, this.#symbols, strings];
    const bytes = new Uint8Array(parts.reduce((sum, { pos }) => sum + pos, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part.finish(), at);
      at += part.pos;
    }
    return bytes;
  }

  #row(
    rows: Map<string, number>,
    key: string,
    field: number,
    write: (message: ProtobufWriter) => void,
  ): number {
    const known = rows.get(key);
    if (known !== undefined) return known;
    const id = rows.size + 1;
    rows.set(key, id);
    const message = this.#symbols;
    const row = message.begin(field);
    message.uint(1, id);
    write(message);
    message.end(row);
    return id;
  }

  #text(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const id = this.#strings.size;
    this.#strings.set(text, id);
    return id;
  }

  #valueType(message: ProtobufWriter, field: number, { type, unit }: ValueType): void {
    const nested = message.begin(field);
    message.uint(1, this.#text(type));
    message.uint(2, this.#text(unit));
    message.end(nested);
  }
}

function writeTimes(message: ProtobufWriter, { offsets, values }: WrittenTimes): void {
  const packed = message.begin(offsetsField);
  for (const offset of offsets) message.varint64(offset);
  message.end(packed);
  if (values === undefined) return;
  const own = message.begin(timedValuesField);
  for (const value of values) message.varint64(value);
  message.end(own);
}
