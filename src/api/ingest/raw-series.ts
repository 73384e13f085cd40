// Decodes the series of pushes by hand: this code is hot, and profiles must not be copied.
import protobuf from 'protobufjs/minimal.js';
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import type { Steps } from '../../base/pacer.ts';
import type { Label } from '../../model/labels.ts';
import { unknownFieldsMax } from '../limits.ts';
import { malformed } from '../transport/call/message.ts';

type Reader = protobuf.Reader;

/** A series, and its profiles, which are views of the request. */
export interface RawSeries {
  readonly labels: readonly Label[];
  readonly profiles: readonly Uint8Array[];
}

/** Differences between the requests of the protocols. */
export interface RawLayout {
  /** Name of the message. */
  readonly message: string;
  /** Number of the field that holds the series. */
  readonly seriesField: number;
  /** True if labels are in a nested message. */
  readonly areLabelsNested: boolean;
  /** Number of a boolean field. */
  readonly flagField?: number;
}

/** Series of a request, and its flag. */
export interface RawRequest {
  readonly series: readonly RawSeries[];
  readonly flag: boolean;
}

/**
 * Decodes the series of a request, in one step for each.
 *
 * Ownership: profiles are views of `bytes`. Errors: AppError 'invalid-argument' if the bytes are
 * not such a request, 'resource-exhausted' above inputLimits.seriesPerRequest and labelsPerSeries.
 */
export function* readRawSeries(bytes: Uint8Array, layout: RawLayout): Steps<RawRequest> {
  const { message, seriesField, areLabelsNested, flagField } = layout;
  const series: RawSeries[] = [];
  let flag = false;
  try {
    const reader = protobuf.Reader.create(bytes);
    const budget = new Budget();
    while (reader.pos < reader.len) {
      const { number, wireType } = readTag(reader);
      if (number === flagField && wireType === 0) flag = reader.bool();
      else if (number === seriesField && wireType === 2) {
        budget.take('series');
        series.push(readSeries(reader, areLabelsNested, budget));
        yield;
      } else {
        budget.skip();
        reader.skipType(wireType);
      }
    }
  } catch (error) {
    throw malformed(message, error);
  }
  return { series, flag };
}

/** Limits the items of a request: an empty label takes 2 bytes in the request, and 40 in memory. */
class Budget {
  readonly #counts = { series: 0, profiles: 0, labels: 0 };
  #skipped = 0;

  /** Counts an unknown field. Errors: AppError 'resource-exhausted'. */
  skip(): void {
    this.#skipped += 1;
    if (this.#skipped <= unknownFieldsMax) return;
    const why = `more than ${unknownFieldsMax} unknown fields in one request`;
    throw new AppError('resource-exhausted', `cannot write profiles: ${why}`);
  }

  /** Counts one item. Errors: AppError 'resource-exhausted'. */
  take(kind: 'series' | 'profiles' | 'labels'): void {
    const { seriesPerRequest, labelsPerSeries } = inputLimits;
    const most = kind === 'labels' ? seriesPerRequest * labelsPerSeries : seriesPerRequest;
    this.#counts[kind] += 1;
    if (this.#counts[kind] <= most) return;
    throw overInputLimit(
      kind === 'labels' ? 'labelsPerSeries' : 'seriesPerRequest',
      `cannot write profiles: more than ${most} ${kind} in one request`,
    );
  }
}

function readSeries(reader: Reader, areNested: boolean, budget: Budget): RawSeries {
  const labels: Label[] = [];
  const profiles: Uint8Array[] = [];
  eachField(reader, endOfMessage(reader), budget, (number, wireType) => {
    if (wireType !== 2) return false;
    if (number === 1 && areNested) readLabelSet(reader, labels, budget);
    else if (number === 1) readLabel(reader, labels, budget);
    else if (number === 2) {
      budget.take('profiles');
      profiles.push(readProfile(reader, budget));
    } else return false;
    return true;
  });
  return { labels, profiles };
}

function readLabelSet(reader: Reader, labels: Label[], budget: Budget): void {
  eachField(reader, endOfMessage(reader), budget, (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    readLabel(reader, labels, budget);
    return true;
  });
}

function readLabel(reader: Reader, labels: Label[], budget: Budget): void {
  let name = '';
  let value = '';
  eachField(reader, endOfMessage(reader), budget, (number, wireType) => {
    if (wireType !== 2) return false;
    if (number === 1) name = reader.string();
    else if (number === 2) value = reader.string();
    else return false;
    return true;
  });
  budget.take('labels');
  if (labels.length >= labelsOfSeriesMax()) throw tooManyLabels();
  labels.push({ name, value });
}

/**
 * Returns the largest number of labels that are read for a series: twice the limit, because half of
 * them may be private labels.
 */
function labelsOfSeriesMax(): number {
  return 2 * inputLimits.labelsPerSeries;
}

/** Returns the error for a series with too many labels; the rest of them is not read. */
function tooManyLabels(): AppError {
  const { labelsPerSeries } = inputLimits;
  return overInputLimit(
    'labelsPerSeries',
    `cannot store series: it has more than ${labelsOfSeriesMax()} labels, ` +
      `the limit is ${labelsPerSeries}`,
  );
}

/** Reads RawSample.raw_profile; empty when absent, which ingest refuses with a clear error. */
function readProfile(reader: Reader, budget: Budget): Uint8Array {
  let profile: Uint8Array = new Uint8Array(0);
  eachField(reader, endOfMessage(reader), budget, (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    const end = endOfMessage(reader);
    profile = reader.buf.subarray(reader.pos, end);
    reader.pos = end;
    return true;
  });
  return profile;
}

/**
 * Reads a length and returns the end of the message. Errors: RangeError if it is outside of the
 * buffer.
 */
function endOfMessage(reader: Reader): number {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError(`index out of range: ${reader.pos} + ${length}`);
  return end;
}

function readTag(reader: Reader): { readonly number: number; readonly wireType: number } {
  const tag = reader.uint32();
  if (tag >>> 3 === 0) throw new RangeError(`field number 0 at ${reader.pos}`);
  return { number: tag >>> 3, wireType: tag & 7 };
}

/** Calls `read` for each field up to `end`, and skips the field when `read` returns false. */
function eachField(
  reader: Reader,
  end: number,
  budget: Budget,
  read: (number: number, wireType: number) => boolean,
): void {
  while (reader.pos < end) {
    const { number, wireType } = readTag(reader);
    if (read(number, wireType)) continue;
    budget.skip();
    reader.skipType(wireType);
  }
  if (reader.pos !== end) throw new RangeError(`message ends inside a field at ${end}`);
}
