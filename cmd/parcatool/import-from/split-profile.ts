// Splits a merged pprof profile into one profile per series. The merged profile's samples have the
// labels of their series.
//
// Source: https://github.com/google/pprof/blob/main/proto/profile.proto
import { AppError } from '../../../src/base/errors.ts';
import { gunzipSync, gzipSync } from '../../../src/base/threads/zlib.ts';
import { WireReader } from '../../../src/formats/wire-reader.ts';
import { ProtobufWriter } from '../../../src/formats/protobuf-writer.ts';
import { bytesWire, type ByteSpan, eachField, readSpan } from '../../../src/formats/wire-fields.ts';
import { type Labels, labelsKey, seriesLabels } from './history.ts';

/** Maximum size of a decompressed response in bytes. */
const answerBytesMax = 1024 ** 3;

/** A sample: its stack (as the bytes of a packed list), its first value, and all of its labels. */
interface MergedSample {
  readonly stack: Uint8Array;
  readonly value: bigint;
  readonly labels: Labels;
}

/** A merged profile. Only what is needed for splitting is decoded. */
export interface MergedProfile {
  /** Type and unit of the values. */
  readonly sampleType: readonly [type: string, unit: string];
  /** Sampling period; 0n if the server does not return it. */
  readonly period: bigint;
  readonly samplesOf: ReadonlyMap<string, readonly MergedSample[]>;
  readonly strings: readonly string[];
  /**
   * Encoded fields for mappings, locations, functions and strings, which are copied into all parts.
   */
  readonly symbols: Uint8Array;
}

/** Fields of a part that the merged profile does not have. */
export interface PartHeader {
  /** Type and unit of values, and of the period. */
  readonly sampleType: readonly [type: string, unit: string];
  readonly periodType: readonly [type: string, unit: string];
  readonly period: bigint;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  /** Divisor of all values. */
  readonly divisor: bigint;
}

/** Decodes an answer. Errors: DecodeError; AppError 'unavailable' if it is not a pprof profile. */
export function readMerged(gzipped: Uint8Array): MergedProfile {
  const bytes = gunzipSync(gzipped, { maxOutputLength: answerBytesMax });
  const reader = new WireReader('failed to parse the answer');
  reader.open(bytes);
  const whole = { start: 0, end: bytes.length };
  const strings: string[] = [];
  const spans: { readonly field: number; readonly span: ByteSpan }[] = [];
  const symbols = new ProtobufWriter();
  let period = 0n;
  eachField(reader, whole, (field, wire) => {
    if (field === 12) period = reader.int64();
    if (wire !== bytesWire) return;
    const span = readSpan(reader, whole.end);
    const content = bytes.subarray(span.start, span.end);
    if (field === 6) strings.push(new TextDecoder().decode(content));
    if (field >= 3 && field <= 6) symbols.bytesField(field, content);
    if (field === 1 || field === 2) spans.push({ field, span });
  });
  let sampleType: readonly [string, string] | undefined;
  const samplesByMoment = new Map<string, MergedSample[]>();
  for (const { field, span } of spans) {
    if (field === 1) {
      const [type, unit] = readNumbers(reader, span, [1, 2]);
      sampleType ??= [strings[type] ?? '', strings[unit] ?? ''];
      continue;
    }
    const sample = readSample(reader, bytes, span, strings);
    const key = labelsKey(seriesLabels(sample.labels));
    const known = samplesByMoment.get(key);
    if (known === undefined) samplesByMoment.set(key, [sample]);
    else known.push(sample);
  }
  if (sampleType === undefined || strings.length === 0) {
    throw new AppError('unavailable', 'cannot import: the answer is not a profile');
  }
  return {
    sampleType,
    period,
    samplesOf: samplesByMoment,
    strings,
    symbols: symbols.finish().slice(),
  };
}

/** Returns the sum of the samples' values. */
export function sumValues(samples: readonly MergedSample[]): bigint {
  return samples.reduce((sum, { value }) => sum + value, 0n);
}

/** Returns the samples of a series as gzipped pprof. */
export function writePart(
  merged: MergedProfile,
  samples: readonly MergedSample[],
  header: PartHeader,
): Uint8Array {
  const out = new ProtobufWriter();
  out.raw(merged.symbols);
  const added = new Map<string, number>();
  const textRow = (text: string): number => {
    if (text === '') return 0;
    const known = added.get(text);
    if (known !== undefined) return known;
    const row = merged.strings.length + added.size;
    added.set(text, row);
    out.bytesField(6, new TextEncoder().encode(text));
    return row;
  };
  writeValueType(out, 1, header.sampleType, textRow);
  writeValueType(out, 11, header.periodType, textRow);
  out.int64(9, header.timeNanos);
  out.int64(10, header.durationNanos);
  out.int64(12, header.period);
  for (const { stack, value, labels } of samples) {
    const series = seriesLabels(labels);
    const own = [...labels].filter(([name]) => !series.has(name));
    const rows = own.map(([name, text]) => [textRow(name), textRow(text)] as const);
    const message = out.begin(2);
    out.bytesField(1, stack);
    const values = out.begin(2);
    out.varint64(value / header.divisor);
    out.end(values);
    for (const [name, text] of rows) {
      const label = out.begin(3);
      out.uint(1, name);
      out.uint(2, text);
      out.end(label);
    }
    out.end(message);
  }
  return gzipSync(out.finish(), {});
}

function writeValueType(
  out: ProtobufWriter,
  field: number,
  [type, unit]: readonly [string, string],
  textRow: (text: string) => number,
): void {
  const rows = [textRow(type), textRow(unit)];
  const message = out.begin(field);
  rows.forEach((row, i) => out.uint(i + 1, row));
  out.end(message);
}

function readSample(
  reader: WireReader,
  bytes: Uint8Array,
  span: ByteSpan,
  strings: readonly string[],
): MergedSample {
  const stack = new ProtobufWriter();
  const values: bigint[] = [];
  const labelSpans: ByteSpan[] = [];
  eachField(reader, span, (field, wire) => {
    if (wire !== bytesWire) {
      if (field === 1) stack.varint64(reader.int64());
      if (field === 2) values.push(reader.int64());
      return;
    }
    const content = readSpan(reader, span.end);
    if (field === 1) stack.raw(bytes.subarray(content.start, content.end));
    if (field === 3) labelSpans.push(content);
    if (field !== 2) return;
    reader.pos = content.start;
    while (reader.pos < content.end) values.push(reader.int64());
  });
  const labels = labelSpans.map((one) => {
    const [name, text] = readNumbers(reader, one, [1, 2]);
    return [strings[name] ?? '', strings[text] ?? ''] as const;
  });
  const known = labels.filter(([, text]) => text !== '');
  return { stack: stack.finish().slice(), value: values[0] ?? 0n, labels: new Map(known) };
}

/** Returns the numbers in the given fields of a message; 0 for missing fields. */
function readNumbers(
  reader: WireReader,
  span: ByteSpan,
  fields: readonly number[],
): readonly number[] {
  const found = fields.map(() => 0);
  eachField(reader, span, (field, wire) => {
    const at = fields.indexOf(field);
    if (at !== -1 && wire !== bytesWire) found[at] = reader.index();
  });
  return found;
}
