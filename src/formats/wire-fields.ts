// Passes each field of a protobuf message to a function. It is for messages where speed does not
// matter.
import type { Steps } from '../base/pacer.ts';
import { WireReader } from './wire-reader.ts';

/** Wire types of protobuf. */
export const varintWire = 0;
export const fixed64Wire = 1;
export const bytesWire = 2;

/** A range of the message's bytes. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Calls `take` with every field from `start` to `end`; the reader is at the field's content. Fields
 * that `take` did not read are skipped.
 *
 * Errors: DecodeError.
 */
export function eachField(
  reader: WireReader,
  { start, end }: ByteSpan,
  take: (field: number, wire: number) => void,
): void {
  reader.pos = start;
  while (reader.pos < end) {
    const tag = reader.index();
    const field = tag >>> 3;
    if (tag < 0 || field === 0) throw reader.fail('invalid field number');
    const content = reader.pos;
    take(field, tag & 7);
    if (reader.pos === content) reader.skip(tag & 7, field, end);
    if (reader.pos > end) throw reader.fail('a field passes the end of its message');
  }
}

/** Number of fields that are read in one step, which takes 0.1 ms. */
const fieldsPerStep = 8_192;

/** Like `eachField`, but in steps, because a message may have many fields of two bytes. */
export function* eachFieldInSteps(
  reader: WireReader,
  { start, end }: ByteSpan,
  take: (field: number, wire: number) => void,
): Steps<void> {
  reader.pos = start;
  for (let left = fieldsPerStep; reader.pos < end; left -= 1) {
    if (left === 0) {
      yield;
      left = fieldsPerStep;
    }
    const tag = reader.index();
    const field = tag >>> 3;
    if (tag < 0 || field === 0) throw reader.fail('invalid field number');
    const content = reader.pos;
    take(field, tag & 7);
    if (reader.pos === content) reader.skip(tag & 7, field, end);
    if (reader.pos > end) throw reader.fail('a field passes the end of its message');
  }
}

/** Reads the strings of some rows from a message, whose string table is the field `field`. */
export function* readStringsInSteps(
  message: Uint8Array,
  field: number,
  rows: ReadonlySet<number>,
): Steps<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const reader = new WireReader();
  reader.open(message);
  const end = message.length;
  const decoder = new TextDecoder();
  let row = 0;
  yield* eachFieldInSteps(reader, { start: 0, end }, (number, wire) => {
    if (number !== field || wire !== bytesWire) return;
    if (rows.has(row)) {
      const span = readSpan(reader, end);
      texts.set(row, decoder.decode(message.subarray(span.start, span.end)));
    }
    row += 1;
  });
  return texts;
}

/** Reads the length of a nested message, returns its span, and moves the reader past it. */
export function readSpan(reader: WireReader, end: number): ByteSpan {
  const contentEnd = reader.endOfBytes(end);
  const span = { start: reader.pos, end: contentEnd };
  reader.pos = contentEnd;
  return span;
}

/** Reads the numbers of a repeated field, packed or not; -1 for numbers above 2^31. */
export function readIndices(reader: WireReader, wire: number, end: number, into: number[]): void {
  if (wire !== bytesWire) {
    into.push(reader.index());
    return;
  }
  const packedEnd = reader.endOfBytes(end);
  while (reader.pos < packedEnd) into.push(reader.index());
  if (reader.pos !== packedEnd) throw reader.fail('a number passes the end of its list');
}

/** Reads eight bytes as an unsigned number. */
export function readFixed64(reader: WireReader): bigint {
  const value = reader.view.getBigUint64(reader.pos, true);
  reader.pos += 8;
  return value;
}
