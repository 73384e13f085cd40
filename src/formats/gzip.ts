// The content of an upload: decompressed within a limit, and its hash.
import { releaseMemory } from '../base/bytes.ts';
import { AppError, errorMessage } from '../base/errors.ts';
import {
  inflatedBytesMax,
  inputLimits,
  inputLimitTable,
  limitOfOutput,
  overInputLimit,
} from '../base/input-limits.ts';
import { crc32 } from '../base/threads/zlib.ts';
import { gunzipSoon, isOutputTooLarge, readUint32 } from './gunzip.ts';
import { detectPacking } from './packing.ts';
import { unpack } from './unpack.ts';

/** Uncompressed bytes, and a hash by which equal contents are recognized. */
export interface Content {
  readonly bytes: Uint8Array;
  /** CRC-32 of `bytes` in the low half, the number of bytes in the high half. */
  readonly hash: bigint;
}

/** Returns true if `bytes` begin like a gzip member (1f 8b). */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Returns the content of a profile upload: decompressed if it is compressed, otherwise unchanged.
 *
 * Several gzip members are read as one stream. Ownership: uncompressed input is borrowed, not
 * copied. Errors: AppError 'invalid-argument' "failed to parse profile: ..." for an upload that is
 * empty, truncated, corrupt, or not a profile according to its first bytes; 'resource-exhausted' if
 * the content is larger than `contentBytesMax`.
 */
export function openContent(
  upload: Uint8Array,
  contentBytesMax = inputLimits.profileBytes,
): Content {
  if (!isGzip(upload)) {
    const bytes = unpack(upload, { what: 'failed to parse profile', bytesMax: contentBytesMax });
    return readContent(bytes, contentBytesMax);
  }
  const bytes = gunzip(upload, contentBytesMax);
  // A file that is already compressed may be compressed again when it is served or sent.
  if (detectPacking(bytes) !== undefined) {
    const sent = { sentBytes: upload.length, layers: 1 };
    const limits = { what: 'failed to parse profile', bytesMax: contentBytesMax, ...sent };
    return readContent(unpack(bytes, limits), contentBytesMax);
  }
  requireContent(bytes, contentBytesMax);
  // zlib has checked the CRC in the trailer. It is the CRC of the complete content if the length
  // matches.
  const trailer = readUint32(upload, upload.length - 4);
  const sum = trailer === bytes.length ? readUint32(upload, upload.length - 8) : crc32(bytes);
  return { bytes, hash: contentHash(sum, bytes.length) };
}

function readContent(bytes: Uint8Array, bytesMax: number): Content {
  requireContent(bytes, bytesMax);
  return { bytes, hash: contentHash(crc32(bytes), bytes.length) };
}

/**
 * Releases the memory of gunzipped content; `content.bytes` must not be read afterwards.
 *
 * Otherwise buffers of a few hundred kilobytes would accumulate between garbage collections, or
 * make collections so frequent that they take a quarter of the CPU time of ingest.
 */
export function releaseContent(content: Content, upload: Uint8Array): void {
  const { buffer } = content.bytes;
  // Node's pool of small buffers is shared and cannot be released.
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

function contentHash(sum: number, length: number): bigint {
  return (BigInt(length) << 32n) | BigInt(sum);
}
