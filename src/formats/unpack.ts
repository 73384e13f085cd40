// Removes layers of compression one by one. One limit applies to all layers together.
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import {
  inflatedBytesMax,
  inputLimits,
  inputLimitTable,
  limitOfOutput,
} from '../base/input-limits.ts';
import { joinChunks } from '../base/join-chunks.ts';
import { lz4HereBytesMax } from './limits.ts';
import { zstdFramesMax } from '../base/limits.ts';
import {
  constants,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
  zstdFrameSync,
} from '../base/threads/zlib.ts';
import { decodeLz4Frame, lz4ContentBytes } from './arrow/read/lz4-decode.ts';
import {
  gunzipBelieved,
  gunzipSmall,
  gunzipSoon,
  requireSlowStart,
  requireSlowStartInPool,
} from './gunzip.ts';
import { inflateStream, streamChunkBytes } from './inflate-stream.ts';
import { isSkippableFrame, type Packing, packingLayersMax, detectPacking } from './packing.ts';

/** Limits of `unpack`, and the start of its error messages. */
export interface UnpackOptions {
  /** Start of error messages, such as "cannot read profile". */
  readonly what: string;
  readonly bytesMax?: number;
  /** Number of bytes that were sent, if a layer was already removed. */
  readonly sentBytes?: number;
  /** Number of layers that were already removed. */
  readonly layers?: number;
}

/**
 * Decompresses gzip, zstd, LZ4 frames and zlib, even if they are nested. Other bytes are returned
 * unchanged. All layers together may expand by as much as a single layer may.
 *
 * Errors: AppError 'invalid-argument' for broken data, for too many layers and for content that is
 * not a profile, which the message names if it is known; 'resource-exhausted' above `bytesMax`.
 */
export function unpack(
  bytes: Uint8Array,
  {
    what,
    bytesMax = inputLimits.profileBytes,
    sentBytes = bytes.length,
    layers: undone = 0,
  }: UnpackOptions,
): Uint8Array {
  const maxOutputLength = Math.min(bytesMax, inflatedBytesMax(sentBytes));
  let content = bytes;
  for (let layers = undone; ; layers += 1) {
    const packing = packingAt(layers, content, what);
    if (packing === undefined) return content;
    try {
      content = undo(packing, content, maxOutputLength);
    } catch (error) {
      throw unpackError(error, what, maxOutputLength, bytesMax);
    }
  }
}

/**
 * Like `unpack`, but decompresses gzip, zlib and zstd in threads of the pool, because a few bytes
 * may become 64 MiB.
 *
 * Errors: as in `unpack`; AppError 'resource-exhausted' for LZ4 of more than `lz4HereBytesMax`,
 * which the pool cannot decompress.
 */
export async function unpackInPool(
  bytes: Uint8Array,
  {
    what,
    bytesMax = inputLimits.profileBytes,
    sentBytes = bytes.length,
    layers: undone = 0,
  }: UnpackOptions,
): Promise<Uint8Array> {
  const maxOutputLength = Math.min(bytesMax, inflatedBytesMax(sentBytes));
  let content = bytes;
  for (let layers = undone; ; layers += 1) {
    const packing = packingAt(layers, content, what);
    if (packing === undefined) return content;
    try {
      content = await undoInPool(packing, content, maxOutputLength);
    } catch (error) {
      throw unpackError(error, what, maxOutputLength, bytesMax);
    }
  }
}

/** Returns the compression of bytes. Errors: AppError 'invalid-argument'. */
function packingAt(layers: number, content: Uint8Array, what: string): Packing | undefined {
  const kind = detectPacking(content);
  if (kind === undefined) return undefined;
  if ('why' in kind) throw new AppError('invalid-argument', `${what}: ${kind.why}`);
  if (layers < packingLayersMax) return kind.packing;
  const why = `${what}: it is compressed more than ${packingLayersMax} times`;
  throw new AppError('invalid-argument', why);
}

function unpackError(
  error: unknown,
  what: string,
  maxOutputLength: number,
  bytesMax: number,
): AppError {
  if (error instanceof RangeError) return tooLarge(what, maxOutputLength, bytesMax, error);
  const isFull = errorCode(error) === 'resource-exhausted';
  const why = `${what}: cannot decompress it: ${errorMessage(error)}`;
  return new AppError(isFull ? 'resource-exhausted' : 'invalid-argument', why, { cause: error });
}

