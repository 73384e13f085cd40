// Extracts the parts of an ELF file that are needed to symbolize addresses: everything except code
// and data.
//
// The result is an ELF file with the same headers. Omitted sections have no bytes (SHT_NOBITS), as
// in the separate debug files of distributions.
import { AppError } from '../../src/base/errors.ts';
import {
  type ElfFile,
  type ElfSection,
  hasBytes,
  sectionTypeNoBits,
  sectionTypeNote,
  segmentTypeNote,
} from '../../src/symbolize/elf-file.ts';

/** A file that is generated while it is being read. */
export interface ExtractedFile {
  readonly size: number;
  /** Digest that identifies the content. */
  readonly digest: string;
  /** Content in chunks. Errors: those of the source. */
  pieces(): AsyncGenerator<Uint8Array>;
}

const headerBytes = 64;
const segmentBytes = 56;
const sectionBytes = 64;
const pieceBytes = 1024 * 1024;

const keptNames = new RegExp(
  [
    '^\\.(z?debug_|note|gnu_debug)',
    '^\\.(symtab|strtab|shstrtab|symtab_shndx|dynsym|dynstr|comment)$',
    'gopclntab$',
    '^\\.go\\.buildinfo$',
  ].join('|'),
);
/** Sections for the line table of a Go program; other programs do not need them. */
const goNames = /^\.(go\.module|noptrdata|data|rodata|data\.rel\.ro)$/;
/** Sections for symbolization; a file without any of them is useless. */
const usefulNames = /^\.z?debug_info$|^\.symtab$|^\.dynsym$|gopclntab$/;

/** Returns true if a file has any information for symbolization. */
export function isUseful(elf: ElfFile): boolean {
  return elf.sections.some((section) => usefulNames.test(section.name) && hasBytes(section));
}

/**
 * Creates the extract of a 64-bit little-endian file. Returns undefined for other files, which are
 * uploaded in full.
 *
 * Errors: AppError 'invalid-argument' if sections are larger than the file, because the extract
 * would be large, too.
 */
export async function extractDebuginfo(elf: ElfFile): Promise<ExtractedFile | undefined> {
  if (!elf.is64 || !elf.isLittleEndian) return undefined;
  const isGo = elf.sections.some(({ name }) => name.endsWith('gopclntab'));
  const isKept = (section: ElfSection): boolean =>
    hasBytes(section) &&
    (section.type === sectionTypeNote ||
      keptNames.test(section.name) ||
      (isGo && goNames.test(section.name)));
  const kept = elf.sections.filter(isKept);
  checkSections(elf, kept);
  const header = await elf.source.read(0, headerBytes);
  const view = createView(header);
  const hasUsualHeaders = view.getUint16(54, true) === segmentBytes || elf.segments.length === 0;
  if (!hasUsualHeaders || view.getUint16(58, true) !== sectionBytes) return undefined;
  const segments = await elf.source.read(
    Number(view.getBigUint64(32, true)),
    elf.segments.length * segmentBytes,
  );
  const table = await elf.source.read(
    Number(view.getBigUint64(40, true)),
    elf.sections.length * sectionBytes,
  );
  const placed = placeSections(elf, table, headerBytes + segments.length, isKept);
  moveNotes(elf, segments, placed.offsets);
  view.setBigUint64(32, BigInt(segments.length === 0 ? 0 : headerBytes), true);
  view.setBigUint64(40, BigInt(placed.end), true);
  return {
    size: placed.end + table.length,
    digest: Buffer.concat([header, segments, table]).toString('latin1'),
    async *pieces() {
      yield header;
      if (segments.length > 0) yield segments;
      let at = headerBytes + segments.length;
      for (const section of kept) {
        const start = placed.offsets.get(section) ?? at;
        if (start > at) yield new Uint8Array(start - at);
        yield* readContent(elf, section);
        at = start + section.size;
      }
      if (placed.end > at) yield new Uint8Array(placed.end - at);
      yield table;
    },
  };
}

function checkSections({ source }: ElfFile, kept: readonly ElfSection[]): void {
  let sum = 0;
  for (const { name, offset, size } of kept) {
    sum += size;
    if (offset + size <= source.size && sum <= source.size) continue;
    throw new AppError(
      'invalid-argument',
      `cannot extract debug information: section ${name} is outside of the file, or in another one`,
    );
  }
}

interface Placed {
  /** New offset of each kept section. */
  readonly offsets: ReadonlyMap<ElfSection, number>;
  /** Offset of the end of the sections; a multiple of 8. */
  readonly end: number;
}

/** Assigns new offsets to the kept sections in order, and writes the section header table. */
function placeSections(
  elf: ElfFile,
  table: Uint8Array,
  start: number,
  isKept: (section: ElfSection) => boolean,
): Placed {
  const view = createView(table);
  const offsets = new Map<ElfSection, number>();
  let at = aligned(start);
  for (const [i, section] of elf.sections.entries()) {
    const row = i * sectionBytes;
    if (isKept(section)) {
      offsets.set(section, at);
      view.setBigUint64(row + 24, BigInt(at), true);
      at = aligned(at + section.size);
    } else if (section.type !== 0) {
      view.setUint32(row + 4, sectionTypeNoBits, true);
      view.setBigUint64(row + 24, BigInt(at), true);
    }
  }
  return { offsets, end: at };
}

/**
 * Moves note segments to the new offsets of their sections, and removes segments that no longer
 * have a section.
 */
function moveNotes(
  elf: ElfFile,
  segments: Uint8Array,
  offsets: ReadonlyMap<ElfSection, number>,
): void {
  const view = createView(segments);
  for (const [i, { type, address }] of elf.segments.entries()) {
    if (type !== segmentTypeNote) continue;
    const section = elf.sections.find((one) => one.address === address && offsets.has(one));
    const offset = section && offsets.get(section);
    if (offset === undefined) view.setUint32(i * segmentBytes, 0, true);
    else view.setBigUint64(i * segmentBytes + 8, BigInt(offset), true);
  }
}

async function* readContent(elf: ElfFile, section: ElfSection): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < section.size;) {
    const length = Math.min(pieceBytes, section.size - at);
    const bytes = await elf.source.read(section.offset + at, length);
    // If the file has shrunk, the rest is filled with zeros, so that the size stays correct.
    yield bytes.length === length ? bytes : Buffer.concat([bytes], length);
    at += length;
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
