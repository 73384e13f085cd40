// Reads the body of an answer up to a limit, or discards it.
import type { Dispatcher } from 'undici';

/** Destroys a body and its connection without reading the rest, which may be endless. */
export function dropBody(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy();
}

/**
 * Reads a complete body; undefined if it has more than `bytesMax` bytes. `take` is called before
 * bytes are stored; its errors are thrown.
 */
export async function readBody(
  body: Dispatcher.ResponseData['body'],
  bytesMax: number,
  take?: (bytes: number) => void,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop destroys the connection, so the rest is not received.
    if (length > bytesMax) return undefined;
    take?.(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
