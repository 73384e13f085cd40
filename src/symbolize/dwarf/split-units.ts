// Finds the units whose entries the compiler wrote into other files (.dwo), and reads the entries
// from such a file.
import { type ElfFile, hasBytes } from '../elf-file.ts';
import { Budget } from './budget.ts';
import { SectionReader } from './dwarf-file.ts';
import type { Sections } from './entries.ts';
import { Unit } from './unit.ts';

const none = new Uint8Array(0);

/**
 * Returns the split units of a program, if the program describes them.
 *
 * Errors: AppError of `readSection` and for too much work; RangeError for damaged DWARF.
 */
export async function readSplitUnits(elf: ElfFile, bytesMax: number): Promise<Unit[]> {
  const reader = new SectionReader(bytesMax);
  const sections: Sections = {
    isLittleEndian: elf.isLittleEndian,
    info: await reader.read(elf, 'debug_info'),
    abbreviations: await reader.read(elf, 'debug_abbrev'),
    strings: await reader.read(elf, 'debug_str'),
    lineStrings: await reader.read(elf, 'debug_line_str'),
    stringOffsets: await reader.read(elf, 'debug_str_offsets'),
    addresses: await reader.read(elf, 'debug_addr'),
    ranges: none,
    rangeLists: await reader.read(elf, 'debug_rnglists'),
    line: none,
    unitRanges: none,
  };
  return listUnits(sections).filter(({ isSplit }) => isSplit);
}

function listUnits(sections: Sections, skeleton?: Unit): Unit[] {
  const units: Unit[] = [];
  const budget = new Budget();
  for (let at = 0; at < sections.info.length;) {
    const unit = new Unit(sections, at, budget, skeleton);
    at = unit.end;
    if (!unit.hasFunctions) continue;
    unit.readRoot();
    units.push(unit);
  }
  return units;
}

/** The entries of one unit, with the tables that they need. */
export interface SplitEntries {
  readonly id: bigint;
  readonly version: number;
  readonly is64: boolean;
  readonly isLittleEndian: boolean;
  readonly info: Uint8Array;
  readonly abbreviations: Uint8Array;
  readonly strings: Uint8Array;
  readonly stringOffsets: Uint8Array;
  readonly rangeLists: Uint8Array;
}

/**
 * Returns the entries of a unit from the .dwo file `elf`; undefined if the file does not contain
 * them.
 *
 * Errors: as in `readSplitUnits`.
 */
export async function readSplitEntries(
  elf: ElfFile,
  skeleton: Unit,
  bytesMax: number,
): Promise<SplitEntries | undefined> {
  const reader = new SectionReader(bytesMax);
  const read = (name: string): Promise<Uint8Array> => reader.read(elf, `debug_${name}.dwo`);
  const { addresses, ranges } = skeleton.format.sections;
  const parts = {
    isLittleEndian: elf.isLittleEndian,
    abbreviations: await read('abbrev'),
    strings: await read('str'),
    stringOffsets: await read('str_offsets'),
    rangeLists: await read('rnglists'),
  };
  const rest = { line: none, lineStrings: none, unitRanges: none };
  // Each type may have a separate section, all with the same name.
  const named = elf.sections.filter(({ name }) => name === '.debug_info.dwo').filter(hasBytes);
  for (const section of named) {
    const info = await reader.readOne(elf, section);
    const sections: Sections = { ...parts, info, addresses, ranges, ...rest };
    const unit = listUnits(sections, skeleton).find(({ splitId }) => splitId === skeleton.splitId);
    if (unit?.splitId === undefined) continue;
    const { version, is64, offset } = unit.format;
    return { ...parts, id: unit.splitId, version, is64, info: info.subarray(offset, unit.end) };
  }
  return undefined;
}
