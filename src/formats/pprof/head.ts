// Reads and changes information about a pprof message without decoding its samples.
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import { valueTypesMax } from '../../base/limits.ts';
import { finishAtOnce, type Steps } from '../../base/pacer.ts';
import type { ValueType } from '../../model/profile-type.ts';
import { gzipSync } from '../../base/threads/zlib.ts';
import { isGzip } from '../gzip.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import {
  type ByteSpan,
  bytesWire,
  eachField,
  eachFieldInSteps,
  readSpan,
  readStringsInSteps,
  varintWire,
} from '../wire-fields.ts';
import { WireReader } from '../wire-reader.ts';

const fields = { sampleType: 1, string: 6, timeNanos: 9, durationNanos: 10, periodType: 11 };

/**
 * Earliest valid time of a profile, a year after the epoch. Earlier times are seconds or
 * milliseconds that were written as nanoseconds, or times since the start of a program.
 */
export const plausibleTimeNanosMin = 31_536_000_000_000_000n;

/** Information about a profile; numbers are 0 if the profile lacks them. */
export interface PprofHead {
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
}

/** Reads an uncompressed message; missing strings are "". Errors: DecodeError. */
export function readPprofHead(message: Uint8Array): PprofHead {
  return finishAtOnce(pprofHeadSteps(message));
}

/**
 * Like `readPprofHead`, but in steps, because 60 MB may have 30 million fields, which would take
 * seconds. A message is refused at the first field above the limit. Memory does not grow with the
 * number of fields.
 */
export function* pprofHeadSteps(message: Uint8Array): Steps<PprofHead> {
  const reader = new WireReader();
  reader.open(message);
  const types: ByteSpan[] = [];
  let [timeNanos, durationNanos] = [0n, 0n];
  let periodSpan: ByteSpan | undefined;
  const end = message.length;
  const counts = new Uint32Array(8);
  yield* eachFieldInSteps(reader, { start: 0, end }, (field, wire) => {
    if (field < counts.length) {
      counts[field] += 1;
      if (counts[field] > inputLimits.profileSymbols) throw tooManyRows(field);
    }
    if (field === fields.sampleType && wire === bytesWire) {
      if (types.length <= valueTypesMax) types.push(readSpan(reader, end));
    } else if (field === fields.periodType && wire === bytesWire)
      periodSpan = readSpan(reader, end);
    else if (field === fields.timeNanos && wire === varintWire) timeNanos = reader.int64();
    else if (field === fields.durationNanos && wire === varintWire) durationNanos = reader.int64();
  });
  const readRows = (span: ByteSpan): [number, number] => {
    const rows: [number, number] = [0, 0];
    eachField(reader, span, (field, wire) => {
      if (field <= 2 && wire === varintWire) rows[field - 1] = reader.index();
    });
    return rows;
  };
  const typeRows = types.map(readRows);
  const periodRows = periodSpan === undefined ? undefined : readRows(periodSpan);
  const rows = new Set([...typeRows, periodRows ?? []].flat());
  const texts = yield* readStringsInSteps(message, fields.string, rows);
  const toValueType = ([type, unit]: [number, number]): ValueType => ({
    type: texts.get(type) ?? '',
    unit: texts.get(unit) ?? '',
  });
  return {
    sampleTypes: typeRows.map(toValueType),
    periodType: periodRows === undefined ? { type: '', unit: '' } : toValueType(periodRows),
    timeNanos,
    durationNanos,
  };
}

/** Returns the error for too many rows of a table, which decoding would also find. */
function tooManyRows(field: number): Error {
  const { profileSymbols } = inputLimits;
  const why = `failed to parse profile: more than ${profileSymbols} rows of field ${field}`;
  return overInputLimit('profileSymbols', why);
}

/**
 * Returns a message with other times. The new times are appended, because readers use the last of
 * several values of a field. A gzipped message gets another gzip member.
 */
export function withTimes(
  message: Uint8Array,
  times: { readonly timeNanos?: bigint; readonly durationNanos?: bigint },
): Uint8Array {
  const added = new ProtobufWriter();
  if (times.timeNanos !== undefined) added.int64(fields.timeNanos, times.timeNanos);
  if (times.durationNanos !== undefined) added.int64(fields.durationNanos, times.durationNanos);
  const fieldBytes = added.finish();
  const end = isGzip(message) ? gzipSync(fieldBytes, {}) : fieldBytes;
  const bytes = new Uint8Array(message.length + end.length);
  bytes.set(message);
  bytes.set(end, message.length);
  return bytes;
}
