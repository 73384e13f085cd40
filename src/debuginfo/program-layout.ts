// Layouts of the programs that files of a build id belong to.
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { elfLoadSegmentsMax } from '../base/limits.ts';
import { elfTypeFixed, readElf, segmentTypeLoad, sourceOfFile } from '../symbolize/elf-file.ts';
import { isWithoutCode, type ProgramLayout } from '../symbolize/load-bias.ts';
import type { Entry } from './entry.ts';

const noLayout: ProgramLayout = { isFixed: false, segments: [] };

/**
 * Reads the layout of a program; one without segments if the file is not ELF, or has too many.
 * Errors: the disk's.
 */
export async function readLayout(files: Files, path: string): Promise<ProgramLayout> {
  const file = await files.open(path, { create: false });
  try {
    const elf = await readElf(sourceOfFile(file, await file.size()));
    const loaded = elf.segments.filter(({ type }) => type === segmentTypeLoad);
    if (loaded.length > elfLoadSegmentsMax) return noLayout;
    const segments = loaded.map(
      ({ offset, address, fileSize, memorySize, align, isExecutable }) => {
        return { offset, address, fileSize, memorySize, align, isExecutable };
      },
    );
    return { isFixed: elf.type === elfTypeFixed, segments };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-argument') return noLayout;
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Returns the layout of a build id: that of a file with the code itself, if there is one, because
 * files without it have other offsets.
 */
export function layoutOf(entries: readonly Entry[]): { readonly layout?: ProgramLayout } {
  const known = entries.flatMap(({ file }) => {
    return file?.layout === undefined || file.layout.segments.length === 0 ? [] : [file.layout];
  });
  const layout = known.find(({ segments }) => !segments.some(isWithoutCode)) ?? known.at(0);
  return layout === undefined ? {} : { layout };
}
