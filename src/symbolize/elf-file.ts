// Reads headers, sections and build ids of an ELF file. The file is read in ranges, and may be
// hostile.
import { AppError } from '../base/errors.ts';
import type { File } from '../base/files.ts';
import type { Pacer } from '../base/pacer.ts';
import {
  inflate as inflateInPool,
  inflateSync,
  zstdDecompress as zstdDecompressInPool,
  zstdDecompressSync,
} from '../base/threads/zlib.ts';
import {
  elfHeadersMax,
  elfNameTableBytesMax,
  elfNoteBytesMax,
  elfNotePlacesMax,
  elfSectionNameBytesMax,
  elfTextBytesMax,
} from './limits.ts';

/** Source of bytes that are read in ranges: a file, or memory. */
export interface ElfSource {
  readonly size: number;
  /**
   * Returns the bytes `offset` .. `offset + length`. Returns fewer bytes only at the end of the
   * source.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** One row of the table of program headers. Addresses are ELF virtual addresses. */
export interface ElfSegment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly fileSize: number;
  readonly memorySize: number;
  readonly align: number;
  readonly isExecutable: boolean;
}

/** One row of the table of sections. */
export interface ElfSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly address: number;
  readonly offset: number;
  readonly size: number;
  /** Index of the section that this section refers to, such as the strings of a symbol table. */
  readonly link: number;
}

/** The headers of an ELF file. */
export interface ElfFile {
  readonly source: ElfSource;
  readonly is64: boolean;
  readonly isLittleEndian: boolean;
  readonly type: number;
  readonly machine: number;
  readonly segments: readonly ElfSegment[];
  readonly sections: readonly ElfSection[];
}

/** Type of programs that can only run at the addresses in the file. */
export const elfTypeFixed = 2;
export const segmentTypeLoad = 1;
export const segmentTypeNote = 4;
const segmentFlagExecutable = 1;
export const sectionTypeSymbols = 2;
export const sectionTypeNote = 7;
/** Type of a section without bytes in the file, because it was stripped or is in another file. */
export const sectionTypeNoBits = 8;
export const sectionTypeDynamicSymbols = 11;
const sectionFlagCompressed = 0x800;
const noteTypeBuildId = 3;
const noteTypeGoBuildId = 4;

/** Number of headers that are read between two pauses. */
const headersPerPause = 512;

/**
 * Reads the headers of an ELF file. On a thread with other work, `pacer` pauses in between. Sizes
 * are trusted only if they fit into the source.
 *
 * Errors: AppError 'invalid-argument' naming the wrong header; errors of the pacer.
 */
export async function readElf(source: ElfSource, pacer?: Pick<Pacer, 'pause'>): Promise<ElfFile> {
  const head = await source.read(0, 64);
  if (
    head.length < 52 ||
    head[0] !== 0x7f ||
    head[1] !== 0x45 ||
    head[2] !== 0x4c ||
    head[3] !== 0x46
  ) {
    throw invalid('the file does not start with the magic bytes of ELF');
  }
  const [fileClass, order] = [head[4], head[5]];
  if (fileClass !== 1 && fileClass !== 2) throw invalid(`class ${fileClass} is unknown`);
  if (order !== 1 && order !== 2) throw invalid(`byte order ${order} is unknown`);
  const is64 = fileClass === 2;
  if (is64 && head.length < 64) throw invalid('the header is cut off');
  const fields = new Fields(head, is64, order === 1);
  const word = is64 ? 8 : 4;
  // The offsets come after e_ident, e_type, e_machine, e_version and e_entry.
  const offsets = 24 + word;
  const programOffset = fields.word(offsets);
  const sectionOffset = fields.word(offsets + word);
  const sizes = offsets + 2 * word + 4;
  const [, programSize, programCount] = [0, 2, 4].map((at) => fields.u16(sizes + at));
  const [sectionSize, sectionCount, namesIndex] = [6, 8, 10].map((at) => fields.u16(sizes + at));
  const base = {
    source,
    is64,
    isLittleEndian: order === 1,
    type: fields.u16(16),
    machine: fields.u16(18),
    pause: () => pacer?.pause(),
  };
  const segments = await readSegments(base, programOffset, programSize, programCount);
  const sections = await readSections(base, sectionOffset, sectionSize, sectionCount, namesIndex);
  const { isLittleEndian, type, machine } = base;
  return { source, is64, isLittleEndian, type, machine, segments, sections };
}

