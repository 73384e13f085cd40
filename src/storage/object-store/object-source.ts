// The source of an object to be stored. It is read in small pieces.
import { AppError } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';
import { objectCopyBytes } from '../../base/limits.ts';

/** The bytes of an object to store. */
export type ObjectSource = Pick<File, 'read' | 'size'>;

/**
 * Yields the bytes from `from` to `end` in pieces, so that other work can run in between.
 *
 * Errors: I/O errors; AppError 'data-loss' if the source is shorter.
 */
export async function* pieces(
  source: ObjectSource,
  from: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < end;) {
    const into = new Uint8Array(Math.min(objectCopyBytes, end - at));
    const count = await source.read(into, at);
    if (count === 0) throw new AppError('data-loss', 'cannot copy an object: its source shrank');
    yield into.subarray(0, count);
    at += count;
  }
}

/** Reads the bytes from `from` to `end` into memory. Errors: as in `pieces`. */
export async function readPieces(
  source: ObjectSource,
  from: number,
  end: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - from);
  let at = 0;
  for await (const piece of pieces(source, from, end)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
