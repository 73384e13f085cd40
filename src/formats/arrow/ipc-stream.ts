// Writes columns as an Arrow IPC stream with one record batch, whose buffers are LZ4 frames.
import { releaseMemory } from '../../base/bytes.ts';
import { assert } from '../../base/assert.ts';
import { type Bits, packBits } from './bits.ts';
import type { ArrowColumn, BinaryValues } from './column.ts';
import { storeFrame, type FrameCompressor } from './lz4-frame.ts';
import type { NestedColumn } from './nested-column.ts';
import {
  dictionaryBatchMessage,
  nestedSchemaMessage,
  recordBatchMessage,
  schemaMessage,
  type BatchLayout,
} from './schema.ts';

/** Size below which compressing a buffer is not worthwhile. */
const compressBytesMin = 64;

/** An encoded stream whose parts have not been joined yet. */
export interface EncodedStream {
  readonly byteLength: number;
  /**
   * Copies the stream into `target` at offset `at`, and releases the stream's memory. May be called
   * only once.
   */
  moveTo(target: Uint8Array, at: number): void;
}

/** Encodes one batch of `rowCount` rows as a single byte array. */
export function encodeIpcStream(
  columns: Iterable<ArrowColumn>,
  rowCount: number,
  compress: FrameCompressor,
): Uint8Array {
  return moved(encodeIpc(columns, rowCount, compress));
}

/**
 * Encodes one batch of `rowCount` rows. Each column is read before the next one is requested, so
 * that all columns can use the same memory.
 *
 * Every buffer is a frame preceded by its uncompressed length. The format also allows buffers that
 * are marked as uncompressed (-1), but flechette, which Parca's UI uses, fails on such buffers
 * unless the message happens to be aligned in memory. Source:
 * https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
 */
export function encodeIpc(
  columns: Iterable<ArrowColumn>,
  rowCount: number,
  compress: FrameCompressor,
): EncodedStream {
  const frames = new Frames(compress);
  const dictionaries = new Pieces();
  const rows = new Batch(frames);
  const all: ArrowColumn[] = [];
  for (const column of columns) {
    addRows(rows, column, rowCount);
    if (column.kind === 'dictionary') {
      const values = new Batch(frames);
      addValues(values, column.dictionary);
      const layout = values.layout(column.dictionary.offsets.length - 1);
      dictionaries.addMessage(dictionaryBatchMessage(all.length, layout), values.body);
    }
    all.push(column);
  }
  const pieces = new Pieces();
  pieces.addMessage(schemaMessage(all), []);
  pieces.add(dictionaries.all);
  pieces.addMessage(recordBatchMessage(rows.layout(rowCount)), rows.body);
  pieces.add([endOfStream]);
  return toStream(pieces, frames);
}

/** The continuation marker and a length of 0. */
const endOfStream = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/**
 * Encodes one batch of nested columns. Without `compress`, buffers are not compressed. A dictionary
 * comes after the dictionaries that its entries refer to.
 */
export function encodeNestedStream(
  columns: readonly NestedColumn[],
  rowCount: number,
  metadata: readonly (readonly [key: string, value: string])[],
  compress: FrameCompressor | undefined,
): Uint8Array {
  const ids = new Map<NestedColumn, number>();
  const frames = new Frames(compress);
  const bodies = new Pieces();
  const addDictionaries = (column: NestedColumn): void => {
    for (const child of (column.dictionary ?? column).children ?? []) addDictionaries(child);
    if (column.dictionary === undefined) return;
    const id = ids.size;
    ids.set(column, id);
    const batch = new Batch(frames);
    addNested(batch, column.dictionary);
    const layout = batch.layout(column.dictionary.length);
    bodies.addMessage(dictionaryBatchMessage(id, layout), batch.body);
  };
  for (const column of columns) addDictionaries(column);
  const batch = new Batch(frames);
  for (const column of columns) addNested(batch, column);
  bodies.addMessage(recordBatchMessage(batch.layout(rowCount)), batch.body);
  const dictionaryId = (column: NestedColumn): number => ids.get(column) ?? 0;
  const pieces = new Pieces();
  pieces.addMessage(nestedSchemaMessage(columns, dictionaryId, metadata), []);
  pieces.add(bodies.all);
  pieces.add([endOfStream]);
  return moved(toStream(pieces, frames));
}

function addNested(batch: Batch, column: NestedColumn): void {
  const { type, length, valid, buffers, children = [], dictionary } = column;
  // A run-end column has no nulls of its own: its values column has them.
  if (type.kind === 'runs') batch.addNodeOfRuns(length);
  else batch.addNode(length, valid && packBits(valid));
  for (const buffer of buffers) batch.addBuffer(buffer);
  if (dictionary !== undefined) return;
  if (type.kind === 'text-view') batch.viewBuffers.push(buffers.length - 1);
  for (const child of children) addNested(batch, child);
}

function addRows(batch: Batch, column: ArrowColumn, rowCount: number): void {
  assert(column.valid === undefined || hasFlags(column.valid, rowCount), 'a flag for each row');
  batch.addNode(rowCount, column.valid);
  switch (column.kind) {
    case 'bool':
      assert(hasFlags(column.values, rowCount), `column ${column.name} has a value in each row`);
      batch.addBuffer(column.values.bytes);
      break;
    case 'integer':
      assert(column.values.length === rowCount, `column ${column.name} has a value in each row`);
      batch.addBuffer(column.values);
      break;
    case 'dictionary':
      batch.addBuffer(column.indices);
      break;
    case 'list':
      assert(column.offsets.length === rowCount + 1, `column ${column.name} has its offsets`);
      batch.addBuffer(column.offsets);
      batch.addNode(column.values.length, undefined);
      batch.addBuffer(column.values);
      break;
  }
}