/** Removes one layer like `undo`, but in the pool unless the result is known to be small. */
async function undoInPool(
  packing: Packing,
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array> {
  switch (packing) {
    case 'gzip': {
      const small = gunzipSmall(bytes, maxOutputLength);
      if (small !== undefined) return small;
      await requireSlowStartInPool(bytes, gunzip, constants.Z_SYNC_FLUSH);
      const believed = await gunzipBelieved(bytes, maxOutputLength);
      if (believed !== undefined) return believed;
      return inStream(createGunzip, bytes, maxOutputLength);
    }
    case 'zlib':
      await requireSlowStartInPool(bytes, inflate, constants.Z_SYNC_FLUSH);
      return inStream(createInflate, bytes, maxOutputLength);
    case 'zstd':
      return unpackZstdInPool(bytes, maxOutputLength);
    case 'lz4': {
      const length = lz4ContentBytes(bytes, maxOutputLength);
      if (length > lz4HereBytesMax && length <= maxOutputLength) {
        const why = `LZ4 of more than ${lz4HereBytesMax} bytes is not read: send gzip or zstd`;
        throw new AppError('resource-exhausted', why);
      }
      return undo(packing, bytes, maxOutputLength);
    }
    case 'skippable':
      return afterSkippable(bytes);
    default:
      packing satisfies never;
      throw new AppError('internal', `cannot undo compression ${String(packing)}`);
  }
}

/** Decompresses with a stream, and joins its output in slices. */
async function inStream(
  create: typeof createGunzip | typeof createInflate,
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array> {
  const stream = create({ chunkSize: streamChunkBytes });
  return (await inflateStream(stream, bytes, maxOutputLength)).content;
}

function tooLarge(
  what: string,
  maxOutputLength: number,
  bytesMax: number,
  cause: unknown,
): AppError {
  return new AppError(
    'resource-exhausted',
    `${what}: decompressed it is larger than the limit of ${maxOutputLength} bytes`,
    {
      cause,
      limit: limitOfOutput(maxOutputLength, bytesMax, inputLimitTable.profileBytes.flag),
    },
  );
}

/** Removes one layer. Errors: RangeError above `maxOutputLength`; errors of the decompressor. */
function undo(packing: Packing, bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  switch (packing) {
    case 'gzip':
      return gunzipSoon(bytes, maxOutputLength);
    case 'zstd':
      return unpackZstd(bytes, maxOutputLength);
    case 'zlib':
      requireSlowStart(bytes, inflateSync, constants.Z_SYNC_FLUSH);
      return inflateSync(bytes, { maxOutputLength });
    case 'lz4': {
      const length = lz4ContentBytes(bytes, maxOutputLength);
      if (length > maxOutputLength) throw new RangeError('it is too large');
      const content = new Uint8Array(length);
      decodeLz4Frame(bytes, content);
      return content;
    }
    case 'skippable':
      return afterSkippable(bytes);
    default:
      packing satisfies never;
      throw new AppError('internal', `cannot undo compression ${String(packing)}`);
  }
}

/** Reads all zstd frames: `cat` and compressors with several threads write more than one. */
function unpackZstd(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  requireSlowStart(bytes, zstdDecompressSync, constants.ZSTD_e_flush);
  const pieces: Uint8Array[] = [];
  let rest = bytes;
  let left = maxOutputLength;
  for (let frames = 0; rest.length > 0; frames += 1) {
    requireFrames(frames);
    if (isSkippableFrame(rest)) {
      rest = afterSkippable(rest);
      continue;
    }
    const { content, frameBytes } = zstdFrameSync(rest, { maxOutputLength: left });
    pieces.push(content);
    left -= content.length;
    rest = rest.subarray(Math.max(1, frameBytes));
    if (left === 0 && rest.length > 0) throw new RangeError('it is too large');
  }
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
}

/** Like `unpackZstd`, in threads of the pool. */
async function unpackZstdInPool(bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  await requireSlowStartInPool(bytes, zstdDecompress, constants.ZSTD_e_flush);
  const pieces: Uint8Array[] = [];
  let rest = bytes;
  let left = maxOutputLength;
  for (let frames = 0; rest.length > 0; frames += 1) {
    requireFrames(frames);
    if (isSkippableFrame(rest)) {
      rest = afterSkippable(rest);
      continue;
    }
    const stream = createZstdDecompress({ chunkSize: streamChunkBytes });
    const { content, usedBytes } = await inflateStream(stream, rest, left);
    pieces.push(content);
    left -= content.length;
    rest = rest.subarray(Math.max(1, usedBytes));
    if (left === 0 && rest.length > 0) throw new RangeError('it is too large');
  }
  return pieces.length === 1 ? pieces[0] : joinChunks(pieces);
}

function requireFrames(frames: number): void {
  if (frames < zstdFramesMax) return;
  throw new AppError('resource-exhausted', `it has more than ${zstdFramesMax} frames`);
}

function afterSkippable(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 8) throw new AppError('invalid-argument', 'a frame is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.subarray(8 + view.getUint32(4, true));
}
