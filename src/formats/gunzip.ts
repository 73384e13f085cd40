// Gunzips data. The output buffer gets the size in the trailer, which is checked, because it may be
// wrong. Gzip bombs are refused early.
import { inflatedBytesMax, inflationStartBytes } from '../base/input-limits.ts';
import { constants, gunzip, gunzipSync } from '../base/threads/zlib.ts';

/** Size of a gzip member without content, in bytes. */
const emptyMemberBytes = 18;
/** Maximum size of an output buffer in bytes; longer outputs are collected in several buffers. */
const chunkBytesMax = 64 * 1024 * 1024;
const chunkBytesMin = 16 * 1024;
const slackBytes = 64;
/** Output size in bytes up to which using a thread of the pool is not worthwhile. */
const smallBytesMax = 64 * 1024;
const startChunkBytes = 256 * 1024;
/** Maximum length in a trailer, in bytes, for which memory is allocated before any check. */
const believedBytesMax = 4 * 1024 * 1024;

/**
 * Gunzips an upload. Decompresses its start first, so that a bomb is refused before it takes much
 * memory. Skips that check if the trailer correctly states a small size.
 *
 * Errors: RangeError above `maxOutputLength`; errors of zlib.
 */
export function gunzipSoon(upload: Uint8Array, maxOutputLength: number): Uint8Array {
  const chunkSize = outputChunkBytes(upload);
  if (upload.length <= inflationStartBytes)
    return gunzipSync(upload, { chunkSize, maxOutputLength });
  const claimed = readUint32(upload, upload.length - 4);
  if (claimed <= believedBytesMax && claimed < maxOutputLength) {
    try {
      return gunzipSync(upload, { chunkSize, maxOutputLength: claimed + slackBytes });
    } catch (error) {
      if (!isOutputTooLarge(error)) throw error;
    }
  }
  requireSlowStart(upload, gunzipSync, constants.Z_SYNC_FLUSH);
  return gunzipSync(upload, { chunkSize, maxOutputLength });
}

interface StartOptions {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
  readonly finishFlush: number;
}

/**
 * Decompresses the start of a large upload, and checks that it does not expand more than the
 * complete upload may.
 *
 * Errors: RangeError if it expands more; errors of `decompressSync`.
 */
export function requireSlowStart(
  upload: Uint8Array,
  decompressSync: (bytes: Uint8Array, options: StartOptions) => Uint8Array,
  finishFlush: number,
): void {
  if (upload.length <= inflationStartBytes) return;
  const start = upload.subarray(0, inflationStartBytes);
  const maxOutputLength = inflatedBytesMax(inflationStartBytes);
  decompressSync(start, { maxOutputLength, chunkSize: startChunkBytes, finishFlush });
}

/** Like `requireSlowStart`, but in a thread of the pool. */
export async function requireSlowStartInPool(
  upload: Uint8Array,
  decompress: (bytes: Uint8Array, options: StartOptions) => Promise<Uint8Array>,
  finishFlush: number,
): Promise<void> {
  if (upload.length <= inflationStartBytes) return;
  const start = upload.subarray(0, inflationStartBytes);
  const maxOutputLength = inflatedBytesMax(inflationStartBytes);
  await decompress(start, { maxOutputLength, chunkSize: startChunkBytes, finishFlush });
}

/**
 * Gunzips data that is small both by its compressed size and by the size in its trailer. Returns
 * undefined if the trailer states a large size, or a size smaller than that of the content.
 *
 * Errors: those of zlib.
 */
export function gunzipSmall(upload: Uint8Array, maxOutputLength: number): Uint8Array | undefined {
  if (upload.length < emptyMemberBytes || upload.length > inflationStartBytes) return undefined;
  const claimed = readUint32(upload, upload.length - 4);
  if (claimed > smallBytesMax || claimed > maxOutputLength) return undefined;
  try {
    return gunzipSync(upload, { chunkSize: chunkBytesMin, maxOutputLength: claimed + slackBytes });
  } catch (error) {
    if (isOutputTooLarge(error)) return undefined;
    throw error;
  }
}

/**
 * Gunzips data into one buffer, in a thread of the pool. Returns undefined if the trailer states a
 * large size, or a size smaller than that of the content.
 *
 * Errors: those of zlib.
 */
export async function gunzipBelieved(
  upload: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array | undefined> {
  if (upload.length < emptyMemberBytes) return undefined;
  const claimed = readUint32(upload, upload.length - 4);
  if (claimed > believedBytesMax || claimed > maxOutputLength) return undefined;
  const options = { chunkSize: outputChunkBytes(upload), maxOutputLength: claimed + slackBytes };
  try {
    return await gunzip(upload, options);
  } catch (error) {
    if (isOutputTooLarge(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the size of the output buffer. A single buffer avoids concatenation, which takes 26-38 %
 * of the time. The length in the trailer may be wrong, so it is clamped. A few extra bytes let zlib
 * reach the end in its first call; they are also the padding that readers need after the content.
 */
function outputChunkBytes(upload: Uint8Array): number {
  if (upload.length < emptyMemberBytes) return chunkBytesMin;
  const claimed = readUint32(upload, upload.length - 4) + slackBytes;
  return Math.max(chunkBytesMin, Math.min(claimed, upload.length * 64, chunkBytesMax));
}

/** Returns true for zlib's error about output that is too large. */
export function isOutputTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

/** Reads 32 bits, the lowest byte first. */
export function readUint32(bytes: Uint8Array, at: number): number {
  const top = bytes[at + 3] << 24;
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | top) >>> 0;
}
