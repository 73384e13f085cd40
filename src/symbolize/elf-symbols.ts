// Reads the functions of an ELF file from its symbol tables, as columns sorted by address.
import { elfSymbolBytesMax } from './limits.ts';
import {
  type ElfFile,
  type ElfSection,
  hasBytes,
  readSection,
  segmentTypeLoad,
  textAt,
  sectionTypeDynamicSymbols,
  sectionTypeSymbols,
} from './elf-file.ts';

/**
 * Functions of one file. Row i covers the addresses `start[i]` .. `end[i]` (exclusive). Rows are
 * sorted by start, and no two rows have the same start. Addresses are ELF virtual addresses, which
 * are exact up to 2^53.
 */
export class FunctionSymbols {
  readonly #start: Float64Array;
  readonly #end: Float64Array;
  readonly #nameAt: Uint32Array;
  readonly #names: Uint8Array;

  constructor(start: Float64Array, end: Float64Array, nameAt: Uint32Array, names: Uint8Array) {
    this.#start = start;
    this.#end = end;
    this.#nameAt = nameAt;
    this.#names = names;
  }

  get length(): number {
    return this.#start.length;
  }

  /** Returns the linker's name of the function that covers an address. */
  findName(address: number): string | undefined {
    const offset = this.nameOffset(address);
    return offset === undefined ? undefined : textAt(this.#names, offset);
  }

  /** Returns the byte offset, in the file's table of names, of the name that `findName` returns. */
  nameOffset(address: number): number | undefined {
    const row = lastAtMost(this.#start, address);
    return row < 0 || address >= this.#end[row] ? undefined : this.#nameAt[row];
  }

  /** Returns the same functions without the bytes of their names, which take most of the memory. */
  withoutNames(): FunctionSymbols {
    return new FunctionSymbols(this.#start, this.#end, this.#nameAt, new Uint8Array(0));
  }
}

/** Returns the last row whose value is at most `value`; -1 if there is none. */
function lastAtMost(column: Float64Array, value: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Reads the functions of `.symtab`, or of `.dynsym` if there is no `.symtab`.
 *
 * Returns undefined if the file has neither. Errors: as in readSection.
 */
export async function readFunctionSymbols(elf: ElfFile): Promise<FunctionSymbols | undefined> {
  const found = functionSections(elf);
  return found && readTable(elf, found.symbols, found.names);
}

/** Returns the sections that `readFunctionSymbols` reads. */
export function functionSections(
  elf: ElfFile,
): { readonly symbols: ElfSection; readonly names: ElfSection } | undefined {
  for (const type of [sectionTypeSymbols, sectionTypeDynamicSymbols]) {
    const symbols = elf.sections.find(
      (candidate) => candidate.type === type && hasBytes(candidate),
    );
    const names = symbols && elf.sections[symbols.link];
    if (symbols && names && hasBytes(names)) return { symbols, names };
  }
  return undefined;
}

const symbolTypeFunction = 2;
const symbolTypeIndirectFunction = 10;
const bindingLocal = 0;
const bindingGlobal = 1;
const undefinedSection = 0;

async function readTable(
  elf: ElfFile,
  section: ElfSection,
  strings: ElfSection,
): Promise<FunctionSymbols> {
  const [table, names] = await Promise.all([
    readSection(elf, section, elfSymbolBytesMax),
    readSection(elf, strings, elfSymbolBytesMax),
  ]);
  const found = collect(elf, table, names);
  const order = Array.from({ length: found.count }, (_, row) => row).sort(
    (a, b) => found.start[a] - found.start[b] || found.rank[b] - found.rank[a] || a - b,
  );
  const start = new Float64Array(order.length);
  const end = new Float64Array(order.length);
  const nameAt = new Uint32Array(order.length);
  let length = 0;
  for (const row of order) {
    if (length > 0 && found.start[row] === start[length - 1]) {
      // This row is an alias of the last function. It may have a size even if the best name has
      // none.
      if (end[length - 1] === start[length - 1]) end[length - 1] = found.end[row];
      continue;
    }
    start[length] = found.start[row];
    end[length] = found.end[row];
    nameAt[length] = found.nameAt[row];
    length += 1;
  }
  closeUnsized(elf, start, end, length);
  return new FunctionSymbols(
    start.slice(0, length),
    end.slice(0, length),
    nameAt.slice(0, length),
    names,
  );
}

interface Found {
  count: number;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly nameAt: Uint32Array;
  /**
   * Rank of each name. Names that people recognize have a higher rank: global names rank above weak
   * names, and weak names above local names. Names with fewer underscores come next.
   */
  readonly rank: Int32Array;
}

function collect(elf: ElfFile, table: Uint8Array, names: Uint8Array): Found {
  const view = new DataView(table.buffer, table.byteOffset, table.length);
  const little = elf.isLittleEndian;
  const rowSize = elf.is64 ? 24 : 16;
  const rows = Math.floor(table.length / rowSize);
  const found: Found = {
    count: 0,
    start: new Float64Array(rows),
    end: new Float64Array(rows),
    nameAt: new Uint32Array(rows),
    rank: new Int32Array(rows),
  };
  for (let at = 0; at < rows * rowSize; at += rowSize) {
    const info = view.getUint8(at + (elf.is64 ? 4 : 12));
    const type = info & 0xf;
    if (type !== symbolTypeFunction && type !== symbolTypeIndirectFunction) continue;
    if (view.getUint16(at + (elf.is64 ? 6 : 14), little) === undefinedSection) continue;
    const name = view.getUint32(at, little);
    if (name === 0 || name >= names.length) continue;
    const address = elf.is64 ? word(view, at + 8, little) : view.getUint32(at + 4, little);
    const size = elf.is64 ? word(view, at + 16, little) : view.getUint32(at + 8, little);
    const row = found.count;
    // On 32-bit ARM, the lowest bit of an address marks Thumb code.
    found.start[row] = elf.machine === 40 ? address - (address % 2) : address;
    found.end[row] = found.start[row] + size;
    found.nameAt[row] = name;
    found.rank[row] = rankSymbol(info >>> 4, names, name);
    found.count += 1;
  }
  return found;
}

function word(view: DataView, at: number, little: boolean): number {
  const low = view.getUint32(little ? at : at + 4, little);
  const high = view.getUint32(little ? at + 4 : at, little);
  return high * 0x1_0000_0000 + low;
}

function rankSymbol(binding: number, names: Uint8Array, at: number): number {
  let underscores = 0;
  while (underscores < 255 && names[at + underscores] === 0x5f) underscores += 1;
  const known = binding === bindingGlobal ? 2 : binding === bindingLocal ? 0 : 1;
  return known * 256 - underscores;
}

/**
 * Extends symbols without a size to the next symbol in their segment. Such symbols are common in
 * assembly code.
 */
function closeUnsized(elf: ElfFile, start: Float64Array, end: Float64Array, length: number): void {
  const segments = elf.segments
    .filter(({ type }) => type === segmentTypeLoad)
    .sort((a, b) => a.address - b.address);
  let next = 0;
  let limitBefore = 0;
  for (let row = 0; row < length; row += 1) {
    while (next < segments.length && segments[next].address <= start[row]) {
      const { address, memorySize } = segments[next];
      limitBefore = Math.max(limitBefore, address + memorySize);
      next += 1;
    }
    if (end[row] > start[row]) continue;
    const limit = limitBefore > start[row] ? limitBefore : start[row] + 1;
    end[row] = row + 1 < length ? Math.min(start[row + 1], limit) : limit;
  }
}