function hasFlags({ bytes }: Bits, rowCount: number): boolean {
  return bytes.length === Math.ceil(rowCount / 64) * 8;
}

function addValues(batch: Batch, { offsets, data }: BinaryValues): void {
  batch.addNode(offsets.length - 1, undefined);
  batch.addBuffer(offsets);
  batch.addBuffer(data);
}

/** A batch under construction: its nodes, and the parts of its body. */
class Batch {
  readonly body: Uint8Array[] = [];
  /** Number of data buffers of each view column. */
  readonly viewBuffers: number[] = [];
  readonly #nodeLengths: number[] = [];
  readonly #nodeNulls: number[] = [];
  readonly #bufferOffsets: number[] = [];
  readonly #bufferLengths: number[] = [];
  #bodyLength = 0;
  readonly #frames: Frames;

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /** Adds a field and its buffer of validity flags; `valid` has a 1 for each value that exists. */
  addNode(length: number, valid: Bits | undefined): void {
    const nulls = valid === undefined ? 0 : length - valid.ones;
    this.#nodeLengths.push(length);
    this.#nodeNulls.push(nulls);
    this.addBuffer(valid === undefined || nulls === 0 ? noBits : valid.bytes);
  }

  /** Adds a field without validity flags. */
  addNodeOfRuns(length: number): void {
    this.#nodeLengths.push(length);
    this.#nodeNulls.push(0);
  }

  addBuffer(array: ArrayBufferView): void {
    const frame = this.#frames.compress(array);
    const length = frame.reduce((sum, piece) => sum + piece.length, 0);
    const padding = -length & 7;
    this.#bufferOffsets.push(this.#bodyLength);
    this.#bufferLengths.push(length);
    this.body.push(...frame);
    if (padding > 0) this.body.push(new Uint8Array(padding));
    this.#bodyLength += length + padding;
  }

  layout(rowCount: number): BatchLayout {
    return {
      rowCount,
      nodeLengths: this.#nodeLengths,
      nodeNulls: this.#nodeNulls,
      bufferOffsets: this.#bufferOffsets,
      bufferLengths: this.#bufferLengths,
      bodyLength: this.#bodyLength,
      viewBuffers: this.viewBuffers,
      isCompressed: this.#frames.isCompressing,
    };
  }
}

const noBits = new Uint8Array(0);

function viewBytes(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Compresses buffers. An array that several columns share is compressed only once. */
class Frames {
  readonly #compress: FrameCompressor | undefined;
  /** Finished buffers in the layout of the body, by the array that they were made from. */
  readonly #known = new Map<ArrayBufferView, readonly Uint8Array[]>();
  readonly #compressed: Uint8Array[] = [];

  /** Creates frames; without `compress`, buffers are not compressed. */
  constructor(compress: FrameCompressor | undefined) {
    this.#compress = compress;
  }

  get isCompressing(): boolean {
    return this.#compress !== undefined;
  }

  /** Returns a buffer in the layout of the body: its uncompressed length, then its frame. */
  compress(array: ArrayBufferView): readonly Uint8Array[] {
    const known = this.#known.get(array);
    if (known !== undefined) return known;
    const frame = this.#make(viewBytes(array));
    this.#known.set(array, frame);
    return frame;
  }

  /**
   * Releases the memory of all frames. Otherwise V8 would start a full garbage collection after
   * 64 MB of frames, and that collection would also discard compiled loops.
   */
  release(): void {
    for (const bytes of this.#compressed) releaseMemory(bytes);
  }

  #make(buffer: Uint8Array): readonly Uint8Array[] {
    if (buffer.length === 0) return [];
    if (this.#compress === undefined) return [buffer];
    const length = viewBytes(new Uint32Array([buffer.length, 0]));
    if (buffer.length < compressBytesMin) return [length, storeFrame(buffer)];
    const frame = this.#compress(buffer);
    this.#compressed.push(frame);
    return [length, frame];
  }
}

/** Consecutive parts of a stream. */
class Pieces {
  readonly all: Uint8Array[] = [];

  add(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.all.push(piece);
  }

  addMessage(metadata: Uint8Array, body: readonly Uint8Array[]): void {
    assert(metadata.length % 8 === 0, 'metadata is padded to 8 bytes');
    const head = new Uint8Array(8).fill(0xff);
    new DataView(head.buffer).setInt32(4, metadata.length, true);
    this.all.push(head, metadata);
    this.add(body);
  }
}

function toStream({ all }: Pieces, frames: Frames): EncodedStream {
  return {
    byteLength: all.reduce((sum, { length }) => sum + length, 0),
    moveTo: (target, at) => {
      let end = at;
      for (const piece of all) {
        target.set(piece, end);
        end += piece.length;
      }
      frames.release();
    },
  };
}

function moved(stream: EncodedStream): Uint8Array {
  const bytes = new Uint8Array(stream.byteLength);
  stream.moveTo(bytes, 0);
  return bytes;
}
