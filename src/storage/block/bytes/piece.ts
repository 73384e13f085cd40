// Pieces of a block file. Each has a checksum, and is compressed if that saves space.
import type { ByteReader, ByteWriter } from '../../../base/bytes.ts';
import { crc32c } from '../../../base/crc32c.ts';
import { AppError } from '../../../base/errors.ts';
import {
  constants,
  zstdCompress,
  zstdCompressSync,
  zstdDecompressSync,
} from '../../../base/threads/zlib.ts';

/** Reference to a piece: its offset in the file and how to decode it. */
export interface Piece {
  readonly offset: number;
  readonly storedBytes: number;
  readonly rawBytes: number;
  readonly isCompressed: boolean;
  /** CRC-32C of the stored bytes, starting from the block's salt. */
  readonly crc: number;
}

/**
 * Size in bytes below which a piece is not compressed, because that would cost more than it saves.
 */
const compressedBytesMin = 96;
/** Largest compressed size, as a share of the raw size, at which a piece is stored compressed. */
const compressedShareMax = 0.95;

/** A piece as it is stored. */
interface PackedPiece {
  readonly stored: Uint8Array;
  readonly isCompressed: boolean;
}

const settings = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Returns the bytes to store for `raw`. They are compressed if `compress` is set and that saves
 * enough space.
 */
export function packPiece(raw: Uint8Array, compress: boolean): PackedPiece {
  if (!compress || raw.length < compressedBytesMin) return { stored: raw, isCompressed: false };
  return shorter(raw, zstdCompressSync(raw, settings));
}

/**
 * Like `packPiece`, but compresses in a thread of the pool. Ownership: `raw` must not change until
 * the promise resolves.
 */
export async function packPieceInPool(raw: Uint8Array, compress: boolean): Promise<PackedPiece> {
  if (!compress) return { stored: raw, isCompressed: false };
  // All output goes into one buffer, because smaller buffers would have to be joined on this
  // thread.
  return shorter(raw, await zstdCompress(raw, { ...settings, chunkSize: raw.length }));
}

function shorter(raw: Uint8Array, packed: Uint8Array): PackedPiece {
  const pays = packed.length < raw.length * compressedShareMax;
  return pays ? { stored: packed, isCompressed: true } : { stored: raw, isCompressed: false };
}

/**
 * Returns the raw bytes of a stored piece.
 *
 * Errors: AppError 'data-loss', which names the offset, if the bytes differ from those that were
 * written.
 */
export function unpackPiece(stored: Uint8Array, piece: Piece, salt: number): Uint8Array {
  if (stored.length !== piece.storedBytes) throw damage(piece, 'the file ends early');
  if (crc32c(stored, 0, stored.length, salt) !== piece.crc) {
    throw damage(piece, 'the checksum is wrong');
  }
  if (!piece.isCompressed) return stored;
  let raw: Uint8Array;
  try {
    // One buffer holds all bytes. Its length can be trusted, because it comes from a table that a
    // checksum covers.
    const options = { chunkSize: Math.max(64, piece.rawBytes), maxOutputLength: piece.rawBytes };
    raw = zstdDecompressSync(stored, options);
  } catch {
    throw damage(piece, 'it does not decompress');
  }
  if (raw.length !== piece.rawBytes) throw damage(piece, 'it has another length');
  return raw;
}

function damage({ offset, storedBytes }: Piece, why: string): AppError {
  return new AppError('data-loss', `cannot read ${storedBytes} bytes at ${offset}: ${why}`);
}

/** Writes a list of pieces. Offsets are relative to the end of the previous piece. */
export function encodePieces(writer: ByteWriter, pieces: readonly Piece[]): void {
  writer.varint(pieces.length);
  let end = 0;
  for (const { offset, storedBytes, rawBytes, isCompressed, crc } of pieces) {
    writer.varintBig(BigInt(offset - end));
    writer.varint(storedBytes);
    writer.varint(isCompressed ? rawBytes + 1 : 0);
    writer.u32(crc);
    end = offset + storedBytes;
  }
}

/**
 * Reads a list of pieces, all of which must end before `fileBytes`. Errors: AppError 'data-loss'.
 */
export function decodePieces(reader: ByteReader, fileBytes: number): Piece[] {
  const count = reader.varint();
  const pieces: Piece[] = [];
  let end = 0;
  for (let i = 0; i < count; i += 1) {
    const offset = end + Number(reader.varintBig());
    const storedBytes = reader.varint();
    const raw = reader.varint();
    const crc = reader.u32();
    end = offset + storedBytes;
    if (offset < 0 || end > fileBytes) {
      throw new AppError('data-loss', `cannot read table of pieces: bad offset ${offset}`);
    }
    const isCompressed = raw > 0;
    const rawBytes = isCompressed ? raw - 1 : storedBytes;
    pieces.push({ offset, storedBytes, rawBytes, isCompressed, crc });
  }
  return pieces;
}
