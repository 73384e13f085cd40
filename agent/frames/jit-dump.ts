// Names and lines of compiled code by address, from the dump that a runtime writes: `jit-PID.dump`.
//
// The file consists of a header and records. There are records for loaded code (including its
// machine code, which is skipped), for moved code, and for lines, which come before the code that
// they belong to. The file grows. Later records override earlier records, because memory is reused.
// Source: Linux, tools/perf/Documentation/jitdump-specification.txt.
import type { OpenFile } from '../files/open-file.ts';
import {
  functionNameLengthMax,
  jitDumpBytesMax,
  jitDumpLinesMax,
  jitDumpRecordBytesMax,
  perfMapSymbolsMax,
} from '../limits.ts';
import { CodeRanges } from './code-ranges.ts';
import { type JitSymbol, readName } from './perf-map.ts';
import type { ReadingBudget } from './reading-budget.ts';

/** A function of a dump. */
export interface DumpedSymbol extends JitSymbol {
  /** Line of the address; 0 if the dump does not have it. */
  readonly line: number;
}

/** Lines of one function, sorted by the code's offset from the start of the function. */
interface Lines {
  readonly offsets: Uint32Array;
  readonly lines: Uint32Array;
  readonly files: readonly string[];
}

/** The code in a range; undefined if it was moved away. */
type Code = { readonly name: string; readonly lines: Lines | undefined } | undefined;

/** Types of records; records of other types are skipped. */
const loaded = 0;
const moved = 1;
const debugged = 2;
const closed = 3;

const magic = 0x4a695444;
const headerBytes = 40;
const recordHeaderBytes = 16;
/** Bytes before the name in a record of loaded code. */
const loadBytes = recordHeaderBytes + 40;
const moveBytes = recordHeaderBytes + 48;
/** Bytes before the file name in a line entry. */
const lineBytes = 16;
/** Number of bytes that are read at once. */
const chunkBytes = 65_536;
/**
 * Maximum number of functions whose lines have been read, but not their code. There may be several,
 * because a thread may write between two records of another thread.
 */
const waitingMax = 16;
/** Value that V8 writes into the unused word of the header. */
const v8Mark = 0xdeadbeef;
/**
 * Bytes that V8 adds to the addresses of lines. They leave space for the header of the ELF file
 * that `perf inject` makes.
 */
const v8Shift = 0x40;

/** Records of one dump; new records are read as the dump grows. */
export class JitDump {
  readonly #ranges = new CodeRanges();
  readonly #codes: Code[] = [];
  /** Number of the last range that starts at an address; created when code is first moved. */
  #byStart: Map<number, number> | undefined;
  readonly #waiting = new Map<number, Lines>();
  readonly #files = new Map<string, string>();
  #header: Uint8Array = new Uint8Array();
  #shift = 0;
  /** Offset of the next record. */
  #offset = 0;
  #bytesRead = 0;
  #lineCount = 0;
  #isOver = false;

  /** Number of functions plus a quarter of the number of lines, as a measure of memory. */
  get weight(): number {
    return this.#codes.length + this.#lineCount / 4;
  }

