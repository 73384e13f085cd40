// Read-only files: changes do nothing.
import type { File, Files } from '../../base/files.ts';

/**
 * Makes files read-only. Writes, truncations, renames and removals succeed and do nothing, so that
 * code that repairs what it reads can run. Locks are not taken.
 */
export function readOnlyFiles(files: Files): Files {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    list: (path) => files.list(path),
    listFiles: (path) => files.listFiles(path),
    exists: (path) => files.exists(path),
    read: (path) => files.read(path),
    freeBytes: (path) => files.freeBytes(path),
    totalBytes: (path) => files.totalBytes(path),
    open: async (path) => readOnlyFile(await files.open(path, { create: false })),
    makeDirectory: nothing,
    checkWritable: nothing,
    rename: nothing,
    remove: nothing,
    link: nothing,
    syncDirectory: nothing,
    lock: () => Promise.resolve({ release: nothing }),
  };
}

function readOnlyFile(file: File): File {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    read: (into, offset) => file.read(into, offset),
    size: () => file.size(),
    close: () => file.close(),
    append: nothing,
    rewrite: nothing,
    sync: nothing,
    truncate: nothing,
  };
}
