// Reads request bodies: counts their bytes, refuses bodies that stall, and decompresses them.
import type { Readable, Transform } from 'node:stream';
import type { Clock, Timer } from '../../../base/clock.ts';
import { AppError, errorMessage } from '../../../base/errors.ts';
import {
  inflatedBytesMax,
  inflationStartBytes,
  limitOfOutput,
} from '../../../base/input-limits.ts';
import { decompressionsMax } from '../../limits.ts';
import { zstdFramesMax } from '../../../base/limits.ts';
import { joinChunks } from '../../../base/join-chunks.ts';
import { Slots } from '../../../base/slots.ts';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from '../../../base/threads/zlib.ts';
import { readInRotation } from './body-rotation.ts';
import { inLaterTurn, isTurnSpent } from './body-turns.ts';
import { ChunkList } from './chunk-list.ts';
import { readInTurns } from './connection-turns.ts';
import { GatheredBytes, gatheredBytesMin } from './gathered-bytes.ts';
import type { ByteLease } from './request-memory.ts';
import { requestSizeFlag, TooLargeError } from './status.ts';

export interface BodyLimits {
  readonly clock: Clock;
  readonly lease: ByteLease;
  readonly bytesMax: number;
  /** Longest time in milliseconds in which no byte arrives. */
  readonly stallMillisMax: number;
}

/**
 * Ignores errors, because `close` reports them as well. It is not a closure: most HTTP/2 streams
 * and their listeners stay in memory until a full garbage collection, and a closure would keep the
 * request in memory.
 */
export function ignoreError(): void {}

/**
 * Passes each chunk of `readable` to `take`; resolves at its end.
 *
 * Errors: TooLargeError; AppError 'resource-exhausted' if the lease is refused, 'deadline-exceeded'
 * on a stall, 'cancelled' when the caller disconnects; and errors that `take` throws. After an
 * error the rest of the body is read and dropped.
 */
export function drainBody(
  readable: Readable,
  limits: BodyLimits,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let total = 0;
    let isStalled = true;
    let timer: Timer | undefined;
    let cancelPause: (() => void) | undefined;
    const goOn = (): void => {
      cancelPause = undefined;
      readable.resume();
    };
    const pauseWhenSpent = (bytes: number): void => {
      if (total < gatheredBytesMin || !isHttp1(readable) || !isTurnSpent(bytes)) return;
      readable.pause();
      cancelPause ??= inLaterTurn(goOn);
    };
    const settle = (error?: unknown): void => {
      timer?.cancel();
      cancelPause?.();
      endRotation();
      readable.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) {
        resolve();
        return;
      }
      readable.resume();
      reject(error);
    };
    const onData = (chunk: Uint8Array): void => {
      isStalled = false;
      total += chunk.length;
      try {
        if (total > limits.bytesMax)
          throw new TooLargeError(`body is larger than max (${limits.bytesMax} bytes)`);
        limits.lease.take(chunk.length);
        take(chunk);
        pauseWhenSpent(chunk.length);
      } catch (error) {
        settle(error);
      }
    };
    const onEnd = (): void => settle();
    const onClose = (): void => settle(new AppError('cancelled', 'request was not sent whole'));
    const watch = (): void => {
      timer = limits.clock.setTimer(limits.stallMillisMax, () => {
        if (isStalled) {
          settle(
            new AppError('deadline-exceeded', 'cannot read request: no data in time', {
              limit: 'http-read-timeout',
            }),
          );
          return;
        }
        isStalled = true;
        watch();
      });
    };
    watch();
    const endRotation = readInRotation(readable, limits.clock);
    readable.on('data', onData).once('end', onEnd).once('close', onClose);
    readable.on('error', ignoreError);
    readInTurns(readable);
    // Node ends an empty stream even if nobody reads it, so it may have ended before this listener
    // was added.
    if (readable.readableEnded) settle();
  });
}

function isHttp1(readable: Readable & { readonly httpVersionMajor?: unknown }): boolean {
  return readable.httpVersionMajor === 1;
}

