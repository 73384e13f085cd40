// Finds the lines of addresses by running the programs in .debug_line, for DWARF 2 to 5.
import { dwarfLineFilesMax, dwarfLineRowsMax, elfTextBytesMax } from '../limits.ts';
import type { Budget } from './budget.ts';
import { Cursor } from './cursor.ts';
import { type Format, readNumber, readString } from './entries.ts';

/** A position in a source file. */
export interface Place {
  readonly fileName: string;
  readonly line: number;
  readonly column: number;
}

interface FileName {
  readonly name: string;
  readonly folder: number;
}

/** Lines of one unit. */
export class LineTable {
  readonly #folders: readonly string[];
  readonly #files: readonly FileName[];
  /** Number of the first file. */
  readonly #firstFile: number;
  readonly #unitFolder: string;
  readonly #rows: Rows;
  readonly #names = new Map<number, string>();

  /** `unitFolder` is the folder of the compilation. Errors: RangeError. */
  constructor(format: Format, offset: number, unitFolder: string, budget: Budget) {
    const { sections } = format;
    const start = new Cursor(sections.line, sections.isLittleEndian, offset);
    let length = start.u32();
    const is64 = length === 0xffff_ffff;
    if (is64) length = start.u64();
    // The bytes are cut after this unit's program, so that reads cannot go past it.
    const bytes = sections.line.subarray(0, start.at + length);
    const cursor = new Cursor(bytes, sections.isLittleEndian, start.at);
    const version = cursor.u16();
    if (version < 2 || version > 5) throw new RangeError(`lines of version ${version}`);
    const addressSize = version >= 5 ? cursor.u8() : format.addressSize;
    if (version >= 5) cursor.skip(1);
    const own: Format = { ...format, version, is64, addressSize };
    const headerLength = cursor.offset(is64);
    const program = cursor.at + headerLength;
    const header = readHeader(cursor, version);
    const names = version >= 5 ? readNames(cursor, own) : readOldNames(cursor);
    this.#folders = names.folders;
    this.#files = names.files;
    this.#firstFile = version >= 5 ? 0 : 1;
    this.#unitFolder = unitFolder;
    cursor.at = program;
    budget.spend(bytes.length - program);
    this.#rows = runProgram(cursor, header, addressSize);
  }

  /** Returns the position of an address; undefined if there is none. */
  findPosition(address: number): Place | undefined {
    const row = this.#rows.findRow(address);
    if (row === -1) return undefined;
    const { file, line, column } = this.#rows;
    return { fileName: this.fileName(file[row]), line: line[row], column: column[row] };
  }

  /** Returns the name of a file with its folder; "" if it is not in the list. */
  fileName(number: number): string {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const file = this.#files.at(number - this.#firstFile);
    // The file may be undefined, but a negative index must not count from the end of the list.
    const isListed = number >= this.#firstFile && file !== undefined;
    const name = isListed ? this.#withFolder(file) : '';
    this.#names.set(number, name);
    return name;
  }

  #withFolder({ name, folder }: FileName): string {
    // Number 0 is the folder of the compilation, even in versions whose list includes it.
    const inner = folder === 0 ? '' : (this.#folders[folder] ?? '');
    return joined(joined(this.#unitFolder, inner), name);
  }
}

function joined(folder: string, path: string): string {
  if (path === '' || path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) return path || folder;
  const isWindows = /^[A-Za-z]:\\/.test(folder);
  const separator = folder === '' || folder.endsWith('/') ? '' : isWindows ? '\\' : '/';
  return folder + separator + path;
}

interface Header {
  readonly instructionBytesMin: number;
  readonly operationsMax: number;
  readonly lineBase: number;
  readonly lineRange: number;
  readonly opcodeBase: number;
  /** Number of operands of each standard opcode, from opcode 1 on. */
  readonly operands: readonly number[];
}

function readHeader(cursor: Cursor, version: number): Header {
  const instructionBytesMin = cursor.u8();
  const operationsMax = version >= 4 ? cursor.u8() : 1;
  // Skips the default of is_stmt, which is not needed for lines of addresses.
  cursor.skip(1);
  const [lineBase, lineRange, opcodeBase] = [cursor.i8(), cursor.u8(), cursor.u8()];
  if (lineRange === 0) throw new RangeError('the range of lines is 0');
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => cursor.u8());
  const operations = Math.max(1, operationsMax);
  return {
    instructionBytesMin,
    operationsMax: operations,
    lineBase,
    lineRange,
    opcodeBase,
    operands,
  };
}

interface Names {
  readonly folders: readonly string[];
  readonly files: readonly FileName[];
}

function readOldNames(cursor: Cursor): Names {
  // Number 0 is the folder of the compilation.
  const folders = [''];
  for (;;) {
    const name = cursor.text(elfTextBytesMax);
    if (name === '') break;
    folders.push(name);
    checkCount(folders.length);
  }
  const files: FileName[] = [];
  for (;;) {
    const name = cursor.text(elfTextBytesMax);
    if (name === '') return { folders, files };
    const folder = cursor.uleb();
    // Skips the time and the size of the file.
    cursor.uleb();
    cursor.uleb();
    files.push({ name, folder });
    checkCount(files.length);
  }
}

function readNames(cursor: Cursor, format: Format): Names {
  const folders = readEntries(cursor, format).map(({ name }) => name);
  return { folders, files: readEntries(cursor, format) };
}

const [contentPath, contentFolder] = [1, 2];

function readEntries(cursor: Cursor, format: Format): FileName[] {
  const shape = Array.from({ length: cursor.u8() }, () => [cursor.uleb(), cursor.uleb()] as const);
  const count = cursor.uleb();
  checkCount(count);
  const entries: FileName[] = [];
  for (let i = 0; i < count; i += 1) {
    let [name, folder] = ['', 0];
    for (const [content, form] of shape) {
      if (content === contentPath) name = readString(cursor, form, format) ?? '';
      else if (content === contentFolder) folder = readNumber(cursor, form, 0, format) ?? 0;
      else readNumber(cursor, form, 0, format);
    }
    entries.push({ name, folder });
  }
  return entries;
}

function checkCount(count: number): void {
  if (count > dwarfLineFilesMax) throw new RangeError('it names too many files');
}

/** Rows of a program as columns, and its sequences, sorted by address. */
class Rows {
  length = 0;
  address = new Float64Array(256);
  file = new Uint32Array(256);
  line = new Uint32Array(256);
  column = new Uint32Array(256);
  /** First row of each sequence, and the address after its last row. */
  readonly sequences: { readonly row: number; readonly end: number; readonly rowEnd: number }[] =
    [];

