// Creates the sections of a DWARF package (.dwp) from split units, as the tool dwp does from .dwo
// files. Keeps only what is needed for names, lines and inlined calls.
import { AppError } from '../../src/base/errors.ts';
import type { SplitEntries } from '../../src/symbolize/dwarf/split-units.ts';
import type { AddedSection } from './add-sections.ts';

/** Section numbers in the index. */
const columns = { info: 1, abbreviations: 3, stringOffsets: 6, rangeLists: 8 } as const;
type Column = keyof typeof columns;
const sectionNames: Readonly<Record<Column, string>> = {
  info: '.debug_info.dwo',
  abbreviations: '.debug_abbrev.dwo',
  stringOffsets: '.debug_str_offsets.dwo',
  rangeLists: '.debug_rnglists.dwo',
};
const offsetMax = 2 ** 32 - 1;

/** A package under construction. */
export class PackageMaker {
  readonly #isLittleEndian: boolean;
  readonly #ids: bigint[] = [];
  readonly #strings = new StringTable();
  readonly #parts: Readonly<Record<Column, Uint8Array[]>> = {
    info: [],
    abbreviations: [],
    stringOffsets: [],
    rangeLists: [],
  };
  #version = 2;

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian;
  }

  /** Adds a unit. Errors: AppError 'invalid-argument' for damaged strings. */
  add(unit: SplitEntries): void {
    this.#ids.push(unit.id);
    this.#version = Math.max(this.#version, unit.version >= 5 ? 5 : 2);
    this.#parts.info.push(unit.info);
    this.#parts.abbreviations.push(unit.abbreviations);
    this.#parts.stringOffsets.push(this.#moveStrings(unit));
    this.#parts.rangeLists.push(unit.rangeLists);
  }

  /** Returns a unit's string offsets, adjusted to the package. */
  #moveStrings({ version, is64, strings, stringOffsets }: SplitEntries): Uint8Array {
    const moved = stringOffsets.slice();
    const view = new DataView(moved.buffer);
    const size = is64 ? 8 : 4;
    const header = version < 5 ? 0 : 2 * size;
    for (let at = header; at + size <= moved.length; at += size) {
      const low = is64 && !this.#isLittleEndian ? at + 4 : at;
      const offset = view.getUint32(low, this.#isLittleEndian);
      view.setUint32(low, this.#strings.add(strings, offset), this.#isLittleEndian);
    }
    return moved;
  }

  /**
   * Returns the sections. Errors: AppError 'resource-exhausted' if they are too large for 32-bit
   * offsets.
   */
  finish(): AddedSection[] {
    const used = (Object.keys(columns) as Column[]).filter(
      (column) => column !== 'rangeLists' || this.#version === 5,
    );
    return [
      addedSection('.debug_cu_index', [this.#index(used)]),
      addedSection('.debug_str.dwo', [this.#strings.done()]),
      ...used.map((column) => addedSection(sectionNames[column], this.#parts[column])),
    ];
  }

  #index(used: readonly Column[]): Uint8Array {
    const count = this.#ids.length;
    let slots = 1;
    while (slots < 1.5 * count) slots *= 2;
    const bytes = new Uint8Array(16 + 12 * slots + 4 * used.length * (1 + 2 * count));
    const view = new DataView(bytes.buffer);
    const put = (at: number, value: number): void =>
      view.setUint32(at, value, this.#isLittleEndian);
    if (this.#version === 5) view.setUint16(0, 5, this.#isLittleEndian);
    else put(0, 2);
    [used.length, count, slots].forEach((value, i) => put(4 + 4 * i, value));
    const taken = new Set<number>();
    const mask = BigInt(slots - 1);
    this.#ids.forEach((id, i) => {
      let slot = Number(id & mask);
      const step = Number((id >> 32n) & mask) | 1;
      while (taken.has(slot)) slot = (slot + step) % slots;
      taken.add(slot);
      view.setBigUint64(16 + 8 * slot, id, this.#isLittleEndian);
      put(16 + 8 * slots + 4 * slot, i + 1);
    });
    const table = 16 + 12 * slots;
    used.forEach((column, i) => {
      put(table + 4 * i, columns[column]);
      let offset = 0;
      this.#parts[column].forEach(({ length }, row) => {
        const at = table + 4 * (used.length * (1 + row) + i);
        put(at, offset);
        put(at + 4 * used.length * count, length);
        offset += length;
      });
      if (offset > offsetMax) throw tooLarge();
    });
    return bytes;
  }
}

function addedSection(name: string, content: readonly Uint8Array[]): AddedSection {
  const size = content.reduce((sum, { length }) => sum + length, 0);
  return { name, flags: 0, size, pieces: () => content };
}

/** Table of distinct strings. */
class StringTable {
  readonly #offsets = new Map<string, number>();
  readonly #chunks: Buffer[] = [];
  #length = 0;

  /** Adds the string at an offset in a section, and returns its new offset. */
  add(section: Uint8Array, start: number): number {
    const end = section.indexOf(0, start);
    if (start >= section.length || end === -1) {
      throw new AppError('invalid-argument', 'cannot read split DWARF: a string is past the end');
    }
    const bytes = Buffer.from(section.buffer, section.byteOffset + start, end + 1 - start);
    const key = bytes.toString('latin1');
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    const offset = this.#length;
    if (offset + bytes.length > offsetMax) throw tooLarge();
    this.#offsets.set(key, offset);
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    return offset;
  }

  done(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

function tooLarge(): AppError {
  const why = 'a section of the package has more than 4 GiB';
  return new AppError('resource-exhausted', `cannot pack split DWARF: ${why}`);
}
