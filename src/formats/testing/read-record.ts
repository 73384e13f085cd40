// Reads Arrow records as Parca's UI does: with flechette, and with LZ4 from another package.
import { CompressionType, setCompressionCodec, tableFromIPC, type Table } from '@uwdata/flechette';
import { compressFrameSync, decompressFrameSync } from 'lz4-napi';

setCompressionCodec(CompressionType.LZ4_FRAME, {
  encode: (data: Uint8Array) => compressFrameSync(Buffer.from(data)),
  decode: (data: Uint8Array) => decompressFrameSync(Buffer.from(data)),
});

/** Returns an IPC stream as a table; 64-bit integers are BigInts. */
export function readRecord(stream: Uint8Array): Table {
  return tableFromIPC(stream, { useBigInt: true });
}
