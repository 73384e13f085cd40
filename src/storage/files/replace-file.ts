// Replaces a file so that a crash leaves the old one or the new one, whole.
import type { File, Files } from '../../base/files.ts';
import { folderOf } from './durable-folder.ts';

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