  add(address: number, file: number, line: number, column: number, isFirst: boolean): void {
    // If several rows have the same address, the last row is used.
    const isSame = !isFirst && this.address[this.length - 1] === address;
    const row = isSame ? this.length - 1 : this.length;
    if (row === this.address.length) this.#grow();
    this.address[row] = address;
    this.file[row] = file;
    this.line[row] = line;
    this.column[row] = column;
    this.length = row + 1;
  }

  #grow(): void {
    const length = 2 * this.address.length;
    if (length > dwarfLineRowsMax) throw new RangeError('it has too many lines');
    const grown = <T extends Float64Array | Uint32Array>(column: T, into: T): T => {
      into.set(column);
      return into;
    };
    this.address = grown(this.address, new Float64Array(length));
    this.file = grown(this.file, new Uint32Array(length));
    this.line = grown(this.line, new Uint32Array(length));
    this.column = grown(this.column, new Uint32Array(length));
  }

  sort(): void {
    this.sequences.sort((a, b) => this.address[a.row] - this.address[b.row]);
  }

  findRow(address: number): number {
    const { sequences } = this;
    let [low, high] = [0, sequences.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.address[sequences[middle].row] <= address) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return -1;
    const { row, rowEnd, end } = sequences[low - 1];
    if (address >= end) return -1;
    [low, high] = [row, rowEnd];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.address[middle] <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function runProgram(cursor: Cursor, header: Header, addressSize: number): Rows {
  const { opcodeBase, lineBase, lineRange, instructionBytesMin, operationsMax, operands } = header;
  const rows = new Rows();
  const end = cursor.bytes.length;
  let [address, operation, file, line, column] = [0, 0, 1, 1, 0];
  let first = 0;
  const advance = (count: number): void => {
    if (operationsMax === 1) {
      address += instructionBytesMin * count;
      return;
    }
    const sum = operation + count;
    address += instructionBytesMin * Math.floor(sum / operationsMax);
    operation = sum % operationsMax;
  };
  const add = (): void => rows.add(address, file, line, column, rows.length === first);
  while (cursor.at < end) {
    const opcode = cursor.u8();
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase;
      advance(Math.floor(adjusted / lineRange));
      line += lineBase + (adjusted % lineRange);
      add();
    } else if (opcode === 0) {
      const size = cursor.uleb();
      const next = cursor.at + size;
      const extended = size === 0 ? 0 : cursor.u8();
      if (extended === 1) {
        if (rows.length > first)
          rows.sequences.push({ row: first, rowEnd: rows.length, end: address });
        first = rows.length;
        [address, operation, file, line, column] = [0, 0, 1, 1, 0];
      } else if (extended === 2) {
        address = cursor.address(size - 1 === 0 ? addressSize : size - 1);
        operation = 0;
      }
      cursor.at = next;
    } else if (opcode === 1) add();
    else if (opcode === 2) advance(cursor.uleb());
    else if (opcode === 3) line += cursor.sleb();
    else if (opcode === 4) file = cursor.uleb();
    else if (opcode === 5) column = cursor.uleb();
    else if (opcode === 8) advance(Math.floor((255 - opcodeBase) / lineRange));
    else if (opcode === 9) {
      address += cursor.u16();
      operation = 0;
    } else {
      for (let i = 0; i < operands[opcode - 1]; i += 1) cursor.uleb();
    }
  }
  rows.sort();
  return rows;
}
