// Finds the supplementary file to which dwz has moved the DWARF that several binaries share.
import { type ElfFile, findSection, readSection, textAt, toHex } from './elf-file.ts';

/** Longest name of a supplementary file, including its build id, in bytes. */
const linkBytesMax = 65_536;

/** Name and build id of a file that contains part of the DWARF. */
export interface AlternateName {
  readonly name: string;
  readonly buildId: string;
}

/**
 * Returns the name and build id of the file that contains part of the DWARF. Reads them from
 * .gnu_debugaltlink, or from .debug_sup of DWARF 5. Undefined if there is no such section, or if it
 * does not name a file.
 *
 * Errors: AppError of `readSection`.
 */
export async function readAlternateName(elf: ElfFile): Promise<AlternateName | undefined> {
  const { isSupplement, ...named } = await readLinks(elf);
  return isSupplement || named.buildId === '' ? undefined : named;
}

/**
 * Returns the build id of a file whose DWARF other files share, from its .debug_sup of DWARF 5;
 * undefined for any other file.
 *
 * Errors: AppError of `readSection`.
 */
export async function readSupplementId(elf: ElfFile): Promise<string | undefined> {
  const { isSupplement, buildId } = await readLinks(elf);
  return isSupplement && buildId !== '' ? buildId : undefined;
}

async function readLinks(elf: ElfFile): Promise<AlternateName & { isSupplement: boolean }> {
  const link = findSection(elf, '.gnu_debugaltlink');
  if (link !== undefined) {
    const bytes = await readSection(elf, link, linkBytesMax);
    return { ...nameAndId(bytes), isSupplement: false };
  }
  const supplement = findSection(elf, '.debug_sup');
  if (supplement === undefined) return { name: '', buildId: '', isSupplement: false };
  // The section has a version of two bytes, a flag that distinguishes the two kinds of files, a
  // name, a length in LEB128, and the id.
  const bytes = await readSection(elf, supplement, linkBytesMax);
  const isSupplement = bytes[2] === 1;
  const end = bytes.indexOf(0, 3);
  if (end === -1) return { name: '', buildId: '', isSupplement };
  const name = textAt(bytes, 3);
  // Ids are shorter than 128 bytes, so their length is one byte.
  const idLength = bytes[end + 1] ?? 0;
  return { name, buildId: toHex(bytes.subarray(end + 2, end + 2 + idLength)), isSupplement };
}

function nameAndId(bytes: Uint8Array): AlternateName {
  const end = bytes.indexOf(0);
  if (end === -1) return { name: '', buildId: '' };
  return { name: textAt(bytes, 0), buildId: toHex(bytes.subarray(end + 1)) };
}
