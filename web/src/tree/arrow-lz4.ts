// LZ4 for the Arrow library, which has no compression of its own.
import { CompressionType, setCompressionCodec } from '@uwdata/flechette';
import lz4 from 'lz4js';

/** Makes the library of this thread read and write bodies that are compressed by LZ4. */
export function addLz4(): void {
  setCompressionCodec(CompressionType.LZ4_FRAME, {
    decode(data, length) {
      const out = new Uint8Array(length ?? 0);
      lz4.decompressFrame(data, out);
      return out;
    },
    encode: (data) => lz4.compress(data),
  });
}
