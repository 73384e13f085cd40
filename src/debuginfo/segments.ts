// Segments of the program that files of a build id belong to.
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { elfLoadSegmentsMax } from '../base/limits.ts';
import { readElf, segmentTypeLoad, sourceOfFile } from '../symbolize/elf-file.ts';
import { isWithoutCode, type LoadSegment } from '../symbolize/load-bias.ts';
import type { Entry } from './entry.ts';

/**
 * Reads the segments of a file that are loaded into memory; none of a file that is not ELF, or has
 * too many. Errors: the disk's.
 */
export async function readSegments(files: Files, path: string): Promise<readonly LoadSegment[]> {
  const file = await files.open(path, { create: false });
  try {
    const elf = await readElf(sourceOfFile(file, await file.size()));
    const loaded = elf.segments.filter(({ type }) => type === segmentTypeLoad);
    if (loaded.length > elfLoadSegmentsMax) return [];
    return loaded.map(({ offset, address, fileSize, memorySize, align, isExecutable }) => {
      return { offset, address, fileSize, memorySize, align, isExecutable };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-argument') return [];
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Returns the segments of a build id: those of a file with the code itself, if there is one,
 * because files without it have other offsets.
 */
export function segmentsOf(entries: readonly Entry[]): readonly LoadSegment[] {
  const known = entries.flatMap(({ file }) => {
    return file?.segments === undefined || file.segments.length === 0 ? [] : [file.segments];
  });
  return known.find((segments) => !segments.some(isWithoutCode)) ?? known.at(0) ?? [];
}