interface Base extends Pick<ElfFile, 'source' | 'is64' | 'isLittleEndian'> {
  readonly pause: () => Promise<void> | undefined;
}

async function readSegments(
  base: Base,
  offset: number,
  entrySize: number,
  count: number,
): Promise<ElfSegment[]> {
  const rowSize = base.is64 ? 56 : 32;
  const { fields, starts } = await readTable(base, offset, entrySize, count, rowSize, 'program');
  const segments: ElfSegment[] = [];
  for (const at of starts) {
    segments.push(segmentRow(fields, at, base.is64));
    if (segments.length % headersPerPause === 0) await base.pause();
  }
  return segments;
}

function segmentRow(fields: Fields, at: number, is64: boolean): ElfSegment {
  return is64
    ? {
        type: fields.u32(at),
        offset: fields.word(at + 8),
        address: fields.word(at + 16),
        fileSize: fields.word(at + 32),
        memorySize: fields.word(at + 40),
        align: fields.word(at + 48),
        isExecutable: isExecutable(fields.u32(at + 4)),
      }
    : {
        type: fields.u32(at),
        offset: fields.word(at + 4),
        address: fields.word(at + 8),
        fileSize: fields.word(at + 16),
        memorySize: fields.word(at + 20),
        align: fields.word(at + 28),
        isExecutable: isExecutable(fields.u32(at + 24)),
      };
}

function isExecutable(flags: number): boolean {
  return (flags & segmentFlagExecutable) !== 0;
}

async function readSections(
  base: Base,
  offset: number,
  entrySize: number,
  headerCount: number,
  headerNamesIndex: number,
): Promise<ElfSection[]> {
  if (offset === 0) return [];
  const rowSize = base.is64 ? 64 : 40;
  let [count, namesIndex] = [headerCount, headerNamesIndex];
  // In files with 65,280 sections or more, the first section header contains the number of
  // sections.
  if (count === 0 || namesIndex === 0xffff) {
    const { fields, starts } = await readTable(base, offset, entrySize, 1, rowSize, 'section');
    const [first] = starts;
    if (count === 0) count = fields.word(first + (base.is64 ? 32 : 20));
    if (namesIndex === 0xffff) namesIndex = fields.u32(first + (base.is64 ? 40 : 24));
  }
  const { fields, starts } = await readTable(base, offset, entrySize, count, rowSize, 'section');
  const namesAt = starts[namesIndex];
  const names = namesAt === undefined ? undefined : sectionRow(fields, namesAt, base.is64, noText);
  const text =
    names === undefined || names.type === sectionTypeNoBits
      ? noText
      : await base.source.read(names.offset, Math.min(names.size, elfNameTableBytesMax));
  const sections: ElfSection[] = [];
  for (const at of starts) {
    sections.push(sectionRow(fields, at, base.is64, text));
    if (sections.length % headersPerPause === 0) await base.pause();
  }
  return sections;
}

const noText = new Uint8Array(0);

/** Reads the row at an offset. `text` contains the names of sections. */
function sectionRow(fields: Fields, at: number, is64: boolean, text: Uint8Array): ElfSection {
  const word = is64 ? 8 : 4;
  return {
    name: textAt(text, fields.u32(at), elfSectionNameBytesMax),
    type: fields.u32(at + 4),
    flags: fields.word(at + 8),
    address: fields.word(at + 8 + word),
    offset: fields.word(at + 8 + 2 * word),
    size: fields.word(at + 8 + 3 * word),
    link: fields.u32(at + 8 + 4 * word),
  };
}

/** A table of headers: its bytes, and the start of each row. */
interface HeaderTable {
  readonly fields: Fields;
  readonly starts: readonly number[];
}

async function readTable(
  { source, is64, isLittleEndian }: Base,
  offset: number,
  entrySize: number,
  count: number,
  entrySizeMin: number,
  what: string,
): Promise<HeaderTable> {
  if (count === 0 || offset === 0) {
    return { fields: new Fields(noText, is64, isLittleEndian), starts: [] };
  }
  if (entrySize < entrySizeMin) throw invalid(`${what} headers have ${entrySize} bytes each`);
  if (count > elfHeadersMax) throw invalid(`${count} ${what} headers, limit ${elfHeadersMax}`);
  const bytes = await source.read(offset, entrySize * count);
  if (bytes.length < entrySize * count) {
    throw invalid(`the table of ${what} headers at ${offset} goes past the end of the file`);
  }
  const starts = Array.from({ length: count }, (_, i) => i * entrySize);
  return { fields: new Fields(bytes, is64, isLittleEndian), starts };
}

