// The directory of a block's index: shapes, labels and the places of their postings.
import { ByteReader, ByteWriter } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import {
  decodeShape,
  encodeShape,
  shapeText,
  type Shape,
  type StreamKey,
} from '../../series/stream-key.ts';
import { decodePieces, encodePieces, type Piece } from '../piece.ts';

export interface ShapeTable extends Shape {
  /** Postings of the streams of this shape. */
  readonly postings: readonly Piece[];
}

export interface LabelTable {
  readonly name: string;
  readonly valueCount: number;
  /** Values, ascending; see text-column.ts. */
  readonly values: readonly Piece[];
  /** Postings of each value. */
  readonly postings: readonly Piece[];
}

/** Name of text labels of samples. */
export interface SampleNameTable {
  readonly name: string;
  /** Two lists: streams without and with a series label of this name. */
  readonly postings: readonly Piece[];
}

export interface Directory {
  /** Start of the times of entries. */
  readonly baseNanos: bigint;
  readonly streamCount: number;
  /** Shapes in the order of their texts. */
  readonly shapes: readonly ShapeTable[];
  /** Labels in the order of their names. */
  readonly labels: readonly LabelTable[];
  readonly sampleNames: readonly SampleNameTable[];
  /** Entries of `streamsPerGroup` streams each. */
  readonly groups: readonly Piece[];
}

/** Number of streams whose entries are one piece, which is read to look up one stream. */
export const streamsPerGroup = 128;

export function encodeDirectory(directory: Directory): Uint8Array {
  const writer = new ByteWriter(4096);
  writer.i64(directory.baseNanos);
  writer.varint(directory.streamCount);
  writer.varint(directory.shapes.length);
  for (const shape of directory.shapes) {
    encodeShape(writer, shape);
    encodePieces(writer, shape.postings);
  }
  writer.varint(directory.labels.length);
  for (const { name, valueCount, values, postings } of directory.labels) {
    writer.text(name);
    writer.varint(valueCount);
    encodePieces(writer, values);
    encodePieces(writer, postings);
  }
  writer.varint(directory.sampleNames.length);
  for (const { name, postings } of directory.sampleNames) {
    writer.text(name);
    encodePieces(writer, postings);
  }
  encodePieces(writer, directory.groups);
  return writer.copy();
}

/** Decodes a directory. Errors: AppError 'data-loss'. */
export function decodeDirectory(bytes: Uint8Array, fileBytes: number): Directory {
  const reader = new ByteReader(bytes);
  const list = <T>(read: () => T): T[] => Array.from({ length: reader.varint() }, read);
  const directory: Directory = {
    baseNanos: reader.i64(),
    streamCount: reader.varint(),
    shapes: list(() => ({
      ...decodeShape(reader),
      postings: decodePieces(reader, fileBytes),
    })),
    labels: list(() => ({
      name: reader.text(),
      valueCount: reader.varint(),
      values: decodePieces(reader, fileBytes),
      postings: decodePieces(reader, fileBytes),
    })),
    sampleNames: list(() => ({ name: reader.text(), postings: decodePieces(reader, fileBytes) })),
    groups: decodePieces(reader, fileBytes),
  };
  if (directory.groups.length !== Math.ceil(directory.streamCount / streamsPerGroup)) {
    throw new AppError('data-loss', 'cannot read directory: groups of streams are missing');
  }
  return directory;
}

/** Compares streams as blocks order them: by shape, then by the names and values of labels. */
export function compareStreamKeys(a: StreamKey, b: StreamKey): number {
  const byShape = compareTexts(shapeText(a), shapeText(b));
  if (byShape !== 0) return byShape;
  for (let i = 0; i < a.labels.length && i < b.labels.length; i += 1) {
    const byName = compareTexts(a.labels[i].name, b.labels[i].name);
    if (byName !== 0) return byName;
    const byValue = compareTexts(a.labels[i].value, b.labels[i].value);
    if (byValue !== 0) return byValue;
  }
  return a.labels.length - b.labels.length;
}

/** Compares texts by UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
