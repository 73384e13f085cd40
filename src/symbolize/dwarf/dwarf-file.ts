// Functions, files, lines and inlined calls of an ELF file by its DWARF, of versions 2 to 5.
import { AppError } from '../../base/errors.ts';
import {
  dwarfBytesMax,
  dwarfFramesMax,
  dwarfOriginsMax,
  dwarfUnitRangesMax,
} from '../../base/limits.ts';
import { type ElfFile, findSection, readSection } from '../elf-file.ts';
import type { SourceFrame } from '../interface.ts';
import { Budget } from './budget.ts';
import type { Sections } from './entries.ts';
import type { Place } from './line-program.ts';
import { readUnitRanges } from './ranges.ts';
import { Unit } from './unit.ts';

/** Reasons why lines of a file are missing. */
export const missingLines = {
  damaged: 'its DWARF cannot be read',
  split: 'its lines are in split DWARF (.dwo, .dwp), which is not supported',
  alternate:
    'a part of its DWARF is in the file that .gnu_debugaltlink names, which is not supported',
} as const;

/**
 * Reads the DWARF of a file; undefined when it has none.
 *
 * Errors: AppError 'resource-exhausted' when it is too large, those of readSection.
 */
export async function readDwarf(elf: ElfFile): Promise<DwarfFile | undefined> {
  let left = dwarfBytesMax;
  const read = async (name: string): Promise<Uint8Array> => {
    const section = findSection(elf, `.debug_${name}`) ?? findSection(elf, `.zdebug_${name}`);
    if (section === undefined) return new Uint8Array(0);
    const bytes = await readSection(elf, section, left);
    left -= bytes.length;
    return bytes;
  };
  const sections: Sections = {
    isLittleEndian: elf.isLittleEndian,
    info: await read('info'),
    abbreviations: await read('abbrev'),
    line: await read('line'),
    strings: await read('str'),
    lineStrings: await read('line_str'),
    stringOffsets: await read('str_offsets'),
    addresses: await read('addr'),
    ranges: await read('ranges'),
    rangeLists: await read('rnglists'),
    unitRanges: await read('aranges'),
  };
  if (sections.info.length === 0) return undefined;
  return new DwarfFile(sections, findSection(elf, '.gnu_debugaltlink') !== undefined);
}

/** A range of addresses of a unit. */
interface UnitRange {
  readonly start: number;
  readonly end: number;
  readonly unit: Unit;
}

/** Name of a function and the line of its declaration. */
interface FunctionName {
  readonly systemName: string;
  readonly startLine: number;
}

/** Units of one file, by address. A unit that is damaged has no functions. */
export class DwarfFile {
  /** Reasons why lines are missing. */
  readonly notes = new Set<string>();
  readonly #units: Unit[] = [];
  /** Sorted by start. */
  readonly #ranges: UnitRange[] = [];
  /** Largest end of the ranges up to each one. */
  readonly #ends: Float64Array;
  readonly #names = new Map<number, FunctionName | undefined>();

  /** Errors: AppError 'resource-exhausted'. */
  constructor(sections: Sections, hasAlternate: boolean) {
    if (hasAlternate) this.notes.add(missingLines.alternate);
    const budget = new Budget();
    for (let at = 0; at < sections.info.length;) {
      budget.spend(1);
      let unit: Unit | undefined;
      this.#attempt(() => (unit = new Unit(sections, at, budget)));
      // The length of this unit is the only way to the next one.
      if (unit === undefined) break;
      at = unit.end;
      this.#units.push(unit);
      this.#attempt(() => this.#addUnit(unit as Unit));
    }
    // Units of DWARF 2 cannot say that they have several ranges.
    if (this.#units.some(({ format }) => format.version < 3)) {
      this.#attempt(() => this.#addUnitRanges(sections));
    }
    this.#ranges.sort((a, b) => a.start - b.start);
    let last = 0;
    this.#ends = Float64Array.from(this.#ranges, ({ end }) => (last = Math.max(last, end)));
  }

  #addUnit(unit: Unit): void {
    if (!unit.hasFunctions) return;
    unit.readRoot();
    if (unit.isSplit) this.notes.add(missingLines.split);
    unit.eachRange((start, end) => this.#addRange(unit, start, end));
  }

  #addUnitRanges(sections: Sections): void {
    readUnitRanges(sections, (offset, start, end) => {
      const unit = this.#unitOf(offset);
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

  /** Returns what `work` does; undefined when the DWARF is damaged there. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!(error instanceof RangeError)) throw error;
      this.notes.add(missingLines.damaged);
      return undefined;
    }
  }

  /**
   * Returns the calls at an address, the innermost first; none where no function is known. Names
   * are those of the linker, where DWARF has them.
   *
   * Errors: AppError 'resource-exhausted'.
   */
  framesAt(address: number): SourceFrame[] {
    let low = this.#firstAfter(address);
    while (low > 0 && this.#ends[low - 1] > address) {
      low -= 1;
      const { end, unit } = this.#ranges[low];
      if (end <= address) continue;
      const frames = this.#attempt(() => this.#framesOf(unit, address)) ?? [];
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

  #framesOf(unit: Unit, address: number): SourceFrame[] {
    const entry = unit.functionAt(address);
    if (entry === undefined) return [];
    const lines = this.#attempt(() => unit.lines());
    const found = lines?.placeOf(address);
    // A compiler that knows no line does not know a column.
    let place: Place = found ?? { fileName: '', line: 0, column: 0 };
    if (place.line === 0) place = { ...place, column: 0 };
    const frames: SourceFrame[] = [];
    const add = (origin: number | undefined): void => {
      const name = origin === undefined ? undefined : this.#nameAt(origin, 0);
      if (name === undefined) return;
      const { systemName, startLine } = name;
      frames.push({ functionName: systemName, systemName, startLine, ...place });
    };
    // The outermost ones above the limit are cut off.
    for (const call of unit.inlinedAt(entry, address).reverse().slice(0, dwarfFramesMax)) {
      add(call.origin);
      place = {
        fileName: lines?.fileName(call.file) ?? '',
        line: call.line,
        column: call.column,
      };
    }
    add(entry);
    return frames;
  }

  /** Returns the name of the function of an entry, or of what it is an instance of. */
  #nameAt(entry: number, origins: number): FunctionName | undefined {
    if (this.#names.has(entry)) return this.#names.get(entry);
    const found = this.#readName(entry, origins);
    this.#names.set(entry, found);
    return found;
  }

  #readName(entry: number, origins: number): FunctionName | undefined {
    const unit = this.#unitOf(entry);
    const own = unit && this.#attempt(() => unit.readNames(entry));
    if (own === undefined) return undefined;
    const { linkageName, name, line, origin } = own;
    const isWhole = linkageName !== undefined && line !== undefined;
    const rest =
      isWhole || origin === undefined || origins === dwarfOriginsMax
        ? undefined
        : this.#nameAt(origin, origins + 1);
    const systemName = linkageName ?? rest?.systemName ?? name;
    return systemName === undefined
      ? undefined
      : { systemName, startLine: line ?? rest?.startLine ?? 0 };
  }

  #unitOf(entry: number): Unit | undefined {
    const units = this.#units;
    let [low, high] = [0, units.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (units[middle].format.offset <= entry) low = middle + 1;
      else high = middle;
    }
    const unit = units[low - 1];
    return unit !== undefined && entry < unit.end ? unit : undefined;
  }
}