/** Returns the section with this name, if the file contains the section's bytes. */
export function findSection(elf: ElfFile, name: string): ElfSection | undefined {
  return elf.sections.find((section) => section.name === name && hasBytes(section));
}

/**
 * Returns true if a section is compressed in the current format, with an Elf_Chdr before the
 * content.
 */
export function isCompressed(section: ElfSection): boolean {
  return (section.flags & sectionFlagCompressed) !== 0;
}

/** Returns true if the file has bytes of a section. */
export function hasBytes(section: ElfSection): boolean {
  return section.type !== sectionTypeNoBits && section.size > 0;
}

/**
 * Returns the content of a section, decompressed if necessary (zlib or zstd).
 *
 * Errors: AppError 'invalid-argument' if the section extends past the end of the file or cannot be
 * decompressed, 'resource-exhausted' if it is larger than `bytesMax`.
 */
export async function readSection(
  elf: ElfFile,
  section: ElfSection,
  bytesMax: number,
  decompressor: Decompressor = ofThisThread,
): Promise<Uint8Array> {
  const { name, offset, size } = section;
  if (size > bytesMax) throw tooLarge(name, size, bytesMax);
  const bytes = await elf.source.read(offset, size);
  if (bytes.length < size) {
    throw invalid(`section ${name} at ${offset} goes past the end of the file`);
  }
  const { content, size: declared, isZstd } = compressedPart(elf, section, bytes);
  if (declared === undefined) return bytes;
  if (declared > bytesMax) throw tooLarge(name, declared, bytesMax);
  return inflate(name, content, declared, isZstd ? decompressor.zstd : decompressor.inflate);
}

type Decompress = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
) => Uint8Array | Promise<Uint8Array>;

/** Functions that decompress a section. */
export interface Decompressor {
  readonly inflate: Decompress;
  readonly zstd: Decompress;
}

/** Decompresses synchronously. Meant for threads without other work. */
const ofThisThread: Decompressor = { inflate: inflateSync, zstd: zstdDecompressSync };

/** Decompresses in threads of the pool. */
export const ofThePool: Decompressor = { inflate: inflateInPool, zstd: zstdDecompressInPool };

/** A compressed stream and its declared size; undefined if the section is not compressed. */
interface CompressedPart {
  readonly content: Uint8Array;
  readonly size: number | undefined;
  readonly isZstd: boolean;
}

/** Reads the header of a compressed section: an Elf_Chdr, or a header of the old format. */
function compressedPart(elf: ElfFile, section: ElfSection, bytes: Uint8Array): CompressedPart {
  const { name } = section;
  if (isCompressed(section)) {
    const headerSize = elf.is64 ? 24 : 12;
    if (bytes.length < headerSize) throw invalid(`section ${name} has no compression header`);
    const fields = new Fields(bytes, elf.is64, elf.isLittleEndian);
    const type = fields.u32(0);
    const size = fields.word(elf.is64 ? 8 : 4);
    if (type !== 1 && type !== 2) throw invalid(`section ${name} has compression type ${type}`);
    return { content: bytes.subarray(headerSize), size, isZstd: type === 2 };
  }
  // The old format is "ZLIB", the size as eight bytes (big-endian), and a zlib stream.
  const isOld =
    name.startsWith('.zdebug') && bytes.length >= 12 && textAt(bytes.subarray(0, 4), 0) === 'ZLIB';
  if (!isOld) return { content: bytes, size: undefined, isZstd: false };
  const size = new Fields(bytes, true, false).word(4);
  return { content: bytes.subarray(12), size, isZstd: false };
}

async function inflate(
  name: string,
  bytes: Uint8Array,
  size: number,
  decompress: Decompress,
): Promise<Uint8Array> {
  // The limit is one more than the declared size, so that a longer stream causes an error instead
  // of being truncated.
  const maxOutputLength = size + 1;
  try {
    const content = await decompress(bytes, { maxOutputLength });
    if (content.length === size) return content;
  } catch (error) {
    throw new AppError(
      'invalid-argument',
      `cannot read ELF: section ${name} cannot be decompressed`,
      {
        cause: error,
      },
    );
  }
  throw invalid(`section ${name} does not have the ${size} bytes that its header declares`);
}

