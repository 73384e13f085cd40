// ELF files that try to crash or delay their readers, or to fill their memory; most are small.
import { deflateSync, zstdCompressSync } from 'node:zlib';
import {
  makeElf,
  makeNote,
  makeSymbols,
  type SectionToBe,
} from '../../../src/symbolize/testing/make-elf.ts';

/** One hostile file, and the address of a function in it. */
export interface HostileFile {
  readonly name: string;
  make(): Uint8Array;
}

export const hostileBuildId = 'c0ffee00112233445566778899aabbccddeeff00';
/** Start address of every function in these files. */
export const hostileAddress = 0x1000;
const codeSize = 0x1000;
const gibi = 1024 ** 3;

/** Little-endian bytes, as in DWARF. */
class Bytes {
  readonly #parts: number[] = [];

  get length(): number {
    return this.#parts.length;
  }

  u8(...values: readonly number[]): this {
    for (const value of values) this.#parts.push(value);
    return this;
  }

  /** An integer of `count` bytes. */
  int(count: number, value: number | bigint): this {
    let rest = BigInt(value);
    for (let i = 0; i < count; i += 1) {
      this.#parts.push(Number(rest & 0xffn));
      rest >>= 8n;
    }
    return this;
  }

  uleb(value: number | bigint): this {
    let rest = BigInt(value);
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      this.#parts.push(rest === 0n ? low : low | 0x80);
    } while (rest !== 0n);
    return this;
  }

  text(text: string): this {
    for (const byte of new TextEncoder().encode(text)) this.#parts.push(byte);
    return this.u8(0);
  }

  add(other: Bytes): this {
    for (const value of other.#parts) this.#parts.push(value);
    return this;
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#parts);
  }
}

/** Numbers of the abbreviations below. */
const dies = {
  unit: 1,
  named: 2,
  origin: 3,
  originParent: 4,
  specification: 5,
  signature: 6,
  otherUnit: 7,
  import: 8,
  block: 9,
  ranges: 10,
  typeUnit: 11,
  namedParent: 12,
};

/** Tag, 1 if it has children, then pairs of attribute and form. */
const abbreviations: Readonly<Record<number, readonly [number, number, ...number[]]>> = {
  // DW_AT_low_pc, high_pc as data8, stmt_list, name as string.
  [dies.unit]: [0x11, 1, 0x11, 0x01, 0x12, 0x07, 0x10, 0x17, 0x03, 0x08],
  [dies.named]: [0x2e, 0, 0x11, 0x01, 0x12, 0x07, 0x03, 0x08],
  // DW_AT_abstract_origin as ref4.
  [dies.origin]: [0x2e, 0, 0x11, 0x01, 0x12, 0x07, 0x31, 0x13],
  [dies.originParent]: [0x1d, 1, 0x11, 0x01, 0x12, 0x07, 0x31, 0x13],
  [dies.specification]: [0x2e, 0, 0x11, 0x01, 0x12, 0x07, 0x47, 0x13],
  [dies.signature]: [0x2e, 0, 0x11, 0x01, 0x12, 0x07, 0x47, 0x20],
  [dies.otherUnit]: [0x2e, 0, 0x11, 0x01, 0x12, 0x07, 0x31, 0x10],
  [dies.import]: [0x3d, 0, 0x18, 0x10],
  [dies.block]: [0x0b, 1, 0x11, 0x01, 0x12, 0x07],
  // A unit with DW_AT_ranges.
  [dies.ranges]: [0x11, 0, 0x55, 0x17],
  [dies.typeUnit]: [0x41, 1],
  [dies.namedParent]: [0x2e, 1, 0x11, 0x01, 0x12, 0x07, 0x03, 0x08],
};

function abbreviationTable(): Uint8Array {
  const table = new Bytes();
  for (const [code, [tag, hasChildren, ...attributes]] of Object.entries(abbreviations)) {
    table.uleb(Number(code)).uleb(tag).u8(hasChildren);
    for (const value of attributes) table.uleb(value);
    table.u8(0, 0);
  }
  return table.u8(0).done();
}

/** Number of bytes in the header of a DWARF 4 unit; offsets within the unit include the header. */
const headerBytes = 11;

/** Makes a DWARF 4 unit whose root is followed by the entries in `body`. */
function unit(body: Bytes): Bytes {
  const root = new Bytes().uleb(dies.unit).int(8, hostileAddress).int(8, codeSize).int(4, 0);
  root.text('unit');
  const length = headerBytes - 4 + root.length + body.length + 1;
  return new Bytes().int(4, length).int(2, 4).int(4, 0).u8(8).add(root).add(body).u8(0);
}

/** Offset of the first entry after the root. */
const firstEntry = headerBytes + 1 + 8 + 8 + 4 + 5;