/** Reads the complete body into one buffer. Errors: as in drainBody. */
export async function readBody(readable: Readable, limits: BodyLimits): Promise<Buffer> {
  const chunks = new ChunkList();
  let large: GatheredBytes | undefined;
  let total = 0;
  const draining = drainBody(readable, limits, (chunk) => {
    total += chunk.length;
    if (large !== undefined) large.push(chunk);
    else chunks.push(chunk);
    if (large !== undefined || total < gatheredBytesMin) return;
    // A false length harms only its sender, because Node ends a body at the stated length.
    const announced = announcedBytes(readable);
    if (announced === undefined || announced > limits.bytesMax) return;
    large = new GatheredBytes(announced);
    large.push(chunks.takeAll());
  });
  draining.catch(() => large?.drop());
  await draining;
  if (large !== undefined) {
    const body = large.take();
    await large.copied();
    return body;
  }
  const body = total < gatheredBytesMin ? chunks.takeAll() : await joinChunks(chunks.takeList());
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Returns the length of a body that its headers state; undefined if they state no valid length. */
function announcedBytes(readable: Readable & { readonly headers?: unknown }): number | undefined {
  const { headers } = readable;
  if (typeof headers !== 'object' || headers === null) return undefined;
  const length = 'content-length' in headers ? Number(headers['content-length']) : NaN;
  return Number.isSafeInteger(length) ? length : undefined;
}

type Decompressor = Transform & { readonly bytesWritten: number };
type CreateStream = (options: { readonly chunkSize: number }) => Decompressor;

/** Functions that choose a decompressing stream for a body, by encoding. */
const decompressors: ReadonlyMap<string, (bytes: Uint8Array) => CreateStream> = new Map<
  string,
  (bytes: Uint8Array) => CreateStream
>([
  ['gzip', () => createGunzip],
  ['x-gzip', () => createGunzip],
  ['zstd', () => createZstdDecompress],
  // Some senders leave out the zlib header of "deflate".
  ['deflate', (bytes) => (hasZlibHeader(bytes) ? createInflate : createInflateRaw)],
  ['br', () => createBrotliDecompress],
]);

function hasZlibHeader(bytes: Uint8Array): boolean {
  return (bytes[0] & 0x0f) === 8 && (bytes[0] * 256 + bytes[1]) % 31 === 0;
}

/** Maximum number of encodings that may be applied to one body. */
const encodingsMax = 3;
/**
 * Limits concurrent decompressions: more of them would share the same threads and need more memory.
 */
const slots = new Slots(decompressionsMax);
const chunkBytesMin = 16_384;
const chunkBytesMax = 262_144;

/**
 * Decompresses a message. `encoding` is "identity", "gzip", "zstd", "deflate" or "br", or a list of
 * these in the order in which they were applied. `lease` charges each piece of the result when it
 * is made.
 *
 * Errors: TooLargeError when the result exceeds `bytesMax`, or exceeds the size of `bytes` by too
 * large a factor (decompression stops there); AppError 'invalid-argument' for broken data,
 * 'unimplemented' for other encodings; errors of ByteLease.take.
 */
export async function decodeMessage(
  bytes: Uint8Array,
  encoding: string,
  bytesMax: number,
  lease: ByteLease,
): Promise<Uint8Array> {
  const names = encoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0) return bytes;
  const creators = names.map((name) => decompressors.get(name));
  if (creators.includes(undefined) || names.length > encodingsMax) {
    const known = ['identity', ...decompressors.keys()].join(', ');
    throw new AppError(
      'unimplemented',
      `cannot decompress message: encoding ${JSON.stringify(encoding)} is not one of ${known}`,
    );
  }
  const outputMax = Math.min(bytesMax, inflatedBytesMax(bytes.length));
  const limit = limitOfOutput(outputMax, bytesMax, requestSizeFlag);
  const chunkSize = Math.max(chunkBytesMin, Math.min(bytes.length * 8, chunkBytesMax));
  let content = bytes;
  for (const creator of creators.reverse()) {
    const create = creator?.(content);
    if (create === undefined) continue;
    content = await slots.run(() =>
      inflateAll(create, content, chunkSize, { outputMax, limit, lease }),
    );
  }
  return content;
}

interface OutputLimits {
  readonly outputMax: number;
  readonly limit: string;
  readonly lease: ByteLease;
}

/**
 * Decompresses all frames of a message. Node's zstd stream ends after one frame, so each frame gets
 * a stream of its own.
 */
async function inflateAll(
  create: CreateStream,
  bytes: Uint8Array,
  chunkSize: number,
  limits: OutputLimits,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; at === 0 || (create === createZstdDecompress && at < bytes.length);) {
    const stream = create({ chunkSize });
    const outputMax = limits.outputMax - total;
    const piece = await inflate(stream, bytes.subarray(at), { ...limits, outputMax });
    pieces.push(piece);
    if (pieces.length > zstdFramesMax) {
      const why = `cannot decompress message: it has more than ${zstdFramesMax} frames`;
      throw new AppError('resource-exhausted', why);
    }
    total += piece.length;
    at += Math.max(1, stream.bytesWritten);
  }
  return pieces.length === 1 ? pieces[0] : joinChunks(pieces);
}

async function inflate(
  stream: Decompressor,
  bytes: Uint8Array,
  { outputMax, limit, lease }: OutputLimits,
): Promise<Uint8Array> {
  stream.end(bytes);
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      total += chunk.length;
      // So far, the stream may have read only the start of the message, so some bytes are added.
      const max = Math.min(outputMax, inflatedBytesMax(stream.bytesWritten + inflationStartBytes));
      if (total > max) {
        const why = `received message larger than max (${max} after decompression)`;
        throw new TooLargeError(why, limit);
      }
      lease.take(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid-argument', `cannot decompress message: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  return chunks.length === 1 ? chunks[0] : joinChunks(chunks);
}
