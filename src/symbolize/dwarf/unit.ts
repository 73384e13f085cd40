// One unit of .debug_info: its functions, the calls inlined in them, and its lines.
import type { Budget } from './budget.ts';
import { Cursor } from './cursor.ts';
import {
  type Abbreviation,
  attributes,
  type Format,
  isAddressForm,
  readAbbreviations,
  readNumber,
  readString,
  type Sections,
  skipEntry,
  skipValue,
  tags,
} from './entries.ts';
import { LineTable } from './line-program.ts';
import { readRanges, type TakeRange } from './ranges.ts';

/** Ranges of functions, sorted by start. */
interface Functions {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** Offset of the function's entry. */
  readonly entry: Float64Array;
}

const noFunctions: Functions = {
  start: new Float64Array(0),
  end: new Float64Array(0),
  entry: new Float64Array(0),
};

/** An inlined call. */
export interface InlinedCall {
  /** Number of inlined calls that contain this call. */
  readonly depth: number;
  readonly start: number;
  readonly end: number;
  /** Offset of the entry of the inlined function; undefined if unknown. */
  readonly origin: number | undefined;
  readonly file: number;
  readonly line: number;
  readonly column: number;
}

/** Attributes that determine the ranges of an entry. */
interface Extent {
  low: number | undefined;
  high: number | undefined;
  /** True if `high` is an address; false if it is a size. */
  isHighAddress: boolean;
  ranges: number | undefined;
}

/**
 * Numbers of the kinds of units that describe types and have no functions: type units and split
 * type units.
 */
const typeUnits: ReadonlySet<number> = new Set([2, 6]);
/** Position of a unit's string offsets in the table, if the unit does not state it. */
const tableHeaderBytes = 8;
/** Form of the number of a split unit before DWARF 5. */
const data8 = 0x07;

/** A unit of .debug_info. Errors of all methods: RangeError for a damaged unit. */
export class Unit {
  readonly format: Format;
  /** Offset of the first entry. */
  readonly #first: number;
  readonly end: number;
  readonly hasFunctions: boolean;
  readonly #budget: Budget;
  readonly #cursor: Cursor;
  readonly #abbreviationsAt: number;
  #abbreviations: Map<number, Abbreviation> | undefined;
  readonly #extent: Extent = emptyExtent();
  /** Before DWARF 5, offset to which the offsets of ranges in the split unit are relative. */
  #oldRangesBase = 0;
  #lineProgram: number | undefined;
  /** Folder of the compilation. */
  folder = '';
  /** True if the entries are in a split unit. */
  isSplit = false;
  /** Name of the file with the split unit. */
  splitName = '';
  /** Number that identifies the split unit. */
  splitId: bigint | undefined;
  /** If this is a split unit, the unit with its ranges, addresses and lines. */
  readonly #skeleton: Unit | undefined;
  #functions: Functions | undefined;
  #lines: LineTable | null | undefined;
  readonly #inlined = new Map<number, readonly InlinedCall[]>();

  /** Reads the header at `offset`. `skeleton` is the unit from which this unit was split. */
  constructor(sections: Sections, offset: number, budget: Budget, skeleton?: Unit) {
    const start = new Cursor(sections.info, sections.isLittleEndian, offset);
    let length = start.u32();
    const is64 = length === 0xffff_ffff;
    if (is64) length = start.u64();
    this.end = start.at + length;
    if (this.end > sections.info.length) throw new RangeError('a unit goes past the end');
    const version = start.u16();
    if (version < 2 || version > 5) throw new RangeError(`DWARF of version ${version}`);
    let kind = 0;
    let addressSize = 0;
    if (version >= 5) {
      [kind, addressSize] = [start.u8(), start.u8()];
      this.#abbreviationsAt = start.offset(is64);
      if (kind === 4 || kind === 5) this.splitId = start.bits64();
      // Skips a signature and the offset of a type.
      if (typeUnits.has(kind)) start.skip(is64 ? 16 : 12);
    } else {
      this.#abbreviationsAt = start.offset(is64);
      addressSize = start.u8();
    }
    if (addressSize !== 4 && addressSize !== 8) {
      throw new RangeError(`addresses have ${addressSize} bytes`);
    }
    this.hasFunctions = !typeUnits.has(kind);
    this.#first = start.at;
    this.#budget = budget;
    this.#skeleton = skeleton;
    const bases =
      skeleton === undefined
        ? { stringOffsetsBase: tableHeaderBytes, addressBase: tableHeaderBytes, rangesBase: 0 }
        : splitBases(version, is64, skeleton);
    if (skeleton !== undefined) this.#extent.low = skeleton.#extent.low;
    this.format = { sections, version, is64, addressSize, offset, ...bases };
    this.#cursor = new Cursor(sections.info.subarray(0, this.end), sections.isLittleEndian);
  }

