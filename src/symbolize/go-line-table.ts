// Reads functions, files and lines of a Go program from Go's own table (.gopclntab), which stripped
// programs keep.
//
// The layouts are those in cmd/link and runtime/symtab.go of Go 1.2, 1.16, 1.18 and 1.20. The magic
// number at the start of the table identifies the layout. Go 1.26 still uses the layout of 1.20.
// All numbers have the machine's byte order. Inlined calls are supported from Go 1.12 on, because
// the first such tables (1.9 to 1.11) lack the position of the caller.
import { AppError } from '../base/errors.ts';
import { goInlinedCallsMax, goLineTableBytesMax } from './limits.ts';
import {
  type ElfFile,
  Fields,
  findSection,
  readSection,
  textAt,
  sectionTypeSymbols,
} from './elf-file.ts';
import type { SourceFrame } from './interface.ts';

type Version = '1.2' | '1.16' | '1.18' | '1.20';

const versions: ReadonlyMap<number, Version> = new Map([
  [0xfffffffb, '1.2'],
  [0xfffffffa, '1.16'],
  [0xfffffff0, '1.18'],
  [0xfffffff1, '1.20'],
]);

/**
 * Indexes of a function's two inlining tables. `index` counts among its tables by program counter,
 * `tree` among its other tables.
 */
interface InlineTables {
  readonly index: number;
  readonly tree: number;
}

/** Indexes of Go 1.12, and of Go 1.13 to 1.15. Their tables have the same magic number. */
const inlineTables112: InlineTables = { index: 1, tree: 2 };
const inlineTables113: InlineTables = { index: 2, tree: 4 };
const inlineTables116: InlineTables = { index: 2, tree: 3 };

/** Bytes that contain the trees of inlined calls. */
interface FunctionData {
  readonly bytes: Uint8Array;
  /**
   * Number to subtract from the address of a tree to get its offset; 0 if the address is already an
   * offset.
   */
  readonly start: number;
  readonly tables: InlineTables;
}

/** Starts of the parts of the table, in bytes from the start of the table. */
interface Parts {
  readonly functionCount: number;
  readonly names: number;
  readonly units: number;
  readonly files: number;
  readonly values: number;
  readonly functions: number;
}

/** One function in the table: the offset of its fixed fields, and its first address. */
interface FoundFunction {
  readonly at: number;
  readonly entry: number;
}

/** The line table of one Go program. */
export class GoLineTable {
  readonly #bytes: Uint8Array;
  readonly #fields: Fields;
  readonly #version: Version;
  readonly #quantum: number;
  readonly #wordSize: number;
  readonly #parts: Parts;
  readonly #textStart: number;
  readonly #functionData: FunctionData | undefined;
  readonly #functionFields: Fields | undefined;

  constructor(
    bytes: Uint8Array,
    isLittleEndian: boolean,
    textStart: number,
    functionData: FunctionData | undefined,
  ) {
    if (bytes.length < 16) throw damaged('it has no header');
    const wordSize = bytes[7];
    if (wordSize !== 4 && wordSize !== 8) throw damaged(`it has words of ${wordSize} bytes`);
    const fields = new Fields(bytes, wordSize === 8, isLittleEndian);
    const version = versions.get(fields.u32(0));
    if (version === undefined)
      throw damaged(`its version ${fields.u32(0).toString(16)} is unknown`);
    this.#bytes = bytes;
    this.#fields = fields;
    this.#version = version;
    this.#quantum = bytes[6];
    this.#wordSize = wordSize;
    this.#parts = readParts(bytes, fields, version, wordSize);
    // Since Go 1.26, the linker leaves this header field at 0.
    const inHeader = version === '1.18' || version === '1.20' ? fields.word(8 + 2 * wordSize) : 0;
    this.#textStart = inHeader === 0 ? textStart : inHeader;
    this.#functionData = functionData;
    this.#functionFields =
      functionData && new Fields(functionData.bytes, wordSize === 8, isLittleEndian);
  }

  /**
   * Returns the calls at an address, the innermost first. There are none if no function contains
   * the address.
   *
   * Errors: AppError 'data-loss' if the table contradicts itself.
   */
  framesAt(address: number): SourceFrame[] {
    try {
      return this.#framesAt(address);
    } catch (error) {
      if (error instanceof RangeError) throw damaged('it refers to something past its end', error);
      throw error;
    }
  }

