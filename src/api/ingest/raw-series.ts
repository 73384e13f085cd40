// Decodes the series of pushes without generated code, because decoding must be fast and must not
// copy profiles.
import protobuf from 'protobufjs/minimal.js';
import { AppError } from '../../base/errors.ts';
import { inputLimits, overInputLimit } from '../../base/input-limits.ts';
import type { Steps } from '../../base/pacer.ts';
import type { Label } from '../../model/labels.ts';
import { unknownFieldsMax } from '../limits.ts';
import { malformed } from '../transport/call/message.ts';

type Reader = protobuf.Reader;

const noBytes = new Uint8Array(0);

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
  /** Number of the boolean field whose value is `RawRequest.flag`. */
  readonly flagField?: number;
}

/** Series of a request, and the value of its flag. */
export interface RawRequest {
  readonly series: readonly RawSeries[];
  readonly flag: boolean;
}

/** Tags of fields 1 and 2, whose values have a length: a message, a string or bytes. */
const firstField = 0x0a;
const secondField = 0x12;

/**
 * Decodes the series of a request, one series in each step, and returns what `convert` makes of
 * them.
 *
 * Ownership: profiles are views of `bytes`. Errors: AppError 'invalid-argument' if the bytes are
 * not such a request, 'resource-exhausted' above inputLimits.seriesPerRequest and labelsPerSeries.
 */
export function* readRawSeries<T>(
  bytes: Uint8Array,
  layout: RawLayout,
  convert: (request: RawRequest) => T,
): Steps<T> {
  const { message, seriesField, areLabelsNested, flagField } = layout;
  const series: RawSeries[] = [];
  let flag = false;
  try {
    const reader = protobuf.Reader.create(bytes);
    const budget = new Budget();
    while (reader.pos < reader.len) {
      const tag = readTag(reader);
      if (flagField !== undefined && tag === flagField << 3) flag = reader.bool();
      else if (tag === ((seriesField << 3) | 2)) {
        budget.take('series');
        series.push(readSeries(reader, areLabelsNested, budget));
        yield;
      } else skipField(reader, tag, budget);
    }
  } catch (error) {
    throw malformed(message, error);
  }
  return convert({ series, flag });
}

/**
 * Limits the number of items of a request, because an empty label takes 2 bytes in the request but
 * 40 bytes in memory.
 */
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
  const end = endOfMessage(reader);
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === firstField && areNested) readLabelSet(reader, labels, budget);
    else if (tag === firstField) readLabel(reader, labels, budget);
    else if (tag === secondField) {
      budget.take('profiles');
      profiles.push(readProfile(reader, budget));
    } else skipField(reader, tag, budget);
  }
  checkEnd(reader, end);
  return { labels, profiles };
}

function readLabelSet(reader: Reader, labels: Label[], budget: Budget): void {
  const end = endOfMessage(reader);
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === firstField) readLabel(reader, labels, budget);
    else skipField(reader, tag, budget);
  }
  checkEnd(reader, end);
}

function readLabel(reader: Reader, labels: Label[], budget: Budget): void {
  let name = '';
  let value = '';
  const end = endOfMessage(reader);
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === firstField) name = reader.string();
    else if (tag === secondField) value = reader.string();
    else skipField(reader, tag, budget);
  }
  checkEnd(reader, end);
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

/** Returns the error for a series with too many labels; the remaining labels are not read. */
function tooManyLabels(): AppError {
  const { labelsPerSeries } = inputLimits;
  return overInputLimit(
    'labelsPerSeries',
    `cannot store series: it has more than ${labelsOfSeriesMax()} labels, ` +
      `the limit is ${labelsPerSeries}`,
  );
}

/**
 * Reads RawSample.raw_profile. It is empty if the field is absent; ingest then refuses it with a
 * clear error.
 */
function readProfile(reader: Reader, budget: Budget): Uint8Array {
  let profile: Uint8Array = noBytes;
  const end = endOfMessage(reader);
  while (reader.pos < end) {
    const tag = readTag(reader);
    if (tag === firstField) {
      const profileEnd = endOfMessage(reader);
      profile = reader.buf.subarray(reader.pos, profileEnd);
      reader.pos = profileEnd;
    } else skipField(reader, tag, budget);
  }
  checkEnd(reader, end);
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

/** Reads the tag of a field: eight times its number, plus its wire type. */
function readTag(reader: Reader): number {
  const tag = reader.uint32();
  if (tag >>> 3 === 0) throw new RangeError(`field number 0 at ${reader.pos}`);
  return tag;
}

function skipField(reader: Reader, tag: number, budget: Budget): void {
  budget.skip();
  reader.skipType(tag & 7);
}

/** Checks that the last field of a message does not extend beyond the end of the message. */
function checkEnd(reader: Reader, end: number): void {
  if (reader.pos !== end) throw new RangeError(`message ends inside a field at ${end}`);
}
