// Replaces zlib functions that the engine calls in the browser. Files are already decompressed when
// the engine reads them.
import { AppError } from '../../../src/base/errors.ts';

/** Flush modes; only decompression uses them. */
export const constants = { Z_SYNC_FLUSH: 2, ZSTD_e_flush: 1 };

/** Compresses with the browser's stream. */
export async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const polynomial = 0xedb8_8320;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum & 1) === 1 ? polynomial ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

/** Returns the CRC-32 of `bytes`. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffff_ffff;
  for (let i = 0; i < bytes.length; i += 1) sum = table[(sum ^ bytes[i]) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffff_ffff) >>> 0;
}

export async function gunzip(): Promise<never> {
  return refuse();
}

export async function inflate(): Promise<never> {
  return refuse();
}

export async function zstdDecompress(): Promise<never> {
  return refuse();
}

export function createGunzip(): never {
  return refuse();
}

export function createInflate(): never {
  return refuse();
}

export function createZstdDecompress(): never {
  return refuse();
}

export function gunzipSync(): never {
  return refuse();
}

export function gzipSync(): never {
  return refuse();
}

export function inflateSync(): never {
  return refuse();
}

export function zstdFrameSync(): never {
  return refuse();
}

export function zstdDecompressSync(): never {
  return refuse();
}

function refuse(): never {
  throw new AppError('unimplemented', 'cannot read profile: it is compressed twice');
}