  #framesAt(address: number): SourceFrame[] {
    const found = this.#find(address);
    if (found === undefined) return [];
    const frames: SourceFrame[] = [];
    let pc = address;
    for (let depth = 0; depth < goInlinedCallsMax; depth += 1) {
      const place = this.#placeAt(found, pc);
      const call = this.#inlinedCallAt(found, pc);
      if (call === undefined) {
        const name = this.#nameAt(this.#field(found, this.#isOld ? this.#wordSize : 4));
        const startLine = this.#version === '1.20' ? this.#field(found, 36) : 0;
        frames.push(toFrame(name, place, startLine));
        return frames;
      }
      frames.push(toFrame(this.#nameAt(call.name), place, call.startLine));
      pc = found.entry + call.parentPc;
    }
    throw damaged(`more than ${goInlinedCallsMax} calls are inlined at ${address.toString(16)}`);
  }

  /** True before Go 1.18, where functions have absolute addresses. */
  get #isOld(): boolean {
    return this.#version === '1.2' || this.#version === '1.16';
  }

  #find(address: number): FoundFunction | undefined {
    const { functionCount, functions } = this.#parts;
    const size = this.#isOld ? this.#wordSize : 4;
    const base = this.#isOld ? 0 : this.#textStart;
    const number = (at: number): number =>
      size === 8 ? this.#fields.word(at) : this.#fields.u32(at);
    const readEntry = (row: number): number => base + number(functions + row * 2 * size);
    if (functionCount === 0 || address < readEntry(0) || address >= readEntry(functionCount)) {
      return undefined;
    }
    let [low, high] = [0, functionCount];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (readEntry(middle) <= address) low = middle;
      else high = middle;
    }
    const offset = number(functions + low * 2 * size + size);
    // In Go 1.2, offsets are relative to the start of the table. Later, they are relative to the
    // start of the functions.
    const at = (this.#version === '1.2' ? 0 : functions) + offset;
    return { at, entry: readEntry(low) };
  }

  /** Reads a function's field at `offset`, as a signed number of 4 bytes. */
  #field({ at }: FoundFunction, offset: number): number {
    return this.#fields.u32(at + offset) | 0;
  }

  /**
   * Reads a field after the first field. The first field takes 4 bytes, but older versions store it
   * as a word.
   */
  #laterField(found: FoundFunction, offset: number): number {
    return this.#field(found, offset + (this.#isOld ? this.#wordSize - 4 : 0));
  }

  #placeAt(found: FoundFunction, pc: number): { fileName: string; line: number } {
    const file = this.#valueAt(this.#laterField(found, 20), found.entry, pc);
    const line = this.#valueAt(this.#laterField(found, 24), found.entry, pc);
    return { fileName: this.#fileName(found, file), line: Math.max(0, line) };
  }

  #fileName(found: FoundFunction, file: number): string {
    const { files, units } = this.#parts;
    if (this.#version === '1.2') {
      if (file <= 0) return '';
      return textAt(this.#bytes, this.#fields.u32(files + 4 * file));
    }
    if (file < 0) return '';
    const offset = this.#fields.u32(units + 4 * (this.#laterField(found, 32) + file));
    return offset === 0xffffffff ? '' : textAt(this.#bytes, files + offset);
  }

  #nameAt(offset: number): string {
    return textAt(this.#bytes, this.#parts.names + offset);
  }

  /** Returns the value of a table at a program counter; -1 if the table has none. */
  #valueAt(table: number, entry: number, pc: number): number {
    if (table <= 0) return -1;
    const cursor = { at: this.#parts.values + table };
    let value = -1;
    let next = entry;
    for (let isFirst = true; ; isFirst = false) {
      const change = this.#varint(cursor);
      if (change === 0 && !isFirst) return -1;
      value += (change & 1) === 0 ? change >>> 1 : ~(change >>> 1);
      next += this.#varint(cursor) * this.#quantum;
      if (pc < next) return value;
    }
  }

  #varint(cursor: { at: number }): number {
    let result = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[cursor.at];
      if (byte === undefined) throw new RangeError('past the end');
      cursor.at += 1;
      result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
    }
    throw damaged('a number has more than five bytes');
  }

  #inlinedCallAt(
    found: FoundFunction,
    pc: number,
  ): { name: number; parentPc: number; startLine: number } | undefined {
    const data = this.#functionFields;
    if (data === undefined || this.#functionData === undefined) return undefined;
    const { tables: numbers, start } = this.#functionData;
    const tableCount = this.#laterField(found, 28);
    // The layout of 1.20 has an additional field for the first line. The layout of 1.2 lacks the
    // field for the number of the unit.
    const flagsField = { '1.2': 32, '1.16': 36, '1.18': 36, '1.20': 40 }[this.#version];
    const flags = found.at + flagsField + (this.#isOld ? this.#wordSize - 4 : 0);
    const dataCount = this.#bytes[flags + 3];
    if (tableCount <= numbers.index || dataCount <= numbers.tree) return undefined;
    const tables = flags + 4;
    const said = this.#treeOffset(tables + 4 * tableCount, numbers.tree);
    if (said === undefined || said < start) return undefined;
    const tree = said - start;
    const table = this.#fields.u32(tables + 4 * numbers.index);
    const index = this.#valueAt(table, found.entry, pc);
    if (index < 0) return undefined;
    if (this.#version === '1.20') {
      const at = tree + 16 * index;
      const startLine = data.u32(at + 12) | 0;
      return { name: data.u32(at + 4), parentPc: data.u32(at + 8), startLine };
    }
    const at = tree + 20 * index;
    return { name: data.u32(at + 12), parentPc: data.u32(at + 16), startLine: 0 };
  }

  /**
   * Returns the offset of tree `number` in the list at `list`; undefined if the function has none.
   */
  #treeOffset(list: number, number: number): number | undefined {
    if (!this.#isOld) {
      const offset = this.#fields.u32(list + 4 * number);
      return offset === 0xffffffff ? undefined : offset;
    }
    // The list has aligned addresses. They are 0 in programs that are relocated at startup.
    const word = this.#wordSize;
    const at = Math.ceil(list / word) * word + word * number;
    const address = word === 8 ? this.#fields.word(at) : this.#fields.u32(at);
    return address === 0 ? undefined : address;
  }
}

function toFrame(
  name: string,
  place: { readonly fileName: string; readonly line: number },
  startLine: number,
): SourceFrame {
  return { functionName: name, systemName: name, ...place, startLine, column: 0 };
}

function detectVersion(bytes: Uint8Array, isLittleEndian: boolean): Version | undefined {
  return bytes.length < 4
    ? undefined
    : versions.get(new Fields(bytes, true, isLittleEndian).u32(0));
}

function readParts(bytes: Uint8Array, fields: Fields, version: Version, wordSize: number): Parts {
  const word = (index: number): number => {
    const at = 8 + index * wordSize;
    if (at + wordSize > bytes.length) throw damaged('its header is cut off');
    return wordSize === 8 ? fields.word(at) : fields.u32(at);
  };
  const functionCount = word(0);
  let parts: Parts;
  if (version === '1.2') {
    const functions = 8 + wordSize;
    const files = functions + functionCount * 2 * wordSize + wordSize;
    if (files + 4 > bytes.length) throw damaged(`it has no room for ${functionCount} functions`);
    parts = { functionCount, names: 0, units: 0, files: fields.u32(files), values: 0, functions };
  } else {
    const first = version === '1.16' ? 2 : 3;
    const [names, units, files, values, functions] = [0, 1, 2, 3, 4].map((i) => word(first + i));
    parts = { functionCount, names, units, files, values, functions };
  }
  const rowSize = version === '1.2' || version === '1.16' ? 2 * wordSize : 8;
  if (parts.functions + functionCount * rowSize + rowSize / 2 > bytes.length) {
    throw damaged(`it has no room for ${functionCount} functions`);
  }
  return parts;
}

/**
 * Reads the line table of a Go program; returns undefined if there is none.
 *
 * Errors: as in readSection; AppError 'data-loss' if the table is damaged.
 */
export async function readGoLineTable(elf: ElfFile): Promise<GoLineTable | undefined> {
  const section = findSection(elf, '.gopclntab') ?? findSection(elf, '.data.rel.ro.gopclntab');
  if (section === undefined) return undefined;
  const bytes = await readSection(elf, section, goLineTableBytesMax);
  const version = detectVersion(bytes, elf.isLittleEndian);
  const module = await findModule(elf, section.address, version);
  const text = elf.sections.find(({ name }) => name === '.text')?.address ?? 0;
  const data =
    module === undefined ? await findOlderData(elf, version) : await findFunctionData(elf, module);
  return new GoLineTable(bytes, elf.isLittleEndian, module?.text ?? text, data);
}

/** The description of the program by Go's runtime (moduledata). */
interface GoModule {
  readonly text: number;
  /** Address to which offsets of function data are relative. */
  readonly functionData: number;
}

/**
 * Indexes of two words in moduledata: the lowest program counter, and the first address of the
 * code.
 */
const minPcWord = 20;
const textWord = 22;
/**
 * Index of the word in moduledata with the start of function data. Version 1.20 added two words
 * before it.
 */
const functionDataWords: Partial<Record<Version, number>> = { '1.18': 38, '1.20': 40 };

/**
 * Finds moduledata by its first word, which is the address of the line table. Versions before 1.18
 * do not need moduledata, because their functions have absolute addresses.
 */
async function findModule(
  elf: ElfFile,
  tableAddress: number,
  version: Version | undefined,
): Promise<GoModule | undefined> {
  const functionDataWord = version && functionDataWords[version];
  if (functionDataWord === undefined) return undefined;
  const wordSize = elf.is64 ? 8 : 4;
  for (const name of ['.go.module', '.noptrdata', '.data', '.data.rel.ro']) {
    const section = findSection(elf, name);
    if (section === undefined) continue;
    const bytes = await readSection(elf, section, goLineTableBytesMax);
    const fields = new Fields(bytes, elf.is64, elf.isLittleEndian);
    const last = bytes.length - wordSize * (functionDataWord + 1);
    for (let at = 0; at <= last; at += wordSize) {
      if (fields.word(at) !== tableAddress) continue;
      const word = (index: number): number => fields.word(at + index * wordSize);
      const [minPc, text] = [word(minPcWord), word(textWord)];
      if (text === 0 || minPc < text) continue;
      return { text, functionData: word(functionDataWord) };
    }
  }
  return undefined;
}

/** Returns the section that contains the trees of inlined calls in Go 1.12 to 1.17. */
async function findOlderData(
  elf: ElfFile,
  version: Version | undefined,
): Promise<FunctionData | undefined> {
  const section = findSection(elf, '.rodata');
  if (section === undefined || (version !== '1.2' && version !== '1.16')) return undefined;
  // Go writes this section since version 1.13.
  const isFrom113 = findSection(elf, '.go.buildinfo') !== undefined;
  const tables112 = isFrom113 ? inlineTables113 : inlineTables112;
  return {
    bytes: await readSection(elf, section, goLineTableBytesMax),
    start: section.address,
    tables: version === '1.16' ? inlineTables116 : tables112,
  };
}

/** Returns the bytes from the start of function data to the end of their section. */
async function findFunctionData(elf: ElfFile, module: GoModule): Promise<FunctionData | undefined> {
  const address = (await functionDataSymbol(elf)) ?? module.functionData;
  const section = elf.sections.find(
    (candidate) =>
      candidate.address !== 0 &&
      address >= candidate.address &&
      address < candidate.address + candidate.size,
  );
  if (section === undefined) return undefined;
  const bytes = await readSection(elf, section, goLineTableBytesMax);
  return { bytes: bytes.subarray(address - section.address), start: 0, tables: inlineTables116 };
}

/** Returns the address of the symbol `go:func.*`, which stripped programs lack. */
async function functionDataSymbol(elf: ElfFile): Promise<number | undefined> {
  const section = elf.sections.find(({ type }) => type === sectionTypeSymbols);
  const strings = section && elf.sections[section.link];
  if (section === undefined || strings === undefined) return undefined;
  const [table, names] = await Promise.all([
    readSection(elf, section, goLineTableBytesMax),
    readSection(elf, strings, goLineTableBytesMax),
  ]);
  const fields = new Fields(table, elf.is64, elf.isLittleEndian);
  const rowSize = elf.is64 ? 24 : 16;
  for (let at = 0; at + rowSize <= table.length; at += rowSize) {
    const name = textAt(names, fields.u32(at));
    if (name === 'go:func.*' || name === 'go.func.*') return fields.word(at + (elf.is64 ? 8 : 4));
  }
  return undefined;
}

function damaged(why: string, cause?: unknown): AppError {
  return new AppError('data-loss', `cannot read Go's line table: ${why}`, { cause });
}
