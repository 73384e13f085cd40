// Columns to an Arrow IPC stream with one record batch, its buffers compressed as LZ4 frames.
import { assert } from '../../base/assert.ts';
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

/** Smaller buffers are not worth a call of the compressor. */
const compressBytesMin = 64;

/** Encodes one batch of `rowCount` rows. */
export async function encodeIpcStream(
  columns: readonly ArrowColumn[],
  rowCount: number,
  compress: FrameCompressor,
): Promise<Uint8Array> {
  return Buffer.concat(await encodeIpcPieces(columns, rowCount, compress));
}

/**
 * Encodes one batch of `rowCount` rows, as pieces that follow each other.
 *
 * Every buffer is a frame with its plain length in front. The format also allows buffers that are
 * marked as plain (-1), but flechette, which Parca's UI reads with, fails on those unless the
 * message happens to lie aligned in memory.
 * Source: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
 */
export async function encodeIpcPieces(
  columns: readonly ArrowColumn[],
  rowCount: number,
  compress: FrameCompressor,
): Promise<Uint8Array[]> {
  const dictionaries = columns.flatMap((column, id) =>
    column.kind === 'dictionary' ? [{ id, values: column.dictionary }] : [],
  );
  const frames = new Frames(compress);
  // Texts come first: they are the largest, and are compressed while everything else is laid out.
  const texts = dictionaries.map(({ values }) => layOut(valuesOf(values), frames));
  const [rows, ...parts] = await Promise.all([layOut(rowsOf(columns, rowCount), frames), ...texts]);
  const pieces: Uint8Array[] = [];
  pushMessage(pieces, schemaMessage(columns), []);
  parts.forEach(({ layout, body }, i) => {
    pushMessage(pieces, dictionaryBatchMessage(dictionaries[i].id, layout), body);
  });
  pushMessage(pieces, recordBatchMessage(rows.layout), rows.body);
  pieces.push(endOfStream);
  return pieces;
}

/** The continuation marker and a length of 0. */
const endOfStream = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/**
 * Encodes one batch of nested columns. The buffers are plain without `compress`. A dictionary comes
 * after the dictionaries that its entries refer to.
 */
export async function encodeNestedStream(
  columns: readonly NestedColumn[],
  rowCount: number,
  metadata: readonly (readonly [key: string, value: string])[],
  compress: FrameCompressor | undefined,
): Promise<Uint8Array> {
  const ids = new Map<NestedColumn, number>();
  const frames = new Frames(compress);
  const pieces: Uint8Array[] = [];
  const bodies: Uint8Array[] = [];
  const addDictionaries = async (column: NestedColumn): Promise<void> => {
    for (const child of (column.dictionary ?? column).children ?? []) await addDictionaries(child);
    if (column.dictionary === undefined) return;
    const id = ids.size;
    ids.set(column, id);
    const { layout, body } = await layOut(nestedBatch([column.dictionary]), frames);
    pushMessage(bodies, dictionaryBatchMessage(id, layout), body);
  };
  for (const column of columns) await addDictionaries(column);
  const { layout, body } = await layOut({ ...nestedBatch(columns), rowCount }, frames);
  pushMessage(bodies, recordBatchMessage(layout), body);
  const idOf = (column: NestedColumn): number => ids.get(column) ?? 0;
  pushMessage(pieces, nestedSchemaMessage(columns, idOf, metadata), []);
  return Buffer.concat([...pieces, ...bodies, endOfStream]);
}

function nestedBatch(columns: readonly NestedColumn[]): Batch {
  const batch = { ...emptyBatch(columns[0]?.length ?? 0) };
  for (const column of columns) addNested(batch, column);
  return batch;
}

function addNested(batch: Batch, column: NestedColumn): void {
  const { type, length, valid, buffers, children = [], dictionary } = column;
  if (type.kind === 'runs') {
    // The nulls of runs are among their values.
    batch.nodeLengths.push(length);
    batch.nodeNulls.push(0);
  } else {
    addNode(batch, length, valid);
  }
  batch.buffers.push(...buffers.map(bytesOf));
  if (dictionary !== undefined) return;
  if (type.kind === 'text-view') batch.viewBuffers.push(buffers.length - 1);
  for (const child of children) addNested(batch, child);
}

/** A batch before its buffers are placed. */
interface Batch {
  readonly rowCount: number;
  readonly nodeLengths: number[];
  readonly nodeNulls: number[];
  readonly buffers: Uint8Array[];
  readonly viewBuffers: number[];
}

function emptyBatch(rowCount: number): Batch {
  return { rowCount, nodeLengths: [], nodeNulls: [], buffers: [], viewBuffers: [] };
}

