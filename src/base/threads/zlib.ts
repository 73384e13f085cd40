// Calls of zlib that are not interrupted by the end of their thread. Node 24.21 aborts the whole
// process when a thread ends between the two calls that create a compressor ("close before init",
// seen once in a few thousand kills of a server). No other file may import node:zlib.
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { asBytes } from '../owned.ts';
import { unbroken } from './unbroken.ts';

export { constants, crc32 } from 'node:zlib';

const gzipInPool = promisify<Uint8Array, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.gzip);

const zstdCompressInPool = promisify<Uint8Array, zlib.ZstdOptions, Buffer<ArrayBuffer>>(
  zlib.zstdCompress,
);
const zstdDecompressInPool = promisify<Uint8Array, zlib.ZstdOptions, Buffer<ArrayBuffer>>(
  zlib.zstdDecompress,
);

const gunzipInPool = promisify<Uint8Array, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.gunzip);
const inflateInPool = promisify<Uint8Array, zlib.ZlibOptions, Buffer<ArrayBuffer>>(zlib.inflate);
const inflateRawInPool = promisify<Uint8Array, zlib.ZlibOptions, Buffer<ArrayBuffer>>(
  zlib.inflateRaw,
);
const brotliInPool = promisify<Uint8Array, zlib.BrotliOptions, Buffer<ArrayBuffer>>(
  zlib.brotliDecompress,
);

/** Compresses in a thread of the pool. */
export async function gzip(
  bytes: Uint8Array,
  options: zlib.ZlibOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => gzipInPool(bytes, options)));
}

export function gzipSync(bytes: Uint8Array, options: zlib.ZlibOptions): Uint8Array<ArrayBuffer> {
  return asBytes(unbroken(() => zlib.gzipSync(bytes, options)));
}

/** Compresses as a zlib stream. */
export function deflateSync(bytes: Uint8Array, options: zlib.ZlibOptions): Uint8Array<ArrayBuffer> {
  return asBytes(unbroken(() => zlib.deflateSync(bytes, options)));
}

/** Reads gzip. Errors: RangeError for more than `maxOutputLength`; errors of zlib. */
export function gunzipSync(bytes: Uint8Array, options: zlib.ZlibOptions): Uint8Array<ArrayBuffer> {
  return asBytes(unbroken(() => zlib.gunzipSync(bytes, options)));
}

/** Reads a zlib stream. Errors: RangeError for more than `maxOutputLength`; errors of zlib. */
export function inflateSync(bytes: Uint8Array, options: zlib.ZlibOptions): Uint8Array<ArrayBuffer> {
  return asBytes(unbroken(() => zlib.inflateSync(bytes, options)));
}

export function zstdCompressSync(
  bytes: Uint8Array,
  options: zlib.ZstdOptions = {},
): Uint8Array<ArrayBuffer> {
  return asBytes(unbroken(() => zlib.zstdCompressSync(bytes, options)));
}

/** Reads one zstd frame. Errors: RangeError for more than `maxOutputLength`; errors of zstd. */
export function zstdDecompressSync(
  bytes: Uint8Array,
  options: zlib.ZstdOptions,
): Uint8Array<ArrayBuffer> {
  return asBytes(unbroken(() => zlib.zstdDecompressSync(bytes, options)));
}

/**
 * Decompresses one frame of zstd, and also returns its compressed size. Errors: as
 * `zstdDecompressSync`.
 */
export function zstdFrameSync(
  bytes: Uint8Array,
  options: zlib.ZstdOptions,
): { readonly content: Uint8Array<ArrayBuffer>; readonly frameBytes: number } {
  return readFrameHeader(
    unbroken(() => zlib.zstdDecompressSync(bytes, { ...options, info: true })),
  );
}

/** Adds the property `info` of the result, which is missing from Node's types. */
function readFrameHeader(read: Buffer) {
  const { buffer, engine } = read as unknown as {
    readonly buffer: Buffer<ArrayBuffer>;
    readonly engine: { readonly bytesWritten: number };
  };
  return { content: asBytes(buffer), frameBytes: engine.bytesWritten };
}

/** Compresses in a thread of the pool. */
export async function zstdCompress(
  bytes: Uint8Array,
  options: zlib.ZstdOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => zstdCompressInPool(bytes, options)));
}

/** Decompresses in a thread of the pool. Errors: as `zstdDecompressSync`. */
export async function zstdDecompress(
  bytes: Uint8Array,
  options: zlib.ZstdOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => zstdDecompressInPool(bytes, options)));
}

/** Decompresses gzip in a thread of the pool. Errors: as `gunzipSync`. */
export async function gunzip(
  bytes: Uint8Array,
  options: zlib.ZlibOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => gunzipInPool(bytes, options)));
}

/** Decompresses a zlib stream in a thread of the pool. Errors: as `inflateSync`. */
export async function inflate(
  bytes: Uint8Array,
  options: zlib.ZlibOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => inflateInPool(bytes, options)));
}

/** Decompresses deflate without a header in a thread of the pool. Errors: as `inflateSync`. */
export async function inflateRaw(
  bytes: Uint8Array,
  options: zlib.ZlibOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => inflateRawInPool(bytes, options)));
}

/** Decompresses Brotli in a thread of the pool. Errors: as `inflateSync`. */
export async function brotliDecompress(
  bytes: Uint8Array,
  options: zlib.BrotliOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return asBytes(await unbroken(() => brotliInPool(bytes, options)));
}

/**
 * Returns a stream that decompresses gzip in the pool. Only threads that live as long as the
 * process may use it.
 */
export function createGunzip(options: zlib.ZlibOptions = {}): zlib.Gunzip {
  return unbroken(() => zlib.createGunzip(options));
}

/** Returns a stream that decompresses zstd, for the same threads as `createGunzip`. */
export function createZstdDecompress(options: zlib.ZstdOptions = {}): zlib.ZstdDecompress {
  return unbroken(() => zlib.createZstdDecompress(options));
}

/** Returns a stream that decompresses zlib's format, for the same threads as `createGunzip`. */
export function createInflate(options: zlib.ZlibOptions = {}): zlib.Inflate {
  return unbroken(() => zlib.createInflate(options));
}

/** Returns a stream that decompresses deflate without a header; see `createGunzip`. */
export function createInflateRaw(options: zlib.ZlibOptions = {}): zlib.InflateRaw {
  return unbroken(() => zlib.createInflateRaw(options));
}

/** Returns a stream that decompresses Brotli, for the same threads as `createGunzip`. */
export function createBrotliDecompress(options: zlib.BrotliOptions = {}): zlib.BrotliDecompress {
  return unbroken(() => zlib.createBrotliDecompress(options));
}
