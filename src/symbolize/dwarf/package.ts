// Finds split units in the sections of a package (.dwp), for DWARF 5 and for GNU's extension of
// DWARF 4.
import type { Budget } from './budget.ts';
import { Cursor } from './cursor.ts';
import type { Sections } from './entries.ts';

/** Sections of a package; missing sections are empty. */
export interface PackageSections {
  /** Table of the units, by their number. */
  readonly index: Uint8Array;
  readonly info: Uint8Array;
  readonly abbreviations: Uint8Array;
  readonly strings: Uint8Array;
  readonly stringOffsets: Uint8Array;
  readonly rangeLists: Uint8Array;
}

/** The sections of a split unit, and its offset in `info`. */
export interface SplitUnit {
  readonly sections: Sections;
  readonly offset: number;
}

/** Numbers of sections in the index, with the name in `PackageSections`. */
const columns: ReadonlyMap<number, keyof PackageSections> = new Map([
  [1, 'info'],
  [3, 'abbreviations'],
  [6, 'stringOffsets'],
]);
/**
 * Number of the section with ranges in an index of DWARF 5. In earlier versions, this number means
 * another section.
 */
const rangesColumn = 8;
const none = new Uint8Array(0);

/** A package of split units. Errors of all methods: RangeError for a damaged package. */
export class DwarfPackage {
  readonly #sections: PackageSections;
  readonly #main: Sections;
  readonly #budget: Budget;
  readonly #version: number;
  readonly #columnCount: number;
  readonly #unitCount: number;
  readonly #slotCount: number;

  /**
   * `main` has the sections of the program itself. They are needed because a package has no
   * addresses.
   */
  constructor(sections: PackageSections, main: Sections, budget: Budget) {
    this.#sections = sections;
    this.#main = main;
    this.#budget = budget;
    const cursor = this.#cursorAt(0);
    // In DWARF 5, the version has two bytes, followed by two bytes of padding. Before, it had four
    // bytes.
    const version = cursor.u32();
    this.#version = version === 2 ? 2 : version & 0xffff;
    if (!main.isLittleEndian && version >>> 16 === 5) this.#version = 5;
    this.#columnCount = cursor.u32();
    this.#unitCount = cursor.u32();
    this.#slotCount = cursor.u32();
    if (this.#version !== 2 && this.#version !== 5) throw new RangeError('an unknown index');
    const slots = this.#slotCount;
    if ((slots & (slots - 1)) !== 0) throw new RangeError(`an index of ${slots} slots`);
  }

  #cursorAt(at: number): Cursor {
    return new Cursor(this.#sections.index, this.#main.isLittleEndian, at);
  }

  /** Returns the unit with a number; undefined if the package lacks it. */
  find(id: bigint): SplitUnit | undefined {
    const row = this.#findRow(id);
    return row === undefined ? undefined : this.#unitAt(row);
  }

  #findRow(id: bigint): number | undefined {
    const slots = this.#slotCount;
    if (slots === 0) return undefined;
    const mask = BigInt(slots - 1);
    const step = Number((id >> 32n) & mask) | 1;
    let slot = Number(id & mask);
    for (let i = 0; i < slots; i += 1) {
      this.#budget.spend(1);
      const row = this.#cursorAt(16 + 8 * slots + 4 * slot).u32();
      if (row === 0) return undefined;
      if (this.#cursorAt(16 + 8 * slot).bits64() === id) return row;
      slot = (slot + step) % slots;
    }
    return undefined;
  }

  #unitAt(row: number): SplitUnit {
    const count = this.#columnCount;
    if (row > this.#unitCount) throw new RangeError(`unit ${row} of ${this.#unitCount}`);
    const names = this.#cursorAt(16 + 12 * this.#slotCount);
    const offsetsAt = names.at + 4 * count * row;
    const offsets = this.#cursorAt(offsetsAt);
    const sizes = this.#cursorAt(offsetsAt + 4 * count * this.#unitCount);
    let offset: number | undefined;
    const parts = new Map<keyof PackageSections, Uint8Array>();
    this.#budget.spend(count);
    for (let i = 0; i < count; i += 1) {
      const [column, start, size] = [names.u32(), offsets.u32(), sizes.u32()];
      const isRanges = column === rangesColumn && this.#version === 5;
      const name = isRanges ? 'rangeLists' : columns.get(column);
      if (name === undefined) continue;
      if (name === 'info') offset = start;
      else parts.set(name, this.#sections[name].subarray(start, start + size));
    }
    if (offset === undefined) throw new RangeError('a unit without entries');
    const { info, strings } = this.#sections;
    const { isLittleEndian, addresses, ranges } = this.#main;
    const sections: Sections = {
      isLittleEndian,
      addresses,
      ranges,
      info,
      strings,
      abbreviations: parts.get('abbreviations') ?? none,
      stringOffsets: parts.get('stringOffsets') ?? none,
      rangeLists: parts.get('rangeLists') ?? none,
      line: none,
      lineStrings: none,
      unitRanges: none,
    };
    return { sections, offset };
  }
}
