// Chooses the files of debug information to remove when there are too many: a pure function.
import type { StoredFile } from './entry.ts';

/** Limits of the operator; 0 = no limit. */
export interface FolderLimits {
  readonly bytesMax: number;
  readonly ageMillisMax: number;
}

/** A file that may be removed. */
export interface RemovableFile {
  readonly key: string;
  readonly file: Pick<StoredFile, 'bytes' | 'uploadedAtMillis'>;
  /** Time of the last upload, or of the last use for names. */
  readonly usedAtMillis: number;
  /** True if the build id also has a better file. */
  readonly isSpare: boolean;
}

/** A file to be removed. */
export interface FileRemoval {
  readonly key: string;
  readonly reason: 'age' | 'size';
}

/**
 * Returns the files to remove: first those that were not used for too long; then, until the rest
 * fits, those whose build id has a better file, then those that were used least recently.
 */
export function planFileRemovals(
  files: readonly RemovableFile[],
  { bytesMax, ageMillisMax }: FolderLimits,
  nowMillis: number,
): FileRemoval[] {
  const removals: FileRemoval[] = [];
  const kept: RemovableFile[] = [];
  for (const one of files) {
    const isOld = ageMillisMax > 0 && nowMillis - one.usedAtMillis > ageMillisMax;
    if (isOld) removals.push({ key: one.key, reason: 'age' });
    else kept.push(one);
  }
  kept.sort((a, b) => +b.isSpare - +a.isSpare || a.usedAtMillis - b.usedAtMillis);
  let bytes = kept.reduce((sum, { file }) => sum + file.bytes, 0);
  for (const { key, file } of kept) {
    if (bytesMax === 0 || bytes <= bytesMax) break;
    removals.push({ key, reason: 'size' });
    bytes -= file.bytes;
  }
  return removals;
}
