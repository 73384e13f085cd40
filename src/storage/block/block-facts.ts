// The header and footer of a block. docs/format/block.md shows their layout.
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import { AppError } from '../../base/errors.ts';
import { decodePieces, encodePieces, type Piece } from './bytes/piece.ts';

/**
 * Lengths of the windows into which blocks are cut and compacted. Windows are aligned to 1970 in
 * UTC.
 */
export const windowNanos = 7_200_000_000_000n;
export const dayNanos = 86_400_000_000_000n;

/** Facts about a block that its creator passes in. */
export interface BlockOrigin {
  /** Unique id. Ids sort in the order in which blocks were created. */
  readonly id: string;
  /** 0 = cut from a head, 1 = compacted to 2 h, 2 = compacted to a day, with rollups. */
  readonly level: number;
  /** Ids of the blocks that this block replaces. */
  readonly sources: readonly string[];
  /** Epoch of the head that the block was cut from; 0 for a compacted block. */
  readonly epoch: number;
  /** Number of blocks that were cut from the same head. */
  readonly cutCount: number;
  readonly createdNanos: bigint;
  /** Length of the window (aligned to 1970) that contains all profiles; 0 = any. */
  readonly windowNanos: bigint;
}

/** Facts of a finished block. Counts include raw profiles but not rollups. */
export interface BlockFacts extends BlockOrigin {
  /** Time range of its profiles, in nanoseconds; 0 without profiles. */
  readonly minNanos: bigint;
  readonly maxNanos: bigint;
  readonly profileCount: number;
  readonly rowCount: number;
  readonly streamCount: number;
  readonly chunkCount: number;
}

/** Positions of the tables of a block. */
export interface BlockTables {
  /** Table of the pages of sections; see page-writer.ts. */
  readonly pages: readonly Piece[];
  /** Labels, shapes and groups of streams; see directory.ts. */
  readonly directory: readonly Piece[];
  /** One list for each table of symbols, in the order of symbol-tables.ts. */
  readonly symbols: readonly (readonly Piece[])[];
}

const blockMagic = 0x4b4c_4250; // "PBLK"
/** Version of blocks that have sample times; all other blocks have version 1. */
export const blockVersion = 2;
const plainVersion = 1;
export const headerBytes = 32;
export const tailBytes = 16;
/** Largest footer. Most footers take a few hundred bytes, plus the ids of the block's sources. */
const footerBytesMax = 16 * 1024 * 1024;

/**
 * Returns the initial checksum value for a block's pieces, so that the checksum of a piece of any
 * other block is wrong.
 */
export function idSalt(id: string): number {
  return crc32c(new TextEncoder().encode(id));
}

/** Encodes the first bytes of the file. */
export function encodeHeader(createdNanos: bigint): Uint8Array {
  const writer = new ByteWriter(headerBytes);
  writer.u32(blockMagic);
  writer.u32(plainVersion);
  writer.i64(createdNanos);
  writer.u64(0);
  writer.u32(0);
  writer.u32(crc32c(writer.bytes, 0, writer.length));
  return writer.copy();
}

/** Returns true if the first bytes of a file are the start of a block. */
export function isHeader(bytes: Uint8Array): boolean {
  if (bytes.length !== headerBytes) return false;
  const reader = new ByteReader(bytes);
  if (reader.u32() !== blockMagic) return false;
  return new ByteReader(bytes, headerBytes - 4).u32() === crc32c(bytes, 0, headerBytes - 4);
}

/**
 * Encodes footer and tail. A block with sample times has a higher version, so that older servers
 * refuse it.
 */
export function encodeFooter(
  facts: BlockFacts,
  tables: BlockTables,
  hasTimes: boolean,
): Uint8Array {
  const writer = new ByteWriter(1024);
  writer.text(facts.id);
  writer.u8(facts.level);
  writer.i64(facts.windowNanos);
  writer.i64(facts.minNanos);
  writer.i64(facts.maxNanos);
  writer.i64(facts.createdNanos);
  writer.varint(facts.profileCount);
  writer.varint(facts.rowCount);
  writer.varint(facts.streamCount);
  writer.varint(facts.chunkCount);
  writer.varint(facts.epoch);
  writer.varint(facts.cutCount);
  writer.varint(facts.sources.length);
  for (const source of facts.sources) writer.text(source);
  encodePieces(writer, tables.pages);
  encodePieces(writer, tables.directory);
  writer.varint(tables.symbols.length);
  for (const pieces of tables.symbols) encodePieces(writer, pieces);
  const length = writer.length;
  writer.u32(length);
  writer.u32(hasTimes ? blockVersion : plainVersion);
  writer.u32(crc32c(writer.bytes, 0, writer.length));
  writer.u32(blockMagic);
  return writer.copy();
}

/**
 * Returns the total size of footer and tail, from the last bytes of the file.
 *
 * Errors: AppError 'data-loss' when these bytes are not the end of a block.
 */
export function footerBytes(tail: Uint8Array, fileBytes: number): number {
  if (tail.length < tailBytes) throw new AppError('data-loss', 'cannot read footer: no file');
  const reader = new ByteReader(tail, tail.length - tailBytes);
  const length = reader.u32();
  reader.skip(8);
  if (reader.u32() !== blockMagic) {
    throw new AppError('data-loss', 'cannot read footer: the file does not end as a block');
  }
  if (length > footerBytesMax || length + tailBytes > fileBytes) {
    throw new AppError('data-loss', `cannot read footer: ${length} bytes are missing`);
  }
  return length + tailBytes;
}

/**
 * Reads footer and tail.
 *
 * Errors: AppError 'data-loss'; 'failed-precondition' if a newer program wrote the block.
 */
export function decodeFooter(
  bytes: Uint8Array,
  fileBytes: number,
): { readonly facts: BlockFacts; readonly tables: BlockTables } {
  const bodyEnd = bytes.length - tailBytes;
  const tail = new ByteReader(bytes, bodyEnd + 4);
  const version = tail.u32();
  if (tail.u32() !== crc32c(bytes, 0, bodyEnd + 8)) {
    throw new AppError('data-loss', 'cannot read footer: the checksum is wrong');
  }
  if (version > blockVersion) {
    throw new AppError(
      'failed-precondition',
      `cannot read block: its format is version ${version}, this server reads up to ${blockVersion}`,
    );
  }
  const reader = new ByteReader(bytes, 0, bodyEnd);
  const facts = decodeFacts(reader);
  const pages = decodePieces(reader, fileBytes);
  const directory = decodePieces(reader, fileBytes);
  const symbols = Array.from({ length: reader.varint() }, () => decodePieces(reader, fileBytes));
  return { facts, tables: { pages, directory, symbols } };
}

function decodeFacts(reader: ByteReader): BlockFacts {
  return {
    id: reader.text(),
    level: reader.u8(),
    windowNanos: reader.i64(),
    minNanos: reader.i64(),
    maxNanos: reader.i64(),
    createdNanos: reader.i64(),
    profileCount: reader.varint(),
    rowCount: reader.varint(),
    streamCount: reader.varint(),
    chunkCount: reader.varint(),
    epoch: reader.varint(),
    cutCount: reader.varint(),
    sources: Array.from({ length: reader.varint() }, () => reader.text()),
  };
}
