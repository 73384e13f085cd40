// Finds the layout of the program with a build id, and the files that share DWARF with it.
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import { elfLoadSegmentsMax } from './limits.ts';
import type { Pacer } from '../base/pacer.ts';
import type { GoBuild } from '../model/go-build.ts';
import { readAlternateName } from '../symbolize/debug-link.ts';
import {
  type ElfFile,
  elfTypeFixed,
  readElf,
  segmentTypeLoad,
  sourceOfFile,
} from '../symbolize/elf-file.ts';
import { readGoBuild } from '../symbolize/go-build-info.ts';
import { isWithoutCode, type ProgramLayout } from '../symbolize/load-bias.ts';
import type { Entry, StoredFile } from './entry.ts';

const noLayout: ProgramLayout = { isFixed: false, segments: [] };

/** The properties of a file that are needed to look up addresses. */
export type FileFacts = Pick<StoredFile, 'layout' | 'alternate' | 'goBuild'>;

/**
 * Reads the properties of a file. If it is not ELF or has too many segments, its layout has no
 * segments. Errors: I/O errors.
 */
export async function readFacts(
  files: Files,
  path: string,
  pacer: Pick<Pacer, 'pause'>,
): Promise<FileFacts> {
  const file = await files.open(path, { create: false });
  try {
    const elf = await readElf(sourceOfFile(file, await file.size()), pacer);
    const alternate = await readAlternateName(elf);
    const goBuild = isGo(elf) ? { goBuild: await findGoBuild(elf) } : {};
    return { layout: readLayout(elf), ...(alternate && { alternate }), ...goBuild };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isDamaged = error.code === 'invalid-argument' || error.code === 'resource-exhausted';
    if (isDamaged) return { layout: noLayout };
    throw error;
  } finally {
    await file.close();
  }
}

function isGo({ sections }: ElfFile): boolean {
  return sections.some(({ name }) => name === '.go.buildinfo');
}

/** Reads the build information; null if there is none, or if it is damaged. */
async function findGoBuild(elf: ElfFile): Promise<GoBuild | null> {
  try {
    return (await readGoBuild(elf)) ?? null;
  } catch (error) {
    // Damaged build information must not hide the layout, because names do not need it.
    if (error instanceof AppError) return null;
    throw error;
  }
}

function readLayout(elf: ElfFile): ProgramLayout {
  const loaded = elf.segments.filter(({ type }) => type === segmentTypeLoad);
  if (loaded.length > elfLoadSegmentsMax) return noLayout;
  const segments = loaded.map(({ offset, address, fileSize, memorySize, align, isExecutable }) => {
    return { offset, address, fileSize, memorySize, align, isExecutable };
  });
  return { isFixed: elf.type === elfTypeFixed, segments };
}

/**
 * Returns the layout of the program with a build id. If possible, it comes from a file that
 * contains the code, because files without code have other offsets.
 */
export function findLayout(entries: readonly Entry[]): { readonly layout?: ProgramLayout } {
  const known = entries.flatMap(({ file }) => {
    return file?.layout === undefined || file.layout.segments.length === 0 ? [] : [file.layout];
  });
  const layout = known.find(({ segments }) => !segments.some(isWithoutCode)) ?? known.at(0);
  return layout === undefined ? {} : { layout };
}
