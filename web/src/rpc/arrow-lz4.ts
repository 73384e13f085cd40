// LZ4 for the Arrow library, which has no compression of its own.
import { CompressionType, setCompressionCodec } from '@uwdata/flechette';
import { decodeLz4Frame } from '../../../src/formats/arrow/read/lz4-decode.ts';

/** Makes the library of this thread read bodies that are compressed by LZ4. */
export function addLz4(): void {
  setCompressionCodec(CompressionType.LZ4_FRAME, {
    decode(data, length) {
      const bytes = new Uint8Array(length ?? 0);
      decodeLz4Frame(data, bytes);
      return bytes;
    },
    encode() {
      throw new Error('BUG: the page writes no Arrow');
    },
  });
}
