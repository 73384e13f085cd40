// Facts of a whole pprof message, read without its samples, and changed without decoding it.
import { inputLimits } from '../../base/input-limits.ts';
import { valueTypesMax } from '../../base/limits.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import { eachField, readSpan, type ByteSpan, bytesWire, varintWire } from '../wire-fields.ts';
import { WireReader } from './wire-reader.ts';

const fields = { sampleType: 1, string: 6, timeNanos: 9, durationNanos: 10, periodType: 11 };

/**
 * Earliest time of a profile, a year after the epoch. Earlier ones are seconds or milliseconds that
 * were written as nanoseconds, or durations since a start.
 */
export const plausibleTimeNanosMin = 31_536_000_000_000_000n;

/** Facts about a profile; 0 where it lacks them. */
export interface PprofHead {
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** Reads an uncompressed message; missing strings are "". Errors: DecodeError. */
export function readPprofHead(message: Uint8Array): PprofHead {
  const reader = new WireReader();
  reader.open(message);
  const types: ByteSpan[] = [];
  const strings: ByteSpan[] = [];
  let [timeNanos, durationNanos] = [0n, 0n];
  let periodSpan: ByteSpan | undefined;
  const end = message.length;
  eachField(reader, { start: 0, end }, (field, wire) => {
    if (field === fields.string && wire === bytesWire) {
      // A profile with more strings is refused when it is decoded.
      if (strings.length <= inputLimits.profileSymbols) strings.push(readSpan(reader, end));
    } else if (field === fields.sampleType && wire === bytesWire) {
      if (types.length <= valueTypesMax) types.push(readSpan(reader, end));
    } else if (field === fields.periodType && wire === bytesWire)
      periodSpan = readSpan(reader, end);
    else if (field === fields.timeNanos && wire === varintWire) timeNanos = reader.int64();
    else if (field === fields.durationNanos && wire === varintWire) durationNanos = reader.int64();
  });
  const decoder = new TextDecoder();
  const textOf = (index: number): string => {
    const place = strings[index];
    return place === undefined ? '' : decoder.decode(message.subarray(place.start, place.end));
  };
  const typeOf = (span: ByteSpan): ValueType => {
    const indices = [0, 0];
    eachField(reader, span, (field, wire) => {
      if (field <= 2 && wire === varintWire) indices[field - 1] = reader.index();
    });
    return { type: textOf(indices[0]), unit: textOf(indices[1]) };
  };
  return {
    sampleTypes: types.map(typeOf),
    periodType: periodSpan === undefined ? { type: '', unit: '' } : typeOf(periodSpan),
    timeNanos,
    durationNanos,
  };
}

/** Returns an uncompressed message with other times; the last of two equal fields counts. */
export function withTimes(
  message: Uint8Array,
  times: { readonly timeNanos?: bigint; readonly durationNanos?: bigint },
): Uint8Array {
  const added = new ProtobufWriter();
  if (times.timeNanos !== undefined) added.int64(fields.timeNanos, times.timeNanos);
  if (times.durationNanos !== undefined) added.int64(fields.durationNanos, times.durationNanos);
  const bytes = new Uint8Array(message.length + added.pos);
  bytes.set(message);
  bytes.set(added.finish(), message.length);
  return bytes;
}
