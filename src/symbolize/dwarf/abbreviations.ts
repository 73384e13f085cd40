// Says whether the compiler split the DWARF of a file, by its abbreviations alone: they are small.
import { AppError } from '../../base/errors.ts';
import { dwarfAbbreviationBytesMax } from '../../base/limits.ts';
import { type ElfFile, findSection, readSection } from '../elf-file.ts';
import { Cursor } from './cursor.ts';
import { attributes } from './entries.ts';

/** Tags of a unit: compile units, and what is left of those that are split off. */
const unitTags: ReadonlySet<number> = new Set([0x11, 0x4a]);
const implicitConstant = 0x21;

/** Returns true if a unit's entry may name a file with its entries; false for damaged DWARF. */
export async function isSplit(elf: ElfFile): Promise<boolean> {
  const section = findSection(elf, '.debug_abbrev') ?? findSection(elf, '.zdebug_abbrev');
  if (section === undefined) return false;
  try {
    const bytes = await readSection(elf, section, dwarfAbbreviationBytesMax);
    return namesSplitFiles(new Cursor(bytes, elf.isLittleEndian));
  } catch (error) {
    if (error instanceof AppError || error instanceof RangeError) return false;
    throw error;
  }
}

function namesSplitFiles(cursor: Cursor): boolean {
  while (cursor.at < cursor.bytes.length) {
    // A code of 0 ends the list of a unit.
    if (cursor.uleb() === 0) continue;
    const tag = cursor.uleb();
    cursor.skip(1);
    for (;;) {
      const [name, form] = [cursor.uleb(), cursor.uleb()];
      if (form === implicitConstant) cursor.sleb();
      if (name === 0 && form === 0) break;
      const isName = name === attributes.splitName || name === attributes.oldSplitName;
      if (isName && unitTags.has(tag)) return true;
    }
  }
  return false;
}
