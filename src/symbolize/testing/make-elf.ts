// Makes ELF files for tests. They are 64-bit and little-endian, with one section after another.

/** A section to make; absent fields are 0. */
export interface SectionToBe {
  readonly name: string;
  readonly type: number;
  readonly flags?: number;
  readonly address?: number;
  readonly content: Uint8Array;
  /** Index of another section, counted from 1 in the order given. */
  readonly link?: number;
  /** Declared size, if it differs from the length of the content. */
  readonly size?: number;
}

/** A segment to make, which is loaded into memory. */
export interface SegmentToBe {
  readonly offset: number;
  readonly address: number;
  readonly size: number;
  readonly isExecutable?: boolean;
}

/** Makes a program with these sections. Without segments, the program is not relocatable. */
export function makeElf(
  sections: readonly SectionToBe[],
  segments?: readonly SegmentToBe[],
): Uint8Array {
  const names = ['', ...sections.map(({ name }) => name), '.shstrtab'];
  const nameTable = new TextEncoder().encode(names.map((name) => `${name}\0`).join(''));
  const all: SectionToBe[] = [...sections, { name: '.shstrtab', type: 3, content: nameTable }];
  const segmentCount = segments?.length ?? 1;
  let offset = 64 + 56 * segmentCount;
  const places = all.map(({ content }) => {
    const place = offset;
    offset += Math.ceil(content.length / 8) * 8;
    return place;
  });
  const bytes = new Uint8Array(offset + 64 * (all.length + 1));
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, segments === undefined ? 2 : 3, true);
  view.setUint16(18, 62, true);
  setWord(view, 32, 64);
  setWord(view, 40, offset);
  view.setUint16(54, 56, true);
  view.setUint16(56, segmentCount, true);
  view.setUint16(58, 64, true);
  view.setUint16(60, all.length + 1, true);
  view.setUint16(62, all.length, true);
  const loaded = segments ?? [{ offset: 0, address: 0, size: bytes.length }];
  loaded.forEach((segment, i) => {
    const at = 64 + 56 * i;
    view.setUint32(at, 1, true);
    view.setUint32(at + 4, segment.isExecutable === true ? 5 : 4, true);
    setWord(view, at + 8, segment.offset);
    setWord(view, at + 16, segment.address);
    setWord(view, at + 32, segment.size);
    setWord(view, at + 40, segments === undefined ? 0x10_0000 : segment.size);
    setWord(view, at + 48, 0x1000);
  });
  let nameAt = 1;
  all.forEach((section, i) => {
    bytes.set(section.content, places[i]);
    const at = offset + 64 * (i + 1);
    view.setUint32(at, nameAt, true);
    view.setUint32(at + 4, section.type, true);
    setWord(view, at + 8, section.flags ?? 0);
    setWord(view, at + 16, section.address ?? 0);
    setWord(view, at + 24, places[i]);
    setWord(view, at + 32, section.size ?? section.content.length);
    view.setUint32(at + 40, section.link ?? 0, true);
    nameAt += section.name.length + 1;
  });
  return bytes;
}

/** Makes a note, as in `.note.gnu.build-id`. */
export function makeNote(owner: string, type: number, content: Uint8Array): Uint8Array {
  const padded = Math.ceil((owner.length + 1) / 4) * 4;
  const bytes = new Uint8Array(12 + padded + Math.ceil(content.length / 4) * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, owner.length + 1, true);
  view.setUint32(4, content.length, true);
  view.setUint32(8, type, true);
  bytes.set(new TextEncoder().encode(owner), 12);
  bytes.set(content, 12 + padded);
  return bytes;
}

/** A symbol to make: a function, which is global by default. */
export interface SymbolToBe {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** Binding: STB_LOCAL 0, STB_GLOBAL 1, STB_WEAK 2. */
  readonly binding?: number;
}

/**
 * Makes a symbol table and its strings, as two sections. `firstIndex` is the index of the symbol
 * table.
 */
export function makeSymbols(
  name: '.symtab' | '.dynsym',
  firstIndex: number,
  symbols: readonly SymbolToBe[],
): SectionToBe[] {
  // The first row of the table is not a symbol.
  const table = new Uint8Array(24 * (1 + symbols.length));
  const view = new DataView(table.buffer);
  let text = '\0';
  symbols.forEach((symbol, i) => {
    const at = 24 * (1 + i);
    view.setUint32(at, text.length, true);
    view.setUint8(at + 4, ((symbol.binding ?? 1) << 4) | 2);
    view.setUint16(at + 6, 1, true);
    setWord(view, at + 8, symbol.address);
    setWord(view, at + 16, symbol.size);
    text += `${symbol.name}\0`;
  });
  return [
    { name, type: name === '.symtab' ? 2 : 11, content: table, link: firstIndex + 1 },
    { name: '.strtab', type: 3, content: new TextEncoder().encode(text) },
  ];
}

function setWord(view: DataView, at: number, value: number): void {
  view.setBigUint64(at, BigInt(value), true);
}