/** Makes an entry with the address range of the whole code. */
function entry(code: number): Bytes {
  return new Bytes().uleb(code).int(8, hostileAddress).int(8, codeSize);
}

/** Makes a DWARF 4 line program with a valid header and these instructions. */
function lineProgram(instructions: Uint8Array, lengthBytes = instructions.length): Uint8Array {
  const lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
  const header = new Bytes()
    .u8(1, 1, 1, 0xfb, 14, 13, ...lengths)
    .u8(0)
    .text('a.c')
    .u8(0, 0, 0, 0);
  const head = new Bytes().int(4, 2 + 4 + header.length + lengthBytes).int(2, 4);
  const bytes = head.int(4, header.length).add(header).done();
  return joined(bytes, instructions);
}

/** Makes the instructions of a plain function: one line, then the end of the sequence. */
function plainLines(): Uint8Array {
  const start = new Bytes().u8(0, 9, 2).int(8, hostileAddress).u8(1);
  return lineProgram(start.u8(2).uleb(codeSize).u8(0, 1, 1).done());
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

interface Content {
  readonly info?: Uint8Array;
  readonly lines?: Uint8Array;
  readonly abbreviations?: Uint8Array;
  readonly more?: readonly SectionToBe[];
}

/** Makes an ELF file with a build id, code, two symbols and this DWARF. */
function elf(content: Content): Uint8Array {
  return makeElf(makeSections(content));
}

function makeSections({ info, lines, abbreviations: table, more = [] }: Content): SectionToBe[] {
  const note = makeNote('GNU', 3, Uint8Array.from(Buffer.from(hostileBuildId, 'hex')));
  return [
    { name: '.note.gnu.build-id', type: 7, content: note },
    {
      name: '.text',
      type: 1,
      flags: 6,
      address: hostileAddress,
      content: new Uint8Array(codeSize),
    },
    ...makeSymbols('.symtab', 3, [{ name: 'code', address: hostileAddress, size: codeSize }]),
    { name: '.debug_abbrev', type: 1, content: table ?? abbreviationTable() },
    { name: '.debug_info', type: 1, content: info ?? plainUnit().done() },
    { name: '.debug_line', type: 1, content: lines ?? plainLines() },
    ...more,
  ];
}

function plainUnit(): Bytes {
  return unit(entry(dies.named).text('plain'));
}

/** Makes a chain of abstract origins (or specifications); the last entry is `last`. */
function originChain(count: number, code: number, last: 'named' | 'loop'): Uint8Array {
  const entryBytes = 1 + 8 + 8 + 4;
  const body = new Bytes();
  for (let i = 0; i < count; i += 1) {
    const isLoop = last === 'loop' && i === count - 1;
    body.add(entry(code)).int(4, isLoop ? firstEntry : firstEntry + (i + 1) * entryBytes);
  }
  if (last === 'named') body.add(entry(dies.named)).text('end');
  return unit(body).done();
}

/** Makes nested entries, each of which is closed. */
function nested(count: number, code: number): Uint8Array {
  const body = entry(dies.namedParent).text('outer');
  const origin = firstEntry;
  for (let i = 0; i < count; i += 1) {
    body.add(entry(code));
    if (code === dies.originParent) body.int(4, origin);
  }
  for (let i = 0; i <= count; i += 1) body.u8(0);
  return unit(body).done();
}

/** Makes two units whose functions are each other's abstract origin. */
function unitsInLoop(): Uint8Array {
  const bytes = unit(entry(dies.otherUnit).int(4, 0)).length;
  const first = unit(entry(dies.otherUnit).int(4, bytes + firstEntry));
  return first.add(unit(entry(dies.otherUnit).int(4, firstEntry))).done();
}

/** Makes a section whose content is `size` zero bytes, compressed. */
function bomb(name: string, size: number, isZstd: boolean): SectionToBe {
  const zeros = Buffer.alloc(size);
  const compressed = isZstd ? zstdCompressSync(zeros) : deflateSync(zeros, { level: 1 });
  return { name, type: 1, flags: 0x800, content: withHeader(compressed, size, isZstd) };
}

/** Adds an Elf64_Chdr before compressed bytes. */
function withHeader(compressed: Uint8Array, size: number, isZstd: boolean): Uint8Array {
  const header = new Bytes()
    .int(4, isZstd ? 2 : 1)
    .int(4, 0)
    .int(8, size)
    .int(8, 1);
  return joined(header.done(), compressed);
}

const bombBytes = 512 * 1024 ** 2;

/** Makes a line header of DWARF 5 that declares 2^60 files of zero bytes each. */
function endlessFiles(): Uint8Array {
  const lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
  const tables = new Bytes().u8(1, 1, 1, 0xfb, 14, 13, ...lengths);
  tables
    .u8(0)
    .uleb(2n ** 60n)
    .u8(0)
    .uleb(2n ** 60n);
  const head = new Bytes()
    .int(4, 2 + 2 + 4 + tables.length)
    .int(2, 5)
    .u8(8, 0);
  return head.int(4, tables.length).add(tables).done();
}

/** Makes `units` units, which all refer to the same list of `ranges` ranges. */
function sharedRanges(units: number, ranges: number): readonly [Uint8Array, SectionToBe] {
  const info = new Bytes();
  for (let i = 0; i < units; i += 1) {
    info
      .int(4, headerBytes - 4 + 5)
      .int(2, 4)
      .int(4, 0)
      .u8(8)
      .uleb(dies.ranges)
      .int(4, 0);
  }
  const list = new Uint8Array(16 * (ranges + 1));
  const view = new DataView(list.buffer);
  for (let i = 0; i < ranges; i += 1) {
    view.setBigUint64(16 * i, BigInt(hostileAddress + i), true);
    view.setBigUint64(16 * i + 8, BigInt(hostileAddress + i + 1), true);
  }
  return [info.done(), { name: '.debug_ranges', type: 1, content: list }];
}

/** Makes symbols whose names are suffixes of the same long string. */
function longNames(count: number, length: number): SectionToBe[] {
  const table = new Uint8Array(24 * (1 + count));
  const view = new DataView(table.buffer);
  for (let i = 1; i <= count; i += 1) {
    view.setUint32(24 * i, 1 + (i % length), true);
    view.setUint8(24 * i + 4, 0x12);
    view.setUint16(24 * i + 6, 1, true);
    view.setBigUint64(24 * i + 8, BigInt(hostileAddress + i), true);
  }
  const names = new Uint8Array(length + 1).fill(0x5f, 1);
  return [
    {
      name: '.text',
      type: 1,
      flags: 6,
      address: hostileAddress,
      content: new Uint8Array(codeSize),
    },
    { name: '.symtab', type: 2, content: table, link: 3 },
    { name: '.strtab', type: 3, content: names },
  ];
}

/** Makes note sections that share one long name and the same bytes. */
function manySections(count: number): Uint8Array {
  const empty = { name: '', type: 7, content: new Uint8Array(0) };
  const first = { name: 'a'.repeat(1_000_000), type: 1, content: new Uint8Array(65_536) };
  const bytes = makeElf([first, ...Array.from({ length: count }, () => empty)]);
  const view = new DataView(bytes.buffer);
  const table = Number(view.getBigUint64(40, true));
  const offset = view.getBigUint64(table + 64 + 24, true);
  for (let i = 2; i < count + 2; i += 1) {
    view.setUint32(table + 64 * i, 1, true);
    view.setBigUint64(table + 64 * i + 24, offset, true);
    view.setBigUint64(table + 64 * i + 32, 65_536n, true);
  }
  return bytes;
}

/** Files whose headers make false statements about their structure. */
const headers: readonly HostileFile[] = [
  {
    name: 'sections that overlap',
    make: () => changed((view, section) => view.setBigUint64(section + 24, 0n, true)),
  },
  {
    name: 'sections past the end',
    make: () => changed((view, section) => view.setBigUint64(section + 24, 1n << 40n, true)),
  },
  {
    name: 'sections of 4 GiB',
    make: () => changed((view, section) => view.setBigUint64(section + 32, 1n << 32n, true)),
  },
  {
    name: 'sections of 2^63 bytes',
    make: () => changed((view, section) => view.setBigUint64(section + 32, 1n << 63n, true)),
  },
  {
    name: 'a unit of 4 GiB',
    make: () => elf({ info: joined(Uint8Array.of(0xef, 0xff, 0xff, 0xff), plainUnit().done()) }),
  },
  {
    name: 'a compressed section that declares 4 GiB',
    make: () => elf({ more: [{ ...bomb('.debug_str', 1, false), content: declares(4 * gibi) }] }),
  },
];

function declares(size: number): Uint8Array {
  return withHeader(deflateSync(Buffer.alloc(100)), size, false);
}

/** Returns a good file with one field changed in the header of each section. */
function changed(change: (view: DataView, section: number) => void): Uint8Array {
  const bytes = elf({});
  const view = new DataView(bytes.buffer);
  const table = Number(view.getBigUint64(40, true));
  // The note keeps its header, because the build id must stay readable.
  for (let i = 2; i < view.getUint16(60, true); i += 1) change(view, table + 64 * i);
  return bytes;
}

/** Hostile files of every kind except truncated ones. */
export const hostileFiles: readonly HostileFile[] = [
  ...headers,
  ...[2, 20_000].flatMap((count) => [
    {
      name: `${count} abstract origins one after another`,
      make: () => elf({ info: originChain(count, dies.origin, 'named') }),
    },
    {
      name: `${count} abstract origins in a circle`,
      make: () => elf({ info: originChain(count, dies.origin, 'loop') }),
    },
    {
      name: `${count} specifications in a circle`,
      make: () => elf({ info: originChain(count, dies.specification, 'loop') }),
    },
  ]),
  { name: 'origins in a circle of two units', make: () => elf({ info: unitsInLoop() }) },
  {
    name: 'a type unit that specifies itself',
    make: () => {
      const types = new Bytes()
        .int(4, 7 + 12 + 1 + 17 + 8 + 1)
        .int(2, 4)
        .int(4, 0)
        .u8(8);
      types
        .int(8, 7)
        .int(4, 23 + 1)
        .uleb(dies.typeUnit);
      types.add(entry(dies.signature)).int(8, 7).u8(0);
      const info = unit(entry(dies.signature).int(8, 7)).done();
      return elf({ info, more: [{ name: '.debug_types', type: 1, content: types.done() }] });
    },
  },
  {
    name: 'a unit that imports itself',
    make: () => elf({ info: unit(new Bytes().uleb(dies.import).int(4, firstEntry)).done() }),
  },
  {
    name: '50,000 inlined calls in one another',
    make: () => elf({ info: nested(50_000, dies.originParent) }),
  },
  { name: '50,000 blocks in one another', make: () => elf({ info: nested(50_000, dies.block) }) },
  { name: 'files without end', make: () => elf({ lines: endlessFiles() }) },
  {
    name: '20 million lines',
    make: () => {
      const start = new Bytes().u8(0, 9, 2).int(8, hostileAddress).done();
      return elf({ lines: lineProgram(joined(start, new Uint8Array(20_000_000).fill(32))) });
    },
  },
  {
    name: 'lines that end past the section',
    make: () => elf({ lines: lineProgram(new Uint8Array(10), 0x7000_0000) }),
  },
  {
    name: 'an abbreviation of 2^60',
    make: () => {
      const table = new Bytes()
        .uleb(2n ** 60n)
        .uleb(0x11)
        .u8(1, 0, 0, 0);
      return elf({ abbreviations: table.done() });
    },
  },
  {
    name: '20,000 units with the same 100,000 ranges',
    make: () => {
      const [info, ranges] = sharedRanges(20_000, 100_000);
      return elf({ info, more: [ranges] });
    },
  },
  { name: '60,000 sections with one name of 1 MB', make: () => manySections(60_000) },
  { name: '200,000 names of 8 MB', make: () => makeElf(longNames(200_000, 8_000_000)) },
  ...[false, true].flatMap((isZstd) =>
    ['.debug_info', '.debug_line', '.debug_str'].map((section) => ({
      name: `512 MiB in ${section} by ${isZstd ? 'zstd' : 'zlib'}`,
      make: () => {
        const sections = makeSections({});
        const rest = sections.filter(({ name }) => name !== section);
        return makeElf([...rest, bomb(section, bombBytes, isZstd)]);
      },
    })),
  ),
  {
    name: 'symbols inside of symbols by xz',
    make: () => elf({ more: [{ name: '.gnu_debugdata', type: 1, content: elf({}) }] }),
  },
];

/**
 * Yields a good file that is truncated at the start and the end of each section, and next to these
 * offsets.
 */
export function* cutOffFiles(): Generator<HostileFile> {
  const bytes = elf({});
  const view = new DataView(bytes.buffer);
  const table = Number(view.getBigUint64(40, true));
  const ends = new Set([0, 1, 16, 63, 64, 64 + 56, table, bytes.length - 1]);
  for (let i = 0; i < view.getUint16(60, true); i += 1) {
    const start = Number(view.getBigUint64(table + 64 * i + 24, true));
    const end = start + Number(view.getBigUint64(table + 64 * i + 32, true));
    for (const at of [start, end]) for (const one of [at - 1, at, at + 1]) ends.add(one);
    ends.add(table + 64 * i);
  }
  for (const end of [...ends].sort((a, b) => a - b)) {
    if (end < 0 || end >= bytes.length) continue;
    yield { name: `cut off at ${end} of ${bytes.length}`, make: () => bytes.subarray(0, end) };
    // The section headers at the end of the file are complete, but the content is not.
    yield {
      name: `nothing but zeros from ${end} to the headers`,
      make: () => bytes.slice().fill(0, Math.max(end, 64), Math.max(end, 64, table)),
    };
  }
}

/** Returns the file from which the others are made, with a plain function at `hostileAddress`. */
export function harmlessFile(): Uint8Array {
  return elf({});
}
