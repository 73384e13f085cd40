// The quality of a file of debug information: the kinds of names and lines that it contains.
import { AppError } from '../base/errors.ts';
import type { Pacer } from '../base/pacer.ts';
import {
  type ElfSource,
  findSection,
  hasBytes,
  readBuildIds,
  readElf,
  sectionTypeDynamicSymbols,
  sectionTypeSymbols,
} from '../symbolize/elf-file.ts';
import { isSplit } from '../symbolize/dwarf/abbreviations.ts';
import type { BuildIdType, DebuginfoFile, FileKind, Quality } from './interface.ts';

/** Quality of a file without names of addresses, such as an archive of sources. */
export const noQuality: Quality = {
  hasDwarf: false,
  hasGoLineTable: false,
  hasSymbols: false,
  hasDynamicSymbols: false,
};

/**
 * Returns the quality of an ELF file for a build id. `pacer` makes pauses.
 *
 * Errors: AppError 'invalid-argument' when the file is not ELF, has another build id, or is a part
 * that a compiler split off (.dwo, .dwp); errors of the pacer.
 */
export async function inspectElf(
  source: ElfSource,
  buildId: string,
  buildIdType: BuildIdType,
  pacer?: Pick<Pacer, 'pause'>,
): Promise<Quality> {
  const elf = await readElf(source, pacer);
  const ids = await readBuildIds(elf);
  const isGnu = buildIdType === 'gnu' || buildIdType === 'unknown';
  // Files without a build id are accepted, because linkers write one only on request. Clients may
  // also send Go's build id, as a string or in hexadecimal.
  if (isGnu && ids.gnu !== undefined && ids.gnu !== buildId && ids.go !== buildId) {
    throw new AppError(
      'invalid-argument',
      `cannot keep the file for build id ${buildId}: its own is ${ids.gnu}`,
    );
  }
  const has = (name: string): boolean => findSection(elf, name) !== undefined;
  const hasDwarf = has('.debug_info') || has('.zdebug_info');
  if (!hasDwarf && has('.debug_info.dwo')) {
    throw new AppError(
      'invalid-argument',
      'cannot keep a file of split DWARF (.dwo, .dwp) without its program: ' +
        'parcatool debuginfo upload PROGRAM takes it along',
    );
  }
  const hasType = (type: number): boolean =>
    elf.sections.some((section) => section.type === type && hasBytes(section));
  return {
    hasDwarf,
    hasGoLineTable: has('.gopclntab') || has('.data.rel.ro.gopclntab'),
    hasSymbols: hasType(sectionTypeSymbols),
    hasDynamicSymbols: hasType(sectionTypeDynamicSymbols),
    lacksSplit: hasDwarf && !has('.debug_cu_index') && (await isSplit(elf, pacer)),
  };
}

/** Returns 2 for a file with complete DWARF, 1 if a part of it is missing, and 0 without DWARF. */
function rankLines({ hasDwarf, lacksSplit = false }: Quality): number {
  return +hasDwarf * (lacksSplit ? 1 : 2);
}

/** Returns the rank of a quality. A file replaces a stored file with a lower rank. */
function rankQuality(quality: Quality): number {
  const { hasGoLineTable, hasSymbols, hasDynamicSymbols } = quality;
  return rankLines(quality) * 8 + +hasGoLineTable * 4 + +hasSymbols * 2 + +hasDynamicSymbols;
}

/**
 * Compares files of one build id, so that the best file comes first. Files with complete DWARF
 * precede files that lack split DWARF; in both groups, forced uploads are first, then files of
 * debuginfod servers, then files of agents. After these come files with Go's line table, with
 * symbols, and with dynamic symbols.
 */
export function compareFiles(a: RankedFile, b: RankedFile): number {
  const dwarf = rankLines(b.quality) - rankLines(a.quality);
  const origin = rankOrigin(b) - rankOrigin(a);
  const isByOrigin = dwarf === 0 && a.quality.hasDwarf;
  return (
    dwarf || (isByOrigin ? origin : 0) || rankQuality(b.quality) - rankQuality(a.quality) || origin
  );
}

type RankedFile = Pick<DebuginfoFile, 'quality' | 'isExplicit'> & { readonly kind: FileKind };

function rankOrigin({ isExplicit, kind }: RankedFile): number {
  if (isExplicit) return 2;
  return kind === 'debuginfod' ? 1 : 0;
}
