// The directory in the index of a block: shapes, labels and the offsets of their postings.
import { ByteReader, ByteWriter } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import type { Steps } from '../../../base/pacer.ts';
import { decodeShape, encodeShape, type Shape } from '../../series/stream-key.ts';
import { decodePieces, encodePieces, type Piece } from '../bytes/piece.ts';
import { LabelTables } from './label-tables.ts';

export interface ShapeTable extends Shape {
  /** Postings of the streams of this shape. */
  readonly postings: readonly Piece[];
}

/** The tables of a directory except the labels. */
interface Tables {
  /** Time in nanoseconds to which the times in entries are relative. */
  readonly baseNanos: bigint;
  readonly streamCount: number;
  /** Shapes in the order of their strings. */
  readonly shapes: readonly ShapeTable[];
  /**
   * Postings of each string sample label, by name. Each label has two lists: the streams without a
   * series label of this name, and the streams with one.
   */
  readonly sampleNames: ReadonlyMap<string, readonly Piece[]>;
  /** Entries of streams, `streamsPerGroup` in each group. */
  readonly groups: readonly Piece[];
}

export interface Directory extends Tables {
  readonly labels: LabelTables;
}

/** A directory to write. Its labels are written by `encodeLabel`, in the order of their names. */
export interface NewDirectory extends Tables {
  readonly labelCount: number;
  readonly labels: Uint8Array;
}

/**
 * Number of streams in a group. The entries of a group are one piece, which must be read to look up
 * one stream.
 */
export const streamsPerGroup = 128;

/** Shapes or sample label names that are read or written between two pauses. */
const tablesPerStep = 512;

/**
 * Writes a label: its values in ascending order (see text-column.ts), and the postings of each
 * value.
 */
export function encodeLabel(
  writer: ByteWriter,
  name: string,
  valueCount: number,
  values: readonly Piece[],
  postings: readonly Piece[],
): void {
  writer.text(name);
  writer.varint(valueCount);
  encodePieces(writer, values);
  encodePieces(writer, postings);
}

/** Encodes a directory. `pause` is awaited about every millisecond. */
export async function encodeDirectory(
  directory: NewDirectory,
  pause: () => Promise<void>,
): Promise<Uint8Array> {
  const writer = new ByteWriter(4096);
  writer.i64(directory.baseNanos);
  writer.varint(directory.streamCount);
  writer.varint(directory.shapes.length);
  let tables = 0;
  for (const shape of directory.shapes) {
    encodeShape(writer, shape);
    encodePieces(writer, shape.postings);
    tables += 1;
    if (tables % tablesPerStep === 0) await pause();
  }
  writer.varint(directory.labelCount);
  writer.raw(directory.labels);
  writer.varint(directory.sampleNames.size);
  for (const [name, postings] of directory.sampleNames) {
    writer.text(name);
    encodePieces(writer, postings);
    tables += 1;
    if (tables % tablesPerStep === 0) await pause();
  }
  encodePieces(writer, directory.groups);
  return writer.bytes.subarray(0, writer.length);
}

/** Decodes a directory in steps. Errors: AppError 'data-loss'. */
export function* decodeDirectory(bytes: Uint8Array, fileBytes: number): Steps<Directory> {
  const reader = new ByteReader(bytes);
  const baseNanos = reader.i64();
  const streamCount = reader.varint();
  const shapes: ShapeTable[] = [];
  for (let left = reader.varint(); left > 0; left -= 1) {
    const shape = decodeShape(reader);
    shapes.push({ ...shape, postings: decodePieces(reader, fileBytes) });
    if (left % tablesPerStep === 0) yield;
  }
  const labels = yield* LabelTables.read(reader, reader.varint(), fileBytes);
  const sampleNames = new Map<string, readonly Piece[]>();
  for (let left = reader.varint(); left > 0; left -= 1) {
    sampleNames.set(reader.text(), decodePieces(reader, fileBytes));
    if (left % tablesPerStep === 0) yield;
  }
  const groups = decodePieces(reader, fileBytes);
  if (groups.length !== Math.ceil(streamCount / streamsPerGroup)) {
    throw new AppError('data-loss', 'cannot read directory: groups of streams are missing');
  }
  return { baseNanos, streamCount, shapes, labels, sampleNames, groups };
}
