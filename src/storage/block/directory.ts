// The directory of a block: its shapes of streams, its labels, and where their postings are.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { AppError } from '../../base/errors.ts';
import {
  decodeShape,
  encodeShape,
  shapeText,
  type Shape,
  type StreamKey,
} from '../series/stream-key.ts';
import { decodePieces, encodePieces, type Piece } from './piece.ts';

export interface ShapeTable extends Shape {
  /** Streams of this shape: one list of postings. */
  readonly postings: readonly Piece[];
}

export interface LabelTable {
  readonly name: string;
  readonly valueCount: number;
  /** Its values, ascending: see text-column.ts. */
  readonly values: readonly Piece[];
  /** Streams of each value. */
  readonly postings: readonly Piece[];
}

/** A name of text labels that samples have. */
export interface SampleNameTable {
  readonly name: string;
  /** Two lists: streams without such a label of their own, and streams with one. */
  readonly postings: readonly Piece[];
}

export interface Directory {
  /** What times of entries are relative to. */
  readonly baseNanos: bigint;
  readonly streamCount: number;
  /** By text of the shape, ascending. */
  readonly shapes: readonly ShapeTable[];
  /** By name, ascending. */
  readonly labels: readonly LabelTable[];
  readonly sampleNames: readonly SampleNameTable[];
  /** Entries of `streamsPerGroup` streams each. */
  readonly groups: readonly Piece[];
}

/** Streams whose entries are one piece: what a look at one stream has to read. */
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

/** Errors: AppError 'data-loss'. */
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

/** The order of streams in a block: by shape, then by labels, name and value by name and value. */
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

/** By UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
