// Reads functions, files, lines and inlined calls from the DWARF of an ELF file, in versions 2 to
// 5.
import { AppError } from '../../base/errors.ts';
import { dwarfBytesMax, dwarfFramesMax, dwarfUnitRangesMax } from '../limits.ts';
import { type ElfFile, type ElfSection, findSection, readSection } from '../elf-file.ts';
import type { SourceFrame } from '../interface.ts';
import type { MissingLines } from '../missing-lines.ts';
import { Budget } from './budget.ts';
import type { Sections } from './entries.ts';
import { type Attempt, FunctionNames } from './function-names.ts';
import { DwarfPackage, type PackageSections } from './package.ts';
import type { Place } from './line-program.ts';
import { readUnitRanges } from './ranges.ts';
import { Unit } from './unit.ts';

/**
 * Reads the DWARF of a file; undefined if the file has none. `alternate` is the file with which it
 * shares DWARF.
 *
 * Errors: AppError 'resource-exhausted' if it is too large; errors of readSection.
 */
export async function readDwarf(elf: ElfFile, alternate?: ElfFile): Promise<DwarfFile | undefined> {
  const reader = new SectionReader();
  const read = (name: string): Promise<Uint8Array> => reader.read(elf, name);
  const info = await read('debug_info');
  if (info.length === 0) return undefined;
  const shared = alternate && (await readShared(reader, alternate));
  const sections: Sections = {
    isLittleEndian: elf.isLittleEndian,
    info,
    abbreviations: await read('debug_abbrev'),
    line: await read('debug_line'),
    strings: await read('debug_str'),
    lineStrings: await read('debug_line_str'),
    stringOffsets: await read('debug_str_offsets'),
    addresses: await read('debug_addr'),
    ranges: await read('debug_ranges'),
    rangeLists: await read('debug_rnglists'),
    unitRanges: await read('debug_aranges'),
    ...(shared && { alternateStrings: shared.strings }),
  };
  const index = await read('debug_cu_index');
  const split: PackageSections | undefined =
    index.length === 0
      ? undefined
      : {
          index,
          info: await read('debug_info.dwo'),
          abbreviations: await read('debug_abbrev.dwo'),
          strings: await read('debug_str.dwo'),
          stringOffsets: await read('debug_str_offsets.dwo'),
          rangeLists: await read('debug_rnglists.dwo'),
        };
  const lacksAlternate = shared === undefined && hasAlternate(elf);
  return new DwarfFile({ sections, split, shared, lacksAlternate });
}

/** Returns true if a part of the DWARF is in another file. */
function hasAlternate(elf: ElfFile): boolean {
  return ['.gnu_debugaltlink', '.debug_sup'].some((name) => findSection(elf, name) !== undefined);
}

/** Reads the sections of a file that name other files. */
async function readShared(reader: SectionReader, elf: ElfFile): Promise<Sections> {
  const none = new Uint8Array(0);
  return {
    isLittleEndian: elf.isLittleEndian,
    info: await reader.read(elf, 'debug_info'),
    abbreviations: await reader.read(elf, 'debug_abbrev'),
    strings: await reader.read(elf, 'debug_str'),
    lineStrings: await reader.read(elf, 'debug_line_str'),
    stringOffsets: await reader.read(elf, 'debug_str_offsets'),
    line: none,
    addresses: none,
    ranges: none,
    rangeLists: none,
    unitRanges: none,
  };
}

/** Reads sections, up to a limit on their total size. */
export class SectionReader {
  #left: number;

  constructor(bytesMax = dwarfBytesMax) {
    this.#left = bytesMax;
  }

  /** Returns the content of .NAME or .zNAME; empty if there is no such section. */
  async read(elf: ElfFile, name: string): Promise<Uint8Array> {
    const section = findSection(elf, `.${name}`) ?? findSection(elf, `.z${name}`);
    return section === undefined ? new Uint8Array(0) : this.readOne(elf, section);
  }

  /** Returns the content of a section. */
  async readOne(elf: ElfFile, section: ElfSection): Promise<Uint8Array> {
    const bytes = await readSection(elf, section, this.#left);
    this.#left -= bytes.length;
    return bytes;
  }
}

/** Sections of one file, and of other files with parts of its DWARF. */
interface Parts {
  readonly sections: Sections;
  /** Units that the compiler wrote into other files. */
  readonly split?: PackageSections | undefined;
  /** Sections of the file with which this file shares DWARF. */
  readonly shared?: Sections | undefined;
  readonly lacksAlternate: boolean;
}

/** A range of addresses of a unit. */
interface UnitRange {
  readonly start: number;
  readonly end: number;
  readonly unit: Unit;
}

/** The unit that contains the entries of functions, and the names of the functions. */
interface Owner {
  readonly unit: Unit;
  readonly names: FunctionNames;
}

/** The DWARF of one file, with units by address. A damaged unit has no functions. */
class DwarfFile {
  /** Types of DWARF that were needed for addresses but are missing. */
  readonly missing = new Set<MissingLines>();
  readonly #budget = new Budget();
  readonly #units: readonly Unit[];
  readonly #names: FunctionNames;
  readonly #package: DwarfPackage | undefined;
  /** Split units that contain functions, by the skeleton unit in the file. */
  readonly #owners = new Map<Unit, Owner>();
  /** Ranges of the units, sorted by start. */
  readonly #ranges: UnitRange[] = [];
  /** For each range, the largest end of this range and all ranges before it. */
  readonly #ends: Float64Array;

