// Removes sample types from a pprof message without decoding its stacks and symbols.
import type { ValueType } from '../../model/profile-type.ts';
import { ProtobufWriter } from '../protobuf-writer.ts';
import { bytesWire, eachField, readSpan, type ByteSpan } from '../wire-fields.ts';
import { readPprofHead } from './head.ts';
import { WireReader } from '../wire-reader.ts';

const fields = { sampleType: 1, sample: 2, value: 2 };

/** Returns the number of samples of an uncompressed message. Errors: DecodeError. */
export function countSamples(message: Uint8Array): number {
  const reader = new WireReader();
  reader.open(message);
  let count = 0;
  eachField(reader, { start: 0, end: message.length }, (field) => {
    if (field === fields.sample) count += 1;
  });
  return count;
}

/**
 * Returns an uncompressed message with only the wanted sample types and their values, or the
 * message itself if it has no others.
 *
 * Errors: DecodeError.
 */
export function keepSampleTypes(message: Uint8Array, wanted: readonly ValueType[]): Uint8Array {
  const isKept = readPprofHead(message).sampleTypes.map(({ type, unit }) =>
    wanted.some((one) => one.type === type && one.unit === unit),
  );
  if (isKept.every(Boolean)) return message;
  const reader = new WireReader();
  reader.open(message);
  const out = new ProtobufWriter();
  let typeCount = 0;
  eachPiece(reader, { start: 0, end: message.length }, (field, wire, piece) => {
    if (field === fields.sampleType && wire === bytesWire) {
      if (isKept[typeCount]) appendTo(out, message, piece);
      typeCount += 1;
    } else if (field === fields.sample && wire === bytesWire) {
      writeSample(out, reader, message, piece.content, isKept);
    } else appendTo(out, message, piece);
  });
  return out.finish().slice();
}

function writeSample(
  out: ProtobufWriter,
  reader: WireReader,
  message: Uint8Array,
  sample: ByteSpan,
  isKept: readonly boolean[],
): void {
  const begun = out.begin(fields.sample);
  const values: bigint[] = [];
  eachPiece(reader, sample, (field, wire, piece) => {
    if (field !== fields.value) {
      appendTo(out, message, piece);
      return;
    }
    // The field is a packed list of numbers, or a single number.
    const end = reader.pos;
    reader.pos = piece.content.start;
    if (wire !== bytesWire) values.push(reader.int64());
    else while (reader.pos < piece.content.end) values.push(reader.int64());
    reader.pos = end;
  });
  const packed = out.begin(fields.value);
  for (const [i, value] of values.entries()) if (isKept[i]) out.varint64(value);
  out.end(packed);
  out.end(begun);
}

/** A field with its tag, and its content. */
interface Piece extends ByteSpan {
  readonly content: ByteSpan;
}

/** Calls `take` with every field, after the reader has moved past it. */
function eachPiece(
  reader: WireReader,
  range: ByteSpan,
  take: (field: number, wire: number, piece: Piece) => void,
): void {
  let start = range.start;
  eachField(reader, range, (field, wire) => {
    const contentStart = reader.pos;
    let content = { start: contentStart, end: contentStart };
    if (wire === bytesWire) content = readSpan(reader, range.end);
    else reader.skip(wire, field, range.end);
    const end = reader.pos;
    take(field, wire, { start, end, content });
    reader.pos = end;
    start = end;
  });
}

function appendTo(out: ProtobufWriter, message: Uint8Array, { start, end }: ByteSpan): void {
  out.raw(message.subarray(start, end));
}
