// Provides LZ4 for the Arrow library, which does not include compression.
import { CompressionType, setCompressionCodec } from '@uwdata/flechette';
import { decodeLz4Frame } from '../../../src/formats/arrow/read/lz4-decode.ts';

/** Registers LZ4 for the library in this thread. */
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
