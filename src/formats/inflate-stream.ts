// Decompression in threads of the pool; the output is joined in slices.
import { joinChunks } from '../base/join-chunks.ts';

/** A stream of zlib. */
interface Decompressor extends AsyncIterable<Uint8Array> {
  readonly bytesWritten: number;
  end(bytes: Uint8Array): unknown;
}

/**
 * Size in bytes of output chunks from a thread of the pool. Each chunk takes one turn of this
 * thread's event loop.
 */
export const streamChunkBytes = 256 * 1024;

/**
 * Decompresses `bytes` with a stream, in chunks of `streamChunkBytes`. Also returns how many bytes
 * the stream consumed, because a zstd stream ends after the first frame.
 *
 * Errors: RangeError above `maxOutputLength`; errors of zlib.
 */
export async function inflateStream(
  stream: Decompressor,
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<{ readonly content: Uint8Array; readonly usedBytes: number }> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  stream.end(bytes);
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > maxOutputLength) throw new RangeError('it is too large');
    chunks.push(chunk);
  }
  const content = chunks.length === 1 ? chunks[0] : await joinChunks(chunks);
  return { content, usedBytes: stream.bytesWritten };
}
