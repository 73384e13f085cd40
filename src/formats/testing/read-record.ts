// Reads Arrow records as Parca's UI does: by flechette, which takes LZ4 from another package.
import { CompressionType, setCompressionCodec, tableFromIPC, type Table } from '@uwdata/flechette';
import lz4js from 'lz4js';

setCompressionCodec(CompressionType.LZ4_FRAME, {
  encode: (data: Uint8Array) => lz4js.compress(data),
  decode: (data: Uint8Array, length: number) => {
    const plain = new Uint8Array(length);
    lz4js.decompressFrame(data, plain);
    return plain;
  },
});

/** An IPC stream as a table; 64-bit integers are BigInts. */
export function readRecord(stream: Uint8Array): Table {
  return tableFromIPC(stream, { useBigInt: true });
}