  /**
   * Reads the records that were added. Returns false if `file` is not the file that was read
   * before; the caller then needs a new JitDump. If the file is damaged or is not a dump, nothing
   * more is ever read from it.
   */
  readOn(file: OpenFile, budget: ReadingBudget): boolean {
    if (this.#offset === 0) {
      if (!this.#readHeader(file)) return true;
    } else {
      const header = file.readNow(0, headerBytes);
      if (file.size < this.#offset || Buffer.compare(header, this.#header) !== 0) return false;
    }
    while (!this.#isOver && file.size - this.#offset >= recordHeaderBytes) {
      if (this.#bytesRead >= jitDumpBytesMax || !this.#readChunk(file, budget)) break;
    }
    return true;
  }

  find(address: number): DumpedSymbol | undefined {
    const range = this.#ranges.find(address);
    const code = range === undefined ? undefined : this.#codes[range];
    if (range === undefined || code === undefined) return undefined;
    const symbol = readName(code.name);
    if (code.lines === undefined) return { ...symbol, line: 0 };
    const { offsets, lines, files } = code.lines;
    const at = countUpTo(offsets, address - this.#ranges.start(range));
    const fileName = symbol.fileName || files[0];
    // The line may belong to an inlined function, in another file or earlier in this file.
    const isOwn = at > 0 && files[at - 1] === fileName && lines[at - 1] >= symbol.startLine;
    return { ...symbol, fileName, line: isOwn ? lines[at - 1] : 0 };
  }

  #readHeader(file: OpenFile): boolean {
    const header = file.readNow(0, headerBytes);
    if (header.length < headerBytes) return false;
    const view = new DataView(header.buffer, header.byteOffset, header.length);
    const size = view.getUint32(8, true);
    const isDump = view.getUint32(0, true) === magic && view.getUint32(4, true) === 1;
    this.#header = header;
    this.#isOver = !isDump || size < headerBytes || size > chunkBytes;
    this.#offset = this.#isOver ? headerBytes : size;
    this.#shift = view.getUint32(16, true) === v8Mark ? v8Shift : 0;
    return true;
  }

  /** Reads the records of one chunk; returns false if the file or the budget is used up. */
  #readChunk(file: OpenFile, budget: ReadingBudget): boolean {
    let bytes = this.#readBytes(file, budget, chunkBytes);
    const start = this.#offset;
    for (;;) {
      const at = this.#offset - start;
      if (bytes.length - at < recordHeaderBytes) return at > 0;
      let view = new DataView(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
      const kind = view.getUint32(0, true);
      const size = view.getUint32(4, true);
      if (kind === closed || size < recordHeaderBytes) this.#isOver = true;
      if (this.#isOver || this.#offset + size > file.size) return false;
      const wanted = wantedBytes(kind, size);
      if (wanted > view.byteLength) {
        if (at > 0) return true;
        // The record is longer than a chunk.
        bytes = this.#readBytes(file, budget, wanted);
        if (bytes.length < wanted) return false;
        view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      }
      if (wanted > 0) this.#add(kind, new DataView(view.buffer, view.byteOffset, wanted));
      this.#offset += size;
      if (this.#offset - start >= bytes.length) return true;
    }
  }

  /** Reads bytes from the next record on; returns none if the budget is smaller than `length`. */
  #readBytes(file: OpenFile, budget: ReadingBudget, length: number): Uint8Array {
    if (budget.bytes < length) return new Uint8Array();
    const bytes = file.readNow(this.#offset, length);
    budget.use(bytes.length);
    this.#bytesRead += bytes.length;
    return bytes;
  }

  #add(kind: number, record: DataView): void {
    if (kind === loaded) this.#addLoaded(record);
    else if (kind === moved) this.#addMoved(record);
    else this.#addLines(record);
  }

  #addLoaded(record: DataView): void {
    if (record.byteLength < loadBytes) return;
    const start = readAddress(record, 32);
    const size = readAddress(record, 40);
    const name = readText(record, loadBytes, record.byteLength) ?? '';
    const lines = this.#waiting.get(start);
    this.#waiting.delete(start);
    this.#addCode(start, size, { name: name.slice(0, functionNameLengthMax), lines });
  }

  #addMoved(record: DataView): void {
    if (record.byteLength < moveBytes) return;
    const from = readAddress(record, 32);
    const to = readAddress(record, 40);
    this.#byStart ??= new Map(this.#codes.map((_, i) => [this.#ranges.start(i), i]));
    const range = this.#byStart.get(from);
    const code = range === undefined ? undefined : this.#codes[range];
    if (range === undefined || code === undefined) return;
    const size = this.#ranges.end(range) - from;
    this.#addCode(from, size, undefined);
    this.#addCode(to, size, code);
  }

  #addCode(start: number, size: number, code: Code): void {
    const isKnown = Number.isSafeInteger(start + size) && size > 0;
    if (!isKnown || this.#codes.length >= perfMapSymbolsMax) return;
    this.#byStart?.set(start, this.#codes.length);
    this.#ranges.add(start, start + size);
    this.#codes.push(code);
  }

  #addLines(record: DataView): void {
    if (record.byteLength < recordHeaderBytes + 16) return;
    const start = readAddress(record, recordHeaderBytes);
    const count = readAddress(record, recordHeaderBytes + 8);
    // A count that is too large for the record is invalid.
    if (!(count > 0 && count * (lineBytes + 1) <= record.byteLength)) return;
    if (this.#lineCount + count > jitDumpLinesMax) return;
    const rows: { offset: number; line: number; file: string }[] = [];
    let at = recordHeaderBytes + 16;
    let file = '';
    for (let i = 0; i < count; i += 1) {
      if (at + lineBytes > record.byteLength) return;
      const offset = readAddress(record, at) - start - this.#shift;
      const line = record.getUint32(at + 8, true);
      const end = findZero(record, at + lineBytes, record.byteLength);
      if (end === undefined) return;
      // The byte 255 means the same name as in the previous entry.
      const isSame = end === at + lineBytes + 1 && record.getUint8(at + lineBytes) === 255;
      if (!isSame) file = this.#keepFile(readText(record, at + lineBytes, end) ?? '');
      if (offset >= 0 && offset <= 0xffffffff) rows.push({ offset, line, file });
      at = end + 1;
    }
    rows.sort((a, b) => a.offset - b.offset);
    if (rows.length === 0) return;
    this.#lineCount += rows.length;
    if (this.#waiting.size >= waitingMax) this.#waiting.clear();
    this.#waiting.set(start, {
      offsets: Uint32Array.from(rows, ({ offset }) => offset),
      lines: Uint32Array.from(rows, ({ line }) => line),
      files: rows.map((row) => row.file),
    });
  }

  /** Returns one shared copy of the file name, for all lines of the file. */
  #keepFile(text: string): string {
    const file = text.slice(0, functionNameLengthMax);
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    if (this.#files.size < jitDumpLinesMax / 100) this.#files.set(file, file);
    return file;
  }
}

/** Returns how many of the sorted numbers are at most `max`. */
function countUpTo(sorted: Uint32Array, max: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= max) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns how many bytes of a record must be read; 0 to skip the record. */
function wantedBytes(kind: number, size: number): number {
  if (kind === loaded) return Math.min(size, loadBytes + functionNameLengthMax * 4);
  if (kind === moved) return Math.min(size, moveBytes);
  return kind === debugged && size <= jitDumpRecordBytesMax ? size : 0;
}

/** Reads 64 bits as a number, which is rounded if it is not a safe integer. */
function readAddress(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function findZero(view: DataView, start: number, end: number): number | undefined {
  for (let at = start; at < end; at += 1) if (view.getUint8(at) === 0) return at;
  return undefined;
}

const decoder = new TextDecoder();

/** Returns the string from `start` up to a zero byte, or to `end`; undefined if it is empty. */
function readText(view: DataView, start: number, end: number): string | undefined {
  const zero = findZero(view, start, end) ?? end;
  if (zero <= start) return undefined;
  return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + start, zero - start));
}
