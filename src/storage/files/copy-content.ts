// Copies a file into another without holding it in memory.
import { AppError } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';
import { objectCopyBytes } from '../../base/limits.ts';

/**
 * Appends all of `source` to `target`; returns how many bytes. Nothing is synced.
 *
 * Errors: AppError 'data-loss' when the source becomes shorter meanwhile; those of the files.
 */
export async function copyContent(
  source: Pick<File, 'read' | 'size'>,
  target: Pick<File, 'append'>,
): Promise<number> {
  const bytes = await source.size();
  const buffer = new Uint8Array(Math.min(bytes, objectCopyBytes));
  for (let at = 0; at < bytes;) {
    const count = await source.read(buffer.subarray(0, Math.min(buffer.length, bytes - at)), at);
    if (count === 0) throw new AppError('data-loss', 'cannot copy a file: it became shorter');
    await target.append(buffer.subarray(0, count));
    at += count;
  }
  return bytes;
}
