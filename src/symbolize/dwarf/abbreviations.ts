// Detects whether the compiler has split the DWARF of a file. Uses only the abbreviations, which
// are small.
import { AppError } from '../../base/errors.ts';
import { dwarfAbbreviationBytesMax } from '../limits.ts';
import { finishPausing, type Pacer, type Steps } from '../../base/pacer.ts';
import { type ElfFile, findSection, ofThePool, readSection } from '../elf-file.ts';
import { Cursor } from './cursor.ts';
import { attributes } from './entries.ts';

/** Tags of units: compile units and skeletons of split units. */
const unitTags: ReadonlySet<number> = new Set([0x11, 0x4a]);
const implicitConstant = 0x21;

/** Number of steps between two pauses. A step reads a code, or an attribute with its form. */
const stepsPerPause = 8_192;

/**
 * Returns true if a unit may refer to another file for its entries; false for damaged DWARF.
 * Errors: those of the pacer.
 */
export async function isSplit(elf: ElfFile, pacer?: Pick<Pacer, 'pause'>): Promise<boolean> {
  const section = findSection(elf, '.debug_abbrev') ?? findSection(elf, '.zdebug_abbrev');
  if (section === undefined) return false;
  let bytes: Uint8Array;
  try {
    bytes = await readSection(elf, section, dwarfAbbreviationBytesMax, ofThePool);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  return finishPausing(orDamaged(namesSplitFiles(new Cursor(bytes, elf.isLittleEndian))), pacer);
}

/** Runs `steps`. The result is false if the bytes end too early. */
function* orDamaged(steps: Steps<boolean>): Steps<boolean> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function* namesSplitFiles(cursor: Cursor): Steps<boolean> {
  let steps = 0;
  while (cursor.at < cursor.bytes.length) {
    steps += 1;
    if (steps % stepsPerPause === 0) yield;
    // A code of 0 ends the list of a unit.
    if (cursor.uleb() === 0) continue;
    const tag = cursor.uleb();
    cursor.skip(1);
    for (;;) {
      steps += 1;
      if (steps % stepsPerPause === 0) yield;
      const [name, form] = [cursor.uleb(), cursor.uleb()];
      if (form === implicitConstant) cursor.sleb();
      if (name === 0 && form === 0) break;
      const isName = name === attributes.splitName || name === attributes.oldSplitName;
      if (isName && unitTags.has(tag)) return true;
    }
  }
  return false;
}
