// Decodes WriteRawRequest by hand: this path is hot, and profiles must not be copied.
import protobuf from 'protobufjs/minimal.js';
import { inputLimits, overInputLimit } from '../../../base/input-limits.ts';
import type { Steps } from '../../../base/pacer.ts';
import type { ProfileUpload } from '../../../ingest/interface.ts';
import type { Label } from '../../../model/labels.ts';
import { malformed } from '../../transport/call/message.ts';

type Reader = protobuf.Reader;

/** Series of a request. */
export interface WrittenSeries {
  readonly uploads: ProfileUpload[];
  /** Labels of series without profiles. */
  readonly bare: readonly (readonly Label[])[];
}

/**
 * Decodes a WriteRawRequest to one upload per profile, and the series without profiles; a step for
 * each series.
 *
 * Ownership: `profile` is a view of `bytes`. Errors: AppError 'invalid-argument' when the bytes
 * are not a WriteRawRequest, 'resource-exhausted' past inputLimits.seriesPerRequest.
 * Source: proto/parca/profilestore/v1alpha1/profilestore.proto.
 */
export function* decodeWriteRaw(bytes: Uint8Array): Steps<WrittenSeries> {
  const uploads: ProfileUpload[] = [];
  const bare: (readonly Label[])[] = [];
  let areFileAddresses = false;
  try {
    const reader = protobuf.Reader.create(bytes);
    const budget = new Budget();
    while (reader.pos < reader.len) {
      const { number, wireType } = readTag(reader);
      if (number === 3 && wireType === 0) areFileAddresses = reader.bool();
      else if (number === 2 && wireType === 2) {
        budget.take('series');
        readSeries(reader, uploads, bare, budget);
        yield;
      } else reader.skipType(wireType);
    }
  } catch (error) {
    throw malformed('WriteRawRequest', error);
  }
  if (!areFileAddresses) return { uploads, bare };
  return { uploads: uploads.map((upload) => ({ ...upload, areFileAddresses })), bare };
}

/** Counts of a request: an empty label of 2 bytes takes 40 in memory. */
class Budget {
  readonly #counts = { series: 0, profiles: 0, labels: 0 };

  /** Counts one. Errors: AppError 'resource-exhausted'. */
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

function readSeries(
  reader: Reader,
  uploads: ProfileUpload[],
  bare: (readonly Label[])[],
  budget: Budget,
): void {
  const labels: Label[] = [];
  const profiles: Uint8Array[] = [];
  eachField(reader, endOfMessage(reader), (number, wireType) => {
    if (wireType !== 2) return false;
    if (number === 1) readLabelSet(reader, labels, budget);
    else if (number === 2) {
      budget.take('profiles');
      profiles.push(readProfile(reader));
    } else return false;
    return true;
  });
  for (const profile of profiles) uploads.push({ labels, profile });
  if (profiles.length === 0) bare.push(labels);
}

function readLabelSet(reader: Reader, labels: Label[], budget: Budget): void {
  eachField(reader, endOfMessage(reader), (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    let name = '';
    let value = '';
    eachField(reader, endOfMessage(reader), (inner, innerType) => {
      if (innerType !== 2) return false;
      if (inner === 1) name = reader.string();
      else if (inner === 2) value = reader.string();
      else return false;
      return true;
    });
    budget.take('labels');
    labels.push({ name, value });
    return true;
  });
}

/** Reads RawSample.raw_profile; empty when absent, which ingest refuses with a clear error. */
function readProfile(reader: Reader): Uint8Array {
  let profile: Uint8Array = new Uint8Array(0);
  eachField(reader, endOfMessage(reader), (number, wireType) => {
    if (number !== 1 || wireType !== 2) return false;
    const end = endOfMessage(reader);
    profile = reader.buf.subarray(reader.pos, end);
    reader.pos = end;
    return true;
  });
  return profile;
}

/** Reads a length and returns the end of the message. Errors: RangeError past the buffer. */
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
  read: (number: number, wireType: number) => boolean,
): void {
  while (reader.pos < end) {
    const { number, wireType } = readTag(reader);
    if (!read(number, wireType)) reader.skipType(wireType);
  }
  if (reader.pos !== end) throw new RangeError(`message ends inside a field at ${end}`);
}
