// Chooses the files of debug information to remove when there are too many: a pure function.
import { debuginfoKeptMillis } from './limits.ts';
import type { StoredFile } from './entry.ts';

/** Limits that the operator sets; 0 = no limit. */
export interface FolderLimits {
  readonly bytesMax: number;
  readonly ageMillisMax: number;
}

/** A file that may be removed. */
export interface RemovableFile {
  readonly key: string;
  readonly file: Pick<StoredFile, 'bytes' | 'uploadedAtMillis'>;
  /** Time in Unix milliseconds when names were last read from the file; 0 = never. */
  readonly namedAtMillis: number;
  /** True if the build id also has a better file. */
  readonly isSpare: boolean;
}

/** A file to be removed. */
export interface FileRemoval {
  readonly key: string;
  readonly reason: 'age' | 'size';
}

/**
 * Returns the files to remove. Files that have not been used for too long are removed first. If the
 * rest is still too large, files whose build id has a better file follow, and then the least
 * recently used files. A file that alone provided names in the last day is kept, even if the size
 * limit is exceeded.
 */
export function planFileRemovals(
  files: readonly RemovableFile[],
  { bytesMax, ageMillisMax }: FolderLimits,
  nowMillis: number,
): FileRemoval[] {
  const removals: FileRemoval[] = [];
  const kept: RemovableFile[] = [];
  for (const one of files) {
    const isOld = ageMillisMax > 0 && nowMillis - usedAtMillis(one) > ageMillisMax;
    if (isOld) removals.push({ key: one.key, reason: 'age' });
    else kept.push(one);
  }
  let bytes = sumBytes(kept);
  const removable = kept.filter((one) => !isNeeded(one, nowMillis));
  removable.sort((a, b) => +b.isSpare - +a.isSpare || usedAtMillis(a) - usedAtMillis(b));
  for (const { key, file } of removable) {
    if (bytesMax === 0 || bytes <= bytesMax) break;
    removals.push({ key, reason: 'size' });
    bytes -= file.bytes;
  }
  return removals;
}

/** Returns the total size of the files that are kept even if the size limit is exceeded. */
export function neededBytes(files: readonly RemovableFile[], nowMillis: number): number {
  return sumBytes(files.filter((one) => isNeeded(one, nowMillis)));
}

function isNeeded({ isSpare, namedAtMillis }: RemovableFile, nowMillis: number): boolean {
  return !isSpare && namedAtMillis > 0 && nowMillis - namedAtMillis < debuginfoKeptMillis;
}

function usedAtMillis({ file, namedAtMillis }: RemovableFile): number {
  return Math.max(file.uploadedAtMillis, namedAtMillis);
}

function sumBytes(files: readonly RemovableFile[]): number {
  return files.reduce((sum, { file }) => sum + file.bytes, 0);
}
