// Makes a folder so that a crash does not take its name away again.
import { errorCode } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';

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