/** GNU and Go build ids of a file, in lower-case hexadecimal. */
export interface ElfBuildIds {
  readonly gnu: string | undefined;
  readonly go: string | undefined;
}

/** Reads the build ids from the first notes of a file. Truncated notes are left out. */
export async function readBuildIds(elf: ElfFile): Promise<ElfBuildIds> {
  let gnuId: string | undefined;
  let goId: string | undefined;
  const places = [
    ...elf.sections.filter((section) => section.type === sectionTypeNote && hasBytes(section)),
    ...elf.segments.filter((segment) => segment.type === segmentTypeNote),
  ];
  for (const place of places.slice(0, elfNotePlacesMax)) {
    const size = 'fileSize' in place ? place.fileSize : place.size;
    const bytes = await elf.source.read(place.offset, Math.min(size, elfNoteBytesMax));
    for (const note of notesIn(bytes, elf)) {
      if (note.owner === 'GNU' && note.type === noteTypeBuildId) gnuId ??= toHex(note.content);
      if (note.owner === 'Go' && note.type === noteTypeGoBuildId) goId ??= toHex(note.content);
    }
  }
  return { gnu: gnuId, go: goId };
}

interface Note {
  readonly owner: string;
  readonly type: number;
  readonly content: Uint8Array;
}

function notesIn(bytes: Uint8Array, elf: ElfFile): Note[] {
  const notes: Note[] = [];
  const fields = new Fields(bytes, elf.is64, elf.isLittleEndian);
  for (let at = 0; at + 12 <= bytes.length;) {
    const [ownerSize, contentSize, type] = [fields.u32(at), fields.u32(at + 4), fields.u32(at + 8)];
    const owner = at + 12;
    const content = owner + aligned(ownerSize);
    const end = content + contentSize;
    if (end > bytes.length) break;
    notes.push({ owner: textAt(bytes, owner), type, content: bytes.subarray(content, end) });
    at = content + aligned(contentSize);
  }
  return notes;
}

function aligned(size: number): number {
  return Math.ceil(size / 4) * 4;
}

/** Returns bytes in lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fields of a structure in the byte order of the file. */
export class Fields {
  readonly #view: DataView;
  readonly #is64: boolean;
  readonly #isLittleEndian: boolean;

  constructor(bytes: Uint8Array, is64: boolean, isLittleEndian: boolean) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#is64 = is64;
    this.#isLittleEndian = isLittleEndian;
  }

  u16(at: number): number {
    return this.#view.getUint16(at, this.#isLittleEndian);
  }

  u32(at: number): number {
    return this.#view.getUint32(at, this.#isLittleEndian);
  }

  /**
   * Reads an address or a size, which has 4 or 8 bytes depending on the file. Values above 2^53 are
   * rounded; no real file has such values.
   */
  word(at: number): number {
    if (!this.#is64) return this.u32(at);
    const [first, second] = [this.u32(at), this.u32(at + 4)];
    const [low, high] = this.#isLittleEndian ? [first, second] : [second, first];
    return high * 0x1_0000_0000 + low;
  }
}

const decoder = new TextDecoder();

/** Returns the string from `offset` up to a zero byte, `bytesMax` or the end; "" after the end. */
export function textAt(bytes: Uint8Array, offset: number, bytesMax = elfTextBytesMax): string {
  const text = bytes.subarray(offset, offset + bytesMax);
  const length = text.indexOf(0);
  return decoder.decode(length === -1 ? text : text.subarray(0, length));
}

/** Creates a source of the first `size` bytes of an open file. */
export function sourceOfFile(file: File, size: number): ElfSource {
  return {
    size,
    async read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, await file.read(bytes, offset));
    },
  };
}

/** Creates a source of bytes in memory. */
export function bytesSource(bytes: Uint8Array): ElfSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

function invalid(why: string): AppError {
  return new AppError('invalid-argument', `cannot read ELF: ${why}`);
}

function tooLarge(name: string, size: number, bytesMax: number): AppError {
  return new AppError(
    'resource-exhausted',
    `cannot read ELF: section ${name} has ${size} bytes, limit ${bytesMax}`,
  );
}
