// Replaces a file so that a crash leaves the old one or the new one, whole.
import type { File, Files } from '../../base/files.ts';
import { errorCode, AppError } from '../../base/errors.ts';
import { objectCopyBytes } from '../../base/limits.ts';

/** What the names of unfinished files end in. */
export const temporarySuffix = '.tmp';

/** The name of a file that is not finished. */
export function temporaryPath(path: string): string {
  return path + temporarySuffix;
}

/** Makes `path` hold what `write` appends to an empty file, durably. Errors: the disk's. */
export async function replaceFile(
  files: Files,
  path: string,
  write: (file: File) => Promise<unknown>,
): Promise<void> {
  const file = await files.open(temporaryPath(path), { create: true });
  try {
    // What an earlier attempt may have left.
    await file.truncate(0);
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
  await publishFile(files, path);
}

/** Gives a finished and synced temporary file its name, durably. Errors: the disk's. */
export async function publishFile(files: Files, path: string): Promise<void> {
  await files.rename(temporaryPath(path), path);
  await files.syncDirectory(folderOf(path));
}

/**
 * Makes a folder, and makes its name and those of all above it durable: makers of directories do
 * not say which of them they have made. Those above `root` may be unreadable.
 *
 * Errors: those of the disk.
 */
export async function makeDurableFolder(files: Files, folder: string, root: string): Promise<void> {
  await files.makeDirectory(folder);
  for (let at = folder; at !== '' && at !== '.'; at = folderOf(at)) {
    try {
      await files.syncDirectory(folderOf(at) || (at.startsWith('/') ? '/' : '.'));
    } catch (error) {
      // Who may not read what is above did not make it either.
      const isRefused = errorCode(error) === 'failed-precondition';
      if (at.length > root.length || !isRefused) throw error;
    }
  }
}

/** The folder that a path lies in; "" at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

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
