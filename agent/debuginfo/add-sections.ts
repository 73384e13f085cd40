// Adds sections to an ELF file. The new sections, their names and a new section table are appended,
// so nothing else moves.
import { AppError } from '../../src/base/errors.ts';
import { type ElfFile, hasBytes } from '../../src/symbolize/elf-file.ts';
import type { ExtractedFile } from './extract.ts';

/** A section to add; it is not loaded into memory at run time. */
export interface AddedSection {
  readonly name: string;
  readonly flags: number;
  readonly size: number;
  /** Content in chunks. */
  pieces(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const headerBytes = 64;
const rowBytes = 64;
const typeProgramBits = 1;
/** First section number with a special meaning in the ELF header. */
const sectionCountMax = 0xff00;
const pieceBytes = 1024 * 1024;

/** Returns the whole file as an extract, so that sections can be added to it. */
export function wholeFile(elf: ElfFile): Omit<ExtractedFile, 'digest'> {
  const { source } = elf;
  return {
    size: source.size,
    async *pieces() {
      for (let at = 0; at < source.size; at += pieceBytes) yield await source.read(at, pieceBytes);
    },
  };
}

/**
 * Adds sections to `file`, which is `elf` or an extract of it. The first chunk of `file` must have
 * at least 64 bytes.
 *
 * Errors: AppError 'invalid-argument' for files that are not 64-bit little-endian, or have no
 * section names.
 */
export async function addSections(
  elf: ElfFile,
  file: Omit<ExtractedFile, 'digest'>,
  added: readonly AddedSection[],
): Promise<Omit<ExtractedFile, 'digest'>> {
  const whole = createView(await elf.source.read(0, headerBytes));
  const namesIndex = whole.byteLength < headerBytes ? 0 : whole.getUint16(62, true);
  const names = elf.sections[namesIndex];
  const count = elf.sections.length + added.length;
  const isUsual = elf.is64 && elf.isLittleEndian && whole.getUint16(58, true) === rowBytes;
  if (!isUsual || names === undefined || !hasBytes(names) || count >= sectionCountMax) {
    const why = 'it is no usual ELF file of 64 bits, little-endian';
    throw new AppError('invalid-argument', `cannot add sections: ${why}`);
  }
  const oldNames = await elf.source.read(names.offset, names.size);
  const newNames = Buffer.from(added.map(({ name }) => `${name}\0`).join(''));
  const allNames = Buffer.concat([oldNames, newNames]);
  let at = aligned(file.size);
  const reserve = (size: number): number => {
    const start = at;
    at = aligned(at + size);
    return start;
  };
  const namesAt = reserve(allNames.length);
  let nameOffset = oldNames.length;
  const rows = added.map((section) => {
    const row = makeRow(section, nameOffset, reserve(section.size));
    nameOffset += section.name.length + 1;
    return row;
  });
  const tableAt = at;
  return {
    size: tableAt + rowBytes * count,
    async *pieces() {
      const table = new Uint8Array(rowBytes * elf.sections.length);
      let [at, oldTableAt] = [0, 0];
      for await (const piece of file.pieces()) {
        let changed = piece;
        if (at === 0) {
          changed = piece.slice();
          const header = createView(changed);
          oldTableAt = Number(header.getBigUint64(40, true));
          header.setBigUint64(40, BigInt(tableAt), true);
          header.setUint16(60, count, true);
        }
        const from = Math.max(oldTableAt, at);
        const part = piece.subarray(from - at, Math.max(0, oldTableAt + table.length - at));
        if (from < oldTableAt + table.length) table.set(part, from - oldTableAt);
        yield changed;
        at += piece.length;
      }
      const row = createView(table.subarray(rowBytes * namesIndex));
      row.setBigUint64(24, BigInt(namesAt), true);
      row.setBigUint64(32, BigInt(allNames.length), true);
      yield new Uint8Array(namesAt - file.size);
      yield allNames;
      at = namesAt + allNames.length;
      for (const { size, pieces } of added) {
        yield new Uint8Array(aligned(at) - at);
        yield* pieces();
        at = aligned(at) + size;
      }
      yield new Uint8Array(tableAt - at);
      yield table;
      for (const added of rows) yield added;
    },
  };
}

/** Returns the section header. */
function makeRow({ flags, size }: AddedSection, nameOffset: number, offset: number): Uint8Array {
  const row = new DataView(new ArrayBuffer(rowBytes));
  row.setUint32(0, nameOffset, true);
  row.setUint32(4, typeProgramBits, true);
  row.setBigUint64(8, BigInt(flags), true);
  row.setBigUint64(24, BigInt(offset), true);
  row.setBigUint64(32, BigInt(size), true);
  row.setBigUint64(48, 1n, true);
  return new Uint8Array(row.buffer);
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