  /** Reads the headers of units. Errors: AppError 'resource-exhausted'. */
  constructor({ sections, split, shared, lacksAlternate }: Parts) {
    if (lacksAlternate) this.missing.add('alternate');
    const attempt: Attempt = (work) => this.#attempt(work);
    this.#units = this.#readUnits(sections, (unit) => this.#addUnit(unit));
    const alternate =
      shared &&
      new FunctionNames(
        this.#readUnits(shared, (unit) => unit.readRoot()),
        attempt,
      );
    this.#names = new FunctionNames(this.#units, attempt, alternate);
    if (split !== undefined) {
      this.#package = this.#attempt(() => new DwarfPackage(split, sections, this.#budget));
    }
    // DWARF 2 cannot express that a unit has several ranges.
    if (this.#units.some(({ format }) => format.version < 3)) {
      this.#attempt(() => this.#addUnitRanges(sections));
    }
    this.#ranges.sort((a, b) => a.start - b.start);
    let last = 0;
    this.#ends = Float64Array.from(this.#ranges, ({ end }) => (last = Math.max(last, end)));
  }

  #readUnits(sections: Sections, take: (unit: Unit) => void): Unit[] {
    const units: Unit[] = [];
    for (let at = 0; at < sections.info.length;) {
      this.#budget.spend(1);
      const unit = this.#attempt(() => new Unit(sections, at, this.#budget));
      // Without the length of this unit, the next unit cannot be found.
      if (unit === undefined) break;
      at = unit.end;
      units.push(unit);
      this.#attempt(() => take(unit));
    }
    return units;
  }

  #addUnit(unit: Unit): void {
    if (!unit.hasFunctions) return;
    unit.readRoot();
    unit.eachRange((start, end) => this.#addRange(unit, start, end));
  }

  #addUnitRanges(sections: Sections): void {
    readUnitRanges(sections, (offset, start, end) => {
      const unit = this.#names.findUnit(offset);
      const isOld = unit?.format.offset === offset && unit.format.version < 3;
      if (isOld && unit.hasFunctions) this.#addRange(unit, start, end);
    });
  }

  #addRange(unit: Unit, start: number, end: number): void {
    if (this.#ranges.length >= dwarfUnitRangesMax) {
      const why = `its units have more than ${dwarfUnitRangesMax} ranges`;
      throw new AppError('resource-exhausted', `cannot read DWARF: ${why}`);
    }
    this.#ranges.push({ start, end, unit });
  }

  /** Returns the result of `work`; undefined if `work` meets damaged DWARF. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!(error instanceof RangeError)) throw error;
      this.missing.add('damaged');
      return undefined;
    }
  }

  /**
   * Returns the calls at an address, the innermost first; empty if no function is known. Names are
   * mangled if DWARF has mangled names. The name of the outermost call is "" if it is in a missing
   * file.
   *
   * Errors: AppError 'resource-exhausted'.
   */
  framesAt(address: number): SourceFrame[] {
    let low = this.#firstAfter(address);
    while (low > 0 && this.#ends[low - 1] > address) {
      low -= 1;
      const { end, unit } = this.#ranges[low];
      if (end <= address) continue;
      const frames = this.#attempt(() => this.#readFrames(unit, address)) ?? [];
      if (frames.length > 0) return frames;
    }
    return [];
  }

  #firstAfter(address: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranges[middle].start <= address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Returns the unit that contains the entries for a unit of the file. It may be in another file.
   */
  #findOwner(unit: Unit): Owner {
    const known = this.#owners.get(unit);
    if (known !== undefined) return known;
    const whole: Owner = { unit, names: this.#names };
    const owner = unit.isSplit ? (this.#attempt(() => this.#readSplit(unit)) ?? whole) : whole;
    this.#owners.set(unit, owner);
    return owner;
  }

  #readSplit(skeleton: Unit): Owner | undefined {
    const id = skeleton.splitId;
    const found = id === undefined ? undefined : this.#package?.find(id);
    if (found === undefined) {
      this.missing.add('split');
      return undefined;
    }
    const unit = new Unit(found.sections, found.offset, this.#budget, skeleton);
    unit.readRoot();
    return { unit, names: new FunctionNames([unit], (work) => this.#attempt(work)) };
  }

  #readFrames(skeleton: Unit, address: number): SourceFrame[] {
    const { unit, names } = this.#findOwner(skeleton);
    const entry = unit.functionAt(address);
    if (entry === undefined) return [];
    const lines = this.#attempt(() => unit.lines());
    const found = lines?.findPosition(address);
    // If the line is unknown, so is the column.
    let place: Place = found ?? { fileName: '', line: 0, column: 0 };
    if (place.line === 0) place = { ...place, column: 0 };
    const frames: SourceFrame[] = [];
    const add = (origin: number | undefined): void => {
      const name = origin === undefined ? undefined : names.nameAt(origin);
      if (name === undefined) return;
      const { systemName, startLine } = name;
      frames.push({ functionName: systemName, systemName, startLine, ...place });
    };
    // Above the limit, the outermost calls are left out.
    for (const call of unit.inlinedAt(entry, address).reverse().slice(0, dwarfFramesMax)) {
      add(call.origin);
      place = {
        fileName: lines?.fileName(call.file) ?? '',
        line: call.line,
        column: call.column,
      };
    }
    const named = frames.length;
    add(entry);
    // The name is in a missing file.
    if (frames.length === named) {
      frames.push({ functionName: '', systemName: '', startLine: 0, ...place });
    }
    return frames;
  }
}