  /** Reads the entry that describes the unit. */
  readRoot(): void {
    const cursor = this.#cursor;
    const { format } = this;
    cursor.at = this.#first;
    const shape = this.#shapeAt();
    if (shape === undefined) return;
    const values = cursor.at;
    // Reads the bases first, because the other values are relative to them.
    this.#eachValue(shape, (name, form, constant) => {
      if (name === attributes.stringOffsetsBase)
        format.stringOffsetsBase = this.#number(form, constant);
      else if (name === attributes.addressBase || name === attributes.oldAddressBase) {
        format.addressBase = this.#number(form, constant);
      } else if (name === attributes.rangesBase) format.rangesBase = this.#number(form, constant);
      else if (name === attributes.oldRangesBase) {
        this.#oldRangesBase = this.#number(form, constant);
      } else if (name === attributes.oldSplitId && form === data8) this.splitId = cursor.bits64();
      else skipValue(cursor, form, format);
    });
    cursor.at = values;
    this.#eachValue(shape, (name, form, constant) => {
      if (this.#readExtent(this.#extent, name, form, constant)) return;
      if (name === attributes.lineProgram) this.#lineProgram = this.#number(form, constant);
      else if (name === attributes.folder) this.folder = readString(cursor, form, format) ?? '';
      else if (name === attributes.splitName || name === attributes.oldSplitName) {
        this.isSplit = true;
        this.splitName = readString(cursor, form, format) ?? '';
      } else skipValue(cursor, form, format);
    });
  }

  #eachValue(
    shape: Abbreviation,
    take: (name: number, form: number, constant: number) => void,
  ): void {
    const { names, forms, constants } = shape;
    for (let i = 0; i < names.length; i += 1) take(names[i], forms[i], constants[i]);
  }

  #number(form: number, constant: number): number {
    return readNumber(this.#cursor, form, constant, this.format) ?? 0;
  }

  /** Reads the code of an entry; undefined at the end of a list of children. */
  #shapeAt(): Abbreviation | undefined {
    const code = this.#cursor.uleb();
    if (code === 0) return undefined;
    this.#abbreviations ??= readAbbreviations(this.format, this.#abbreviationsAt);
    const shape = this.#abbreviations.get(code);
    if (shape === undefined) throw new RangeError(`abbreviation ${code} is unknown`);
    return shape;
  }

  /** Reads an attribute of an extent; returns false, without reading, for any other attribute. */
  #readExtent(extent: Extent, name: number, form: number, constant: number): boolean {
    if (name === attributes.lowPc) extent.low = this.#number(form, constant);
    else if (name === attributes.highPc) {
      extent.high = this.#number(form, constant);
      extent.isHighAddress = isAddressForm(form);
    } else if (name === attributes.ranges) extent.ranges = this.#number(form, constant);
    else return false;
    return true;
  }

  #eachRange({ low, high, isHighAddress, ranges }: Extent, take: TakeRange): void {
    if (ranges !== undefined) {
      const offset = ranges + this.#rangesStart;
      readRanges(this.format, offset, this.#extent.low ?? 0, (start, end) => {
        this.#budget.spend(1);
        take(start, end);
      });
    } else if (low !== undefined && high !== undefined) {
      const end = isHighAddress ? high : low + high;
      if (low < end) take(low, end);
    }
  }

  /** Offset that is added to the offsets of ranges before DWARF 5. */
  get #rangesStart(): number {
    const isOld = this.#skeleton !== undefined && this.format.version < 5;
    return isOld ? this.#skeleton.#oldRangesBase : 0;
  }

  /**
   * Calls `take` with the ranges of the unit. If the unit has no ranges, calls it with the ranges
   * of its functions.
   */
  eachRange(take: TakeRange): void {
    let count = 0;
    this.#eachRange(this.#extent, (start, end) => {
      count += 1;
      take(start, end);
    });
    if (count > 0 || !this.hasFunctions) return;
    const { start, end } = this.#readFunctions();
    for (let row = 0; row < start.length; row += 1) take(start[row], end[row]);
  }

  /** Returns the offset of the entry of the function at an address. */
  functionAt(address: number): number | undefined {
    if (this.#functions === undefined) {
      // This is set first, so that damaged entries are not read again.
      this.#functions = noFunctions;
      this.#functions = this.#readFunctions();
    }
    const { start, end, entry } = this.#functions;
    let [low, high] = [0, start.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (start[middle] <= address) low = middle + 1;
      else high = middle;
    }
    return low > 0 && address < end[low - 1] ? entry[low - 1] : undefined;
  }

  #readFunctions(): Functions {
    const [starts, ends, entries]: [number[], number[], number[]] = [[], [], []];
    const cursor = this.#cursor;
    cursor.at = this.#first;
    while (cursor.at < this.end) {
      const entry = cursor.at;
      this.#budget.spend(1);
      const shape = this.#shapeAt();
      if (shape === undefined) continue;
      if (shape.tag !== tags.subprogram) {
        skipEntry(cursor, shape, this.format);
        continue;
      }
      const extent = emptyExtent();
      this.#eachValue(shape, (name, form, constant) => {
        const isRead = this.#readExtent(extent, name, form, constant);
        if (!isRead) skipValue(cursor, form, this.format);
      });
      this.#eachRange(extent, (start, end) => {
        starts.push(start);
        ends.push(end);
        entries.push(entry);
      });
    }
    const order = Uint32Array.from(starts, (_, row) => row).sort((a, b) => starts[a] - starts[b]);
    const sorted = (column: readonly number[]): Float64Array =>
      Float64Array.from(order, (row) => column[row]);
    return { start: sorted(starts), end: sorted(ends), entry: sorted(entries) };
  }

  /** Returns the inlined calls of a function at an address, the outermost first. */
  inlinedAt(entry: number, address: number): InlinedCall[] {
    let all = this.#inlined.get(entry);
    if (all === undefined) {
      this.#inlined.set(entry, []);
      all = this.#readInlined(entry);
      this.#inlined.set(entry, all);
    }
    this.#budget.spend(all.length);
    const chain: InlinedCall[] = [];
    for (const call of all) {
      // Only the first call of each depth is used.
      const isInside = call.start <= address && address < call.end;
      if (isInside && call.depth === chain.length) chain.push(call);
    }
    return chain;
  }

  #readInlined(entry: number): InlinedCall[] {
    const found: InlinedCall[] = [];
    const cursor = this.#cursor;
    cursor.at = entry;
    const shape = this.#shapeAt();
    if (shape === undefined) return found;
    skipEntry(cursor, shape, this.format);
    if (!shape.hasChildren) return found;
    /** Depth of calls at each level of nested entries. */
    const levels = [0];
    /**
     * Level of a nested function, whose calls do not belong to this function; 0 outside of nested
     * functions.
     */
    let foreign = 0;
    while (levels.length > 0) {
      this.#budget.spend(1);
      const child = this.#shapeAt();
      if (child === undefined) {
        levels.pop();
        if (levels.length < foreign) foreign = 0;
        continue;
      }
      const depth = levels[levels.length - 1];
      const isCall = child.tag === tags.inlined && foreign === 0;
      if (isCall) this.#readCall(child, depth, found);
      else skipEntry(cursor, child, this.format);
      if (!child.hasChildren) continue;
      levels.push(isCall ? depth + 1 : depth);
      if (child.tag === tags.subprogram && foreign === 0) foreign = levels.length;
    }
    return found.sort((a, b) => a.depth - b.depth || a.start - b.start);
  }

  #readCall(shape: Abbreviation, depth: number, found: InlinedCall[]): void {
    const extent = emptyExtent();
    let origin: number | undefined;
    let [file, line, column] = [0, 0, 0];
    this.#eachValue(shape, (name, form, constant) => {
      if (this.#readExtent(extent, name, form, constant)) return;
      if (name === attributes.origin) {
        origin = readNumber(this.#cursor, form, constant, this.format);
      } else if (name === attributes.callFile) file = this.#number(form, constant);
      else if (name === attributes.callLine) line = this.#number(form, constant);
      else if (name === attributes.callColumn) column = this.#number(form, constant);
      else skipValue(this.#cursor, form, this.format);
    });
    const call = { depth, origin, file, line, column };
    const after = this.#cursor.at;
    this.#eachRange(extent, (start, end) => found.push({ ...call, start, end }));
    this.#cursor.at = after;
  }

  /** Reads the attributes of an entry that concern the name of its function. */
  readNames(entry: number): EntryNames {
    const cursor = this.#cursor;
    const { format } = this;
    cursor.at = entry;
    if (entry < this.#first) throw new RangeError('a reference is to no entry');
    const shape = this.#shapeAt();
    const names: EntryNames = {
      name: undefined,
      linkageName: undefined,
      line: undefined,
      origin: undefined,
    };
    if (shape === undefined) return names;
    this.#eachValue(shape, (name, form, constant) => {
      if (name === attributes.name) names.name = readString(cursor, form, format);
      else if (name === attributes.linkageName || name === attributes.oldLinkageName) {
        names.linkageName = readString(cursor, form, format);
      } else if (name === attributes.declaredLine) names.line = this.#number(form, constant);
      else if (name === attributes.origin || name === attributes.specification) {
        names.origin = readNumber(cursor, form, constant, format);
      } else skipValue(cursor, form, format);
    });
    return names;
  }

  /** Returns the lines; undefined if there are none. */
  lines(): LineTable | undefined {
    if (this.#skeleton !== undefined) return this.#skeleton.lines();
    const at = this.#lineProgram;
    if (this.#lines === undefined && at !== undefined) {
      // This is set first, so that damaged lines are not read again.
      this.#lines = null;
      this.#lines = new LineTable(this.format, at, this.folder, this.#budget);
    }
    return this.#lines ?? undefined;
  }
}

/** Attributes of an entry about the name of its function. */
export interface EntryNames {
  name: string | undefined;
  linkageName: string | undefined;
  /** Line of the declaration. */
  line: number | undefined;
  /** Offset of the entry of which this entry is an instance. It has the missing values. */
  origin: number | undefined;
}

/** Returns the offsets of the tables of a split unit in the sections of its file. */
function splitBases(
  version: number,
  is64: boolean,
  skeleton: Unit,
): Pick<Format, 'stringOffsetsBase' | 'addressBase' | 'rangesBase'> {
  const { addressBase } = skeleton.format;
  if (version < 5) return { stringOffsetsBase: 0, addressBase, rangesBase: 0 };
  return { stringOffsetsBase: is64 ? 16 : 8, addressBase, rangesBase: is64 ? 20 : 12 };
}

function emptyExtent(): Extent {
  return { low: undefined, high: undefined, isHighAddress: false, ranges: undefined };
}
