// Layers of compression, undone one after the other within one limit.
import { AppError, errorCode, errorMessage } from '../base/errors.ts';
import {
  inflatedBytesMax,
  inputLimits,
  inputLimitTable,
  limitOfOutput,
} from '../base/input-limits.ts';
import { zstdFramesMax } from '../base/limits.ts';
import {
  constants,
  gunzip,
  gunzipSync,
  inflateSync,
  zstdDecompressSync,
  zstdFrameSync,
} from '../base/threads/zlib.ts';
import { decodeLz4Frame, lz4ContentBytes } from './arrow/read/lz4-decode.ts';
import { gunzipSoon, isOutputTooLarge, requireSlowStart } from './gunzip.ts';
import { isSkippableFrame, type Packing, packingLayersMax, packingOf } from './packing.ts';

/** Limits of `unpack`, and the start of its errors. */
export interface UnpackOptions {
  /** Begins errors, such as "cannot read profile". */
  readonly what: string;
  readonly bytesMax?: number;
  /** Bytes that came over the wire, if a layer was undone before. */
  readonly sentBytes?: number;
  /** Layers that were undone before. */
  readonly layers?: number;
}

/**
 * Decompresses gzip, zstd, LZ4 frames and zlib, also one in the other; other bytes are returned as
 * they are. All layers together grow as much as one may.
 *
 * Errors: AppError 'invalid-argument' for broken data, for too many layers and, by name, for what
 * is no profile; 'resource-exhausted' past `bytesMax`.
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
    const kind = packingOf(content);
    if (kind === undefined) return content;
    if ('why' in kind) throw new AppError('invalid-argument', `${what}: ${kind.why}`);
    if (layers === packingLayersMax) {
      const why = `${what}: it is compressed more than ${packingLayersMax} times`;
      throw new AppError('invalid-argument', why);
    }
    try {
      content = undo(kind.packing, content, maxOutputLength);
    } catch (error) {
      if (!(error instanceof RangeError)) {
        const code =
          errorCode(error) === 'resource-exhausted' ? 'resource-exhausted' : 'invalid-argument';
        const why = `${what}: cannot decompress it: ${errorMessage(error)}`;
        throw new AppError(code, why, { cause: error });
      }
      throw tooLarge(what, maxOutputLength, bytesMax, error);
    }
  }
}

/**
 * Does what `unpack` does, and undoes a first layer of gzip, which nearly all senders use, in a
 * thread of the pool: a few bytes may become 64 MiB.
 *
 * Errors: those of `unpack`.
 */
export async function unpackInPool(bytes: Uint8Array, options: UnpackOptions): Promise<Uint8Array> {
  const kind = packingOf(bytes);
  const isGzip = kind !== undefined && 'packing' in kind && kind.packing === 'gzip';
  if (!isGzip || bytes.length < poolBytesMin) return unpack(bytes, options);
  const { bytesMax = inputLimits.profileBytes, sentBytes = bytes.length, layers = 0 } = options;
  const maxOutputLength = Math.min(bytesMax, inflatedBytesMax(sentBytes));
  let content: Uint8Array;
  try {
    requireSlowStart(bytes, gunzipSync, constants.Z_SYNC_FLUSH);
    content = await gunzip(bytes, { maxOutputLength });
  } catch (error) {
    if (isOutputTooLarge(error)) throw tooLarge(options.what, maxOutputLength, bytesMax, error);
    const why = `${options.what}: cannot decompress it: ${errorMessage(error)}`;
    throw new AppError('invalid-argument', why, { cause: error });
  }
  return unpack(content, { what: options.what, bytesMax, sentBytes, layers: layers + 1 });
}

/** Gzip of fewer bytes becomes a few megabytes at most. */
const poolBytesMin = 4_096;

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

/** Undoes one layer. Errors: RangeError past `maxOutputLength`; those of its reader. */
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

/** Reads all frames: programs that use several threads, and `cat`, write one after the other. */
function unpackZstd(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  requireSlowStart(bytes, zstdDecompressSync, constants.ZSTD_e_flush);
  const pieces: Uint8Array[] = [];
  let rest = bytes;
  let left = maxOutputLength;
  for (let frames = 0; rest.length > 0; frames += 1) {
    if (frames === zstdFramesMax) {
      throw new AppError('resource-exhausted', `it has more than ${zstdFramesMax} frames`);
    }
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

function afterSkippable(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 8) throw new AppError('invalid-argument', 'a frame is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes.subarray(8 + view.getUint32(4, true));
}
