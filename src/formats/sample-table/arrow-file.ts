// Writes a table of samples as an Arrow IPC file with Arrow's own library. Strings are stored in
// dictionaries.
import {
  compressionRegistry,
  CompressionType,
  type Data,
  Dictionary,
  Field,
  Int32,
  Int64,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
} from 'apache-arrow';
import { zstdCompressSync } from '../../base/threads/zlib.ts';
import { loadLz4Frames } from '../arrow/lz4-frame.ts';
import { sampleColumns, type SampleTable, type Words } from './sample-table.ts';

/**
 * Compression of the buffers of a file; `lz4` is the fastest, and `zstd` gives the smallest files.
 */
export type ArrowCompression = 'none' | 'lz4' | 'zstd';

const compressionTypes = {
  none: null,
  lz4: CompressionType.LZ4_FRAME,
  zstd: CompressionType.ZSTD,
};

/** Returns the bytes of a file with one record batch. */
export async function encodeArrowFile(
  table: SampleTable,
  compression: ArrowCompression,
): Promise<Uint8Array> {
  const lz4 = await loadLz4Frames();
  compressionRegistry.set(CompressionType.LZ4_FRAME, { encode: lz4 });
  compressionRegistry.set(CompressionType.ZSTD, { encode: (bytes) => zstdCompressSync(bytes) });
  const children = sampleColumns.map((column, id) =>
    column.kind === 'integer'
      ? makeIntegers(table[column.field])
      : makeWords(table[column.field], id),
  );
  const fields = sampleColumns.map(({ name }, i) => new Field(name, children[i].type, false));
  const struct = makeData({ type: new Struct(fields), length: table.rowCount, children });
  const writer = new FileWriter({ compressionType: compressionTypes[compression] });
  writer.write(new RecordBatch(new Schema(fields), struct));
  writer.finish();
  return writer.toUint8Array();
}

function makeIntegers(values: BigInt64Array): Data {
  return makeData({ type: new Int64(), length: values.length, nullCount: 0, data: values });
}

function makeWords({ indices, texts }: Words, id: number): Data {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const valueOffsets = new Int32Array(texts.length + 1);
  encoded.forEach((bytes, i) => {
    valueOffsets[i + 1] = valueOffsets[i] + bytes.length;
  });
  const dictionary = makeVector(
    makeData({
      type: new Utf8(),
      length: texts.length,
      nullCount: 0,
      valueOffsets,
      data: Buffer.concat(encoded),
    }),
  );
  return makeData({
    type: new Dictionary(new Utf8(), new Int32(), id),
    length: indices.length,
    nullCount: 0,
    // Arrow's readers expect dictionary indices to be signed.
    data: new Int32Array(indices.buffer, indices.byteOffset, indices.length),
    dictionary,
  });
}

/** Length that marks an uncompressed buffer. */
const isStored = -1n;

/**
 * Corrects the library's writer, which writes the compressed length before a buffer (apache-arrow
 * 21.2.0). Arrow's format requires the uncompressed length.
 */
class FileWriter extends RecordBatchFileWriter {
  protected override _compressBodyBuffers(
    buffers: ArrayBufferView[],
  ): ReturnType<RecordBatchFileWriter['_compressBodyBuffers']> {
    const compressed = super._compressBodyBuffers(buffers);
    // Each buffer is now two buffers: its length and its bytes.
    buffers.forEach(({ byteLength }, i) => {
      const prefix = compressed.buffers[2 * i];
      if (prefix.byteLength === 0) return;
      const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.byteLength);
      if (view.getBigInt64(0, true) !== isStored) view.setBigInt64(0, BigInt(byteLength), true);
    });
    return compressed;
  }
}
