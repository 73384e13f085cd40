// Gzip in and out: the output of a foreign stream is sized from its trailer and never trusted.
import { releaseMemory } from '../base/bytes.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import {
  inflatedBytesMax,
  inflationStartBytes,
  inputLimits,
  inputLimitTable,
  limitOfOutput,
  overInputLimit,
} from '../base/input-limits.ts';
import { constants, crc32, gunzipSync } from '../base/threads/zlib.ts';

/** Bytes of a header and a trailer around nothing. */
const emptyMemberBytes = 18;
/** Size of the largest output buffer; longer outputs are collected in pieces. */
const chunkBytesMax = 64 * 1024 * 1024;
const chunkBytesMin = 16 * 1024;
const slackBytes = 64;
const startChunkBytes = 256 * 1024;
/** Largest length in a trailer that is believed at first. */
const believedBytesMax = 4 * 1024 * 1024;

/** Uncompressed bytes, and a hash that recognizes equal contents. */
export interface Content {
  readonly bytes: Uint8Array;
  /** CRC-32 of `bytes` in the low half, the number of bytes in the high half. */
  readonly hash: bigint;
}

/** Returns true if `bytes` begin like a gzip member (1f 8b). */
function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Returns the content of a profile upload: gunzipped if it is gzip, else unchanged.
 *
 * Several members are read as one stream. Ownership: plain input is borrowed, not copied.
 * Errors: AppError 'invalid-argument' "failed to parse profile: ..." for nothing at all, truncated
 * or corrupt gzip; 'resource-exhausted' when the content passes `contentBytesMax`.
 */
export function openContent(
  upload: Uint8Array,
  contentBytesMax = inputLimits.profileBytes,
): Content {
  if (!isGzip(upload)) {
    requireContent(upload, contentBytesMax);
    return { bytes: upload, hash: contentHash(crc32(upload), upload.length) };
  }
  const bytes = gunzip(upload, contentBytesMax);
  requireContent(bytes, contentBytesMax);
  // zlib has checked the CRC of the trailer. It is the CRC of the whole content if the length
  // agrees.
  const trailer = readUint32(upload, upload.length - 4);
  const sum = trailer === bytes.length ? readUint32(upload, upload.length - 8) : crc32(bytes);
  return { bytes, hash: contentHash(sum, bytes.length) };
}

/**
 * Gives the memory of gunzipped content back at once; nothing may read `content.bytes` afterwards.
 *
 * Without this, buffers of some hundred kilobytes each pile up between the rounds of the garbage
 * collector, or make it run so often that it takes a quarter of the CPU of an ingest.
 */
export function releaseContent(content: Content, upload: Uint8Array): void {
  const { buffer } = content.bytes;
  // Node's pool of small buffers is shared and cannot be given away.
  if (buffer === upload.buffer || buffer.byteLength <= Buffer.poolSize) return;
  releaseMemory(content.bytes);
}

function gunzip(upload: Uint8Array, contentBytesMax: number): Uint8Array {
  const maxOutputLength = Math.min(contentBytesMax, inflatedBytesMax(upload.length));
  try {
    const content = gunzipSoon(upload, maxOutputLength);
    return new Uint8Array(content.buffer, content.byteOffset, content.length);
  } catch (error) {
    if (isOutputTooLarge(error)) {
      throw new AppError(
        'resource-exhausted',
        `failed to parse profile: gunzipped it is larger than the limit of ` +
          `${maxOutputLength} bytes`,
        {
          cause: error,
          limit: limitOfOutput(maxOutputLength, contentBytesMax, inputLimitTable.profileBytes.flag),
        },
      );
    }
    const why = `cannot gunzip ${upload.length} bytes: ${errorMessage(error)}`;
    throw new AppError('invalid-argument', `failed to parse profile: ${why}`, { cause: error });
  }
}

/**
 * Gunzips, and refuses a bomb before it takes much memory: looks at its start first. Skips that
 * look if the trailer announces little and keeps its word.
 *
 * Errors: RangeError past `maxOutputLength`; zlib's.
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
 * Decompresses the start of a large upload, which must not grow more than the whole may.
 *
 * Errors: RangeError when it grows more; those of `decompressSync`.
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

/**
 * Output in one piece saves a concatenation (26-38 % of the time). The trailer's length is the
 * sender's claim, so it is clamped. A little more lets zlib see the end in the first call, and is
 * the slack that readers of the content want after it.
 */
function outputChunkBytes(upload: Uint8Array): number {
  if (upload.length < emptyMemberBytes) return chunkBytesMin;
  const claimed = readUint32(upload, upload.length - 4) + slackBytes;
  return Math.max(chunkBytesMin, Math.min(claimed, upload.length * 64, chunkBytesMax));
}

function requireContent(bytes: Uint8Array, contentBytesMax: number): void {
  if (bytes.length === 0) {
    throw new AppError('invalid-argument', 'failed to parse profile: it is empty');
  }
  if (bytes.length > contentBytesMax) {
    throw overInputLimit(
      'profileBytes',
      `failed to parse profile: it has ${bytes.length} bytes, the limit is ${contentBytesMax}`,
    );
  }
}

function isOutputTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function readUint32(bytes: Uint8Array, at: number): number {
  const top = bytes[at + 3] << 24;
  return (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | top) >>> 0;
}

function contentHash(sum: number, length: number): bigint {
  return (BigInt(length) << 32n) | BigInt(sum);
}
