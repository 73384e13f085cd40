// Creates files and folders so that after a crash each is complete, in its old or its new state.
import type { File, Files } from './files.ts';
import { errorCode, AppError } from './errors.ts';
import { objectCopyBytes } from './limits.ts';

/** Suffix of the names of unfinished files. */
export const temporarySuffix = '.tmp';

/** Returns the path that a file has until it is finished. */
export function temporaryPath(path: string): string {
  return path + temporarySuffix;
}

/**
 * Replaces the file at `path`, durably. `write` gets an empty file and appends the new content.
 *
 * Errors: I/O errors.
 */
export async function replaceFile(
  files: Files,
  path: string,
  write: (file: File) => Promise<unknown>,
): Promise<void> {
  const file = await files.open(temporaryPath(path), { create: true });
  try {
    // An earlier attempt may have left some bytes.
    await file.truncate(0);
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
  await publishFile(files, path);
}

/** Renames a finished and synced temporary file to `path`, durably. Errors: I/O errors. */
export async function publishFile(files: Files, path: string): Promise<void> {
  await files.rename(temporaryPath(path), path);
  await files.syncDirectory(parentFolder(path));
}

/**
 * Makes a folder and its parents, durably. All of them are synced, because it is unknown which
 * folders are new. Folders above `root` may be unreadable.
 *
 * Errors: I/O errors.
 */
export async function makeDurableFolder(files: Files, folder: string, root: string): Promise<void> {
  await files.makeDirectory(folder);
  for (let at = folder; at !== '' && at !== '.'; at = parentFolder(at)) {
    try {
      await files.syncDirectory(parentFolder(at) || (at.startsWith('/') ? '/' : '.'));
    } catch (error) {
      // This process cannot have created a folder that it may not read.
      const isRefused = errorCode(error) === 'failed-precondition';
      if (at.length > root.length || !isRefused) throw error;
    }
  }
}

/** Returns the folder of a path; "" at the top. */
export function parentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Appends all of `source` to `target` in bounded memory, without a sync. Returns the number of
 * bytes.
 *
 * Errors: AppError 'data-loss' if the source becomes shorter while it is read; errors of the files.
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