function rowsOf(columns: readonly ArrowColumn[], rowCount: number): Batch {
  const batch = emptyBatch(rowCount);
  for (const column of columns) {
    assert(column.valid === undefined || column.valid.length === rowCount, 'a flag for each row');
    addNode(batch, rowCount, column.valid);
    switch (column.kind) {
      case 'bool':
        batch.buffers.push(packBits(column.values));
        break;
      case 'integer':
        assert(column.values.length === rowCount, `column ${column.name} has a value in each row`);
        batch.buffers.push(bytesOf(column.values));
        break;
      case 'dictionary':
        batch.buffers.push(bytesOf(column.indices));
        break;
      case 'list':
        assert(column.offsets.length === rowCount + 1, `column ${column.name} has its offsets`);
        batch.buffers.push(bytesOf(column.offsets));
        addNode(batch, column.values.length, undefined);
        batch.buffers.push(bytesOf(column.values));
        break;
    }
  }
  return batch;
}

function valuesOf({ offsets, data }: BinaryValues): Batch {
  const batch = emptyBatch(offsets.length - 1);
  addNode(batch, batch.rowCount, undefined);
  batch.buffers.push(bytesOf(offsets), data);
  return batch;
}

function addNode(batch: Batch, length: number, valid: Uint8Array | undefined): void {
  let nulls = 0;
  if (valid !== undefined) {
    nulls = length;
    for (let i = 0; i < length; i += 1) nulls -= valid[i];
  }
  batch.nodeLengths.push(length);
  batch.nodeNulls.push(nulls);
  batch.buffers.push(valid === undefined || nulls === 0 ? new Uint8Array(0) : packBits(valid));
}

/** Least significant bit first, padded to a multiple of 8 bytes. */
function packBits(flags: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 64) * 8);
  for (let i = 0; i < flags.length; i += 1) bits[i >> 3] |= flags[i] << (i & 7);
  return bits;
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

async function layOut(
  batch: Batch,
  frames: Frames,
): Promise<{ layout: BatchLayout; body: Uint8Array[] }> {
  const framed = batch.buffers.map((buffer) => frames.frameOf(buffer));
  const waited = allOf(framed);
  const stored = waited instanceof Promise ? await waited : waited;
  const body: Uint8Array[] = [];
  const bufferOffsets: number[] = [];
  const bufferLengths: number[] = [];
  let bodyLength = 0;
  for (const pieces of stored) {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const padding = -length & 7;
    bufferOffsets.push(bodyLength);
    bufferLengths.push(length);
    body.push(...pieces, new Uint8Array(padding));
    bodyLength += length + padding;
  }
  const { buffers: _, ...sizes } = batch;
  const places = { bufferOffsets, bufferLengths, bodyLength };
  return { layout: { ...sizes, ...places, isCompressed: frames.isCompressing }, body };
}

/**
 * Returns at once if no frame is a promise: promises of forty buffers take longer than their
 * frames.
 */
function allOf(framed: readonly (Frame | Promise<Frame>)[]): Frame[] | Promise<Frame[]> {
  const all: Frame[] = [];
  for (const one of framed) {
    if (one instanceof Promise) return Promise.all(framed.map((frame) => Promise.resolve(frame)));
    all.push(one);
  }
  return all;
}

/** A buffer as it lies in a body, in pieces. */
type Frame = Uint8Array[];

/** Compresses buffers; columns that share memory are compressed once. */
class Frames {
  readonly #compress: FrameCompressor | undefined;
  readonly #known: { readonly bytes: Uint8Array; readonly frame: Frame | Promise<Frame> }[] = [];

  /** Creates frames; without `compress`, buffers stay as they are. */
  constructor(compress: FrameCompressor | undefined) {
    this.#compress = compress;
  }

  get isCompressing(): boolean {
    return this.#compress !== undefined;
  }

  /** A buffer as it lies in the body: its plain length, then its frame. */
  frameOf(buffer: Uint8Array): Frame | Promise<Frame> {
    const known = this.#known.find(({ bytes }) => isSameMemory(bytes, buffer));
    if (known !== undefined) return known.frame;
    const frame = this.#make(buffer);
    this.#known.push({ bytes: buffer, frame });
    return frame;
  }

  #make(buffer: Uint8Array): Frame | Promise<Frame> {
    if (buffer.length === 0) return [];
    if (this.#compress === undefined) return [buffer];
    const length = bytesOf(new Uint32Array([buffer.length, 0]));
    if (buffer.length < compressBytesMin) return [length, storeFrame(buffer)];
    const frame = this.#compress(buffer);
    return frame instanceof Promise ? frame.then((one) => [length, one]) : [length, frame];
  }
}

function isSameMemory(a: Uint8Array, b: Uint8Array): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;
}

function pushMessage(pieces: Uint8Array[], metadata: Uint8Array, body: Uint8Array[]): void {
  assert(metadata.length % 8 === 0, 'metadata is padded to 8 bytes');
  const head = new Uint8Array(8).fill(0xff);
  new DataView(head.buffer).setInt32(4, metadata.length, true);
  pieces.push(head, metadata, ...body);
}
