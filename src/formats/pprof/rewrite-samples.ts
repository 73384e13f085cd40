// Copies a pprof message field by field, and gives its samples other values.
import { ProtobufWriter } from '../protobuf-writer.ts';
import { bytesWire, type ByteSpan, eachField, readSpan } from '../wire-fields.ts';
import { WireReader } from '../wire-reader.ts';

const fields = { sampleType: 1, sample: 2, value: 2 };

/** Changes to make in a copy. */
export interface SampleChanges {
  /** Returns true if the sample type of this number is copied. */
  keepsType(index: number): boolean;
  /** Returns the new values of a sample. `row` is its number in the message. */
  values(values: readonly bigint[], row: number): Iterable<bigint>;
}

/** Returns a copy of an uncompressed message. Errors: DecodeError. */
export function rewriteSamples(message: Uint8Array, changes: SampleChanges): Uint8Array {
  const reader = new WireReader();
  reader.open(message);
  const out = new ProtobufWriter();
  let typeCount = 0;
  let row = 0;
  eachPiece(reader, { start: 0, end: message.length }, (field, wire, piece) => {
    if (field === fields.sampleType && wire === bytesWire) {
      if (changes.keepsType(typeCount)) appendTo(out, message, piece);
      typeCount += 1;
    } else if (field === fields.sample && wire === bytesWire) {
      writeSample(out, reader, message, piece.content, (values) => changes.values(values, row));
      row += 1;
    } else appendTo(out, message, piece);
  });
  return out.finish().slice();
}

function writeSample(
  out: ProtobufWriter,
  reader: WireReader,
  message: Uint8Array,
  sample: ByteSpan,
  change: (values: readonly bigint[]) => Iterable<bigint>,
): void {
  const begun = out.begin(fields.sample);
  const values: bigint[] = [];
  eachPiece(reader, sample, (field, wire, piece) => {
    if (field !== fields.value) {
      appendTo(out, message, piece);
      return;
    }
    // The field has either packed numbers or a single number.
    const end = reader.pos;
    reader.pos = piece.content.start;
    if (wire !== bytesWire) values.push(reader.int64());
    else while (reader.pos < piece.content.end) values.push(reader.int64());
    reader.pos = end;
  });
  const packed = out.begin(fields.value);
  for (const value of change(values)) out.varint64(value);
  out.end(packed);
  out.end(begun);
}

/** A field: the span with its tag, and the span of its content. */
interface Piece extends ByteSpan {
  readonly content: ByteSpan;
}

/** Calls `take` with every field, after the reader has passed the field. */
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
