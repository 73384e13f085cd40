// The messages of an Arrow IPC stream: schema, dictionary batches, record batches.
//
// Only metadata is read here, so that the size of all buffers is known before memory is allocated.
// Source: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format
import { inputLimits, overInputLimit } from '../../../base/input-limits.ts';
import { badStream } from './bad-stream.ts';
import { overLimit } from './over-limit.ts';
import { FlatTable } from './flatbuffer-reader.ts';
import { readSchema, type Schema } from './schema.ts';

/** A batch whose buffers have not been read yet. */
export interface EncodedBatch {
  /** Undefined for a record batch. */
  readonly dictionary: { readonly id: number; readonly isDelta: boolean } | undefined;
  readonly length: number;
  /** A pair for each field: its length and its number of nulls. */
  readonly nodes: Float64Array;
  readonly buffers: readonly EncodedBuffer[];
  /** Number of data buffers of each view column. */
  readonly viewBuffers: Float64Array;
}

/** Compression of a buffer. */
export type BufferCodec = 'plain' | 'lz4' | 'zstd';

/** A buffer in a stream. */
export interface EncodedBuffer {
  readonly bytes: Uint8Array;
  readonly codec: BufferCodec;
  /** Uncompressed length in bytes. */
  readonly length: number;
}

export interface EncodedStream {
  readonly schema: Schema;
  readonly batches: readonly EncodedBatch[];
}

// Constants of Message.fbs, https://github.com/apache/arrow/blob/main/format/Message.fbs
const version5 = 4;
const headerSchema = 1;
const headerDictionaryBatch = 2;
const headerRecordBatch = 3;
/** Codecs by their number. */
const codecs: readonly BufferCodec[] = ['lz4', 'zstd'];
const continuation = 0xffff_ffff;
/** Number of uncompressed bytes that are allowed at any compression ratio. */
const freeBytes = 1024 * 1024;

/** Totals over all streams of one write. */
export class StreamTotals {
  /** Number of bytes that were sent. */
  encodedBytes = 0;
  /** Uncompressed size of all buffers, each rounded up to a multiple of 8. */
  plainBytes = 0;
  #batches = 0;

  /** Counts a buffer. Errors: AppError 'resource-exhausted'. */
  addBuffer(bytes: number): void {
    this.plainBytes += roundedUp(bytes);
    if (this.plainBytes > inputLimits.arrowBytes) {
      throw overLimit('arrowBytes', 'bytes without compression', this.plainBytes);
    }
    const bytesMax = freeBytes + inputLimits.inflation * this.encodedBytes;
    if (this.plainBytes <= bytesMax) return;
    throw overInputLimit(
      'inflation',
      `cannot read Arrow stream: its ${this.encodedBytes} bytes grow to more than ${bytesMax}: ` +
        `the limit is ${inputLimits.inflation} times as many`,
    );
  }

  addBatch(): void {
    this.#batches += 1;
    if (this.#batches > inputLimits.arrowBatches)
      throw overLimit('arrowBatches', 'batches', this.#batches);
  }
}

/** Rounds up to a multiple of 8. */
export function roundedUp(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/**
 * Reads the metadata of a stream. A stream may end without its end mark.
 *
 * Ownership: buffers are views of `bytes`. Errors: as in badStream and overLimit.
 */
export function readMessages(bytes: Uint8Array, totals: StreamTotals): EncodedStream {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  totals.encodedBytes += bytes.length;
  let schema: Schema | undefined;
  const batches: EncodedBatch[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (bytes.length - at < 8) throw badStream(`it ends within a message at byte ${at}`);
    if (view.getUint32(at, true) !== continuation) throw badStream(`no message at byte ${at}`);
    const metadataBytes = view.getInt32(at + 4, true);
    at += 8;
    if (metadataBytes === 0) break;
    if (metadataBytes < 0 || metadataBytes > inputLimits.arrowMetadataBytes) {
      throw overLimit('arrowMetadataBytes', 'bytes of metadata in one message', metadataBytes);
    }
    if (metadataBytes > bytes.length - at)
      throw badStream(`it ends within a message at byte ${at}`);
    const message = FlatTable.root(bytes.subarray(at, at + metadataBytes));
    at += metadataBytes;
    const bodyBytes = message.count(3);
    if (bodyBytes > bytes.length - at) throw badStream(`it ends within a body at byte ${at}`);
    const body = bytes.subarray(at, at + bodyBytes);
    at += bodyBytes;
    const header = message.table(2);
    if (message.int16(0, 0) !== version5 || header === undefined) {
      throw badStream(`a message is of version ${message.int16(0, 0) + 1}, not 5`);
    }
    const type = message.int8(1, 0);
    if (type === headerSchema) {
      if (schema !== undefined) throw badStream('it has two schemas');
      schema = readSchema(header);
      continue;
    }
    if (schema === undefined) throw badStream('it has a batch before its schema');
    totals.addBatch();
    batches.push(readBatchMessage(type, header, body, totals));
  }
  if (schema === undefined) throw badStream('it has no schema');
  return { schema, batches };
}

function readBatchMessage(
  type: number,
  header: FlatTable,
  body: Uint8Array,
  totals: StreamTotals,
): EncodedBatch {
  if (type === headerRecordBatch) return readBatch(header, body, undefined, totals);
  if (type !== headerDictionaryBatch) throw badStream(`it has a message of type ${type}`);
  const data = header.table(1);
  if (data === undefined) throw badStream('a dictionary batch has no data');
  const dictionary = { id: header.count(0), isDelta: header.int8(2, 0) === 1 };
  return readBatch(data, body, dictionary, totals);
}

function readBatch(
  table: FlatTable,
  body: Uint8Array,
  dictionary: EncodedBatch['dictionary'],
  totals: StreamTotals,
): EncodedBatch {
  const length = table.count(0);
  if (length > inputLimits.arrowRows) throw overLimit('arrowRows', 'rows', length);
  const compression = table.table(3);
  const codec = compression === undefined ? 'plain' : codecs[compression.int8(0, 0)];
  if (codec === undefined) throw badStream('its buffers are compressed by an unknown codec');
  const places = table.counts(2, 2);
  const buffers: EncodedBuffer[] = [];
  for (let i = 0; i < places.length; i += 2) {
    const [from, bytes] = [places[i], places[i + 1]];
    if (from > body.length || bytes > body.length - from) {
      throw badStream(`a buffer of ${bytes} bytes at ${from} is outside of its body`);
    }
    const stored = body.subarray(from, from + bytes);
    const buffer = codec === 'plain' ? plainBuffer(stored) : readBuffer(stored, codec);
    totals.addBuffer(buffer.length);
    buffers.push(buffer);
  }
  return { dictionary, length, nodes: table.counts(1, 2), buffers, viewBuffers: table.counts(4) };
}

function plainBuffer(bytes: Uint8Array): EncodedBuffer {
  return { bytes, codec: 'plain', length: bytes.length };
}

/**
 * Reads a buffer of a compressed body: its length, followed by a frame; -1 marks an uncompressed
 * buffer.
 */
function readBuffer(stored: Uint8Array, codec: BufferCodec): EncodedBuffer {
  if (stored.length === 0) return plainBuffer(stored);
  if (stored.length < 8) throw badStream(`a compressed buffer has ${stored.length} bytes`);
  const view = new DataView(stored.buffer, stored.byteOffset, 8);
  const length = view.getBigInt64(0, true);
  const bytes = stored.subarray(8);
  if (length === -1n) return plainBuffer(bytes);
  if (length < 0n) throw badStream(`a compressed buffer has a length of ${length}`);
  if (length > BigInt(inputLimits.arrowBytes)) {
    throw overLimit('arrowBytes', 'bytes in a buffer', Number(length));
  }
  return { bytes, codec, length: Number(length) };
}
