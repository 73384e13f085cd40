// Reads the pieces of a block file, and checks each piece before it is used.
import { AppError } from '../../base/errors.ts';
import type { Pacer } from '../../base/pacer.ts';
import {
  decodeFooter,
  footerBytes,
  idSalt,
  type BlockFacts,
  type BlockTables,
} from './block-facts.ts';
import { unpackPiece, type Piece } from './bytes/piece.ts';

/** The file of a block, either on the disk or as an object of a bucket. */
export interface ReadableFile {
  /** Reads like File.read; `signal` ends a read of a bucket. */
  read(into: Uint8Array, offset: number, signal?: AbortSignal): Promise<number>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** Number of bytes at the end of the file that are read first. Most footers are shorter. */
const footerGuessBytes = 2048;
/**
 * Largest piece that counts as small. A small piece is read together with the pieces after it, if
 * it follows the piece that was read before.
 */
const smallPieceBytes = 4096;
/** Number of bytes that are read in one call. */
const stretchBytes = 64 * 1024;
/**
 * Largest gap between two pieces at which the second still "follows" the first: label values are
 * between postings.
 */
const gapBytesMax = 4096;

/** Consecutive bytes of the file, starting at an offset. */
interface Stretch {
  readonly from: number;
  readonly bytes: Uint8Array;
}

export class BlockFile {
  readonly facts: BlockFacts;
  readonly tables: BlockTables;
  readonly fileBytes: number;
  readonly #file: ReadableFile;
  readonly #salt: number;
  /**
   * Bytes that were last read for small pieces. The reference is weak, because there may be
   * thousands of blocks with such bytes.
   */
  #stretch: WeakRef<Stretch> | undefined;
  /** End of the small piece that was last read. */
  #lastEnd = -1;

  private constructor(file: ReadableFile, fileBytes: number, footer: Uint8Array) {
    const { facts, tables } = decodeFooter(footer, fileBytes);
    this.#file = file;
    this.fileBytes = fileBytes;
    this.facts = facts;
    this.tables = tables;
    this.#salt = idSalt(facts.id);
  }

  /**
   * Reads the footer.
   *
   * Errors: AppError 'data-loss' when the file is not a complete block; 'failed-precondition' when
   * a newer program wrote it; errors of the file.
   */
  static async open(file: ReadableFile): Promise<BlockFile> {
    const size = await file.size();
    const end = await readAt(file, Math.max(0, size - footerGuessBytes), size);
    const length = footerBytes(end, size);
    if (length <= end.length) {
      return new BlockFile(file, size, end.subarray(end.length - length));
    }
    return new BlockFile(file, size, await readAt(file, size - length, size));
  }

  /** Reads the raw bytes of a piece. Errors: AppError 'data-loss'; errors of the file. */
  async readPiece(piece: Piece, signal?: AbortSignal): Promise<Uint8Array> {
    const { offset, storedBytes } = piece;
    const end = offset + storedBytes;
    const stored =
      (storedBytes <= smallPieceBytes ? await this.#readSmall(offset, end, signal) : undefined) ??
      (await readAt(this.#file, offset, end, signal));
    return unpackPiece(stored, piece, this.#salt);
  }

  /**
   * Reads a small piece. If the piece follows the previous piece, the pieces after it are read at
   * the same time, because a block has two pieces for each label name. Returns undefined if that
   * fails or would not help.
   */
  async #readSmall(
    offset: number,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined> {
    const follows = offset >= this.#lastEnd && offset - this.#lastEnd <= gapBytesMax;
    this.#lastEnd = end;
    const known = this.#stretch?.deref();
    if (known !== undefined && offset >= known.from && end <= known.from + known.bytes.length) {
      return known.bytes.slice(offset - known.from, end - known.from);
    }
    if (!follows) return undefined;
    try {
      const to = Math.min(this.fileBytes, offset + stretchBytes);
      const bytes = await readAt(this.#file, offset, to, signal);
      this.#stretch = new WeakRef({ from: offset, bytes });
      return bytes.slice(0, end - offset);
    } catch {
      signal?.throwIfAborted();
      // The bytes after the piece may be damaged even though the piece is intact.
      return undefined;
    }
  }

  /** Reads the raw bytes of several pieces, one by one. */
  async readPieces(
    pieces: readonly Piece[],
    pacer?: Pick<Pacer, 'pause'>,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (pieces.length === 1) return this.readPiece(pieces[0], signal);
    const whole = new Uint8Array(pieces.reduce((sum, { rawBytes }) => sum + rawBytes, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(await this.readPiece(piece, signal), at);
      at += piece.rawBytes;
      // A piece takes a millisecond or two to decompress.
      await pacer?.pause();
    }
    return whole;
  }

  /** Reads bytes as they are stored, for verification. */
  readBytes(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    return readAt(this.#file, from, to, signal);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function readAt(
  file: ReadableFile,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  const count = await file.read(bytes, from, signal);
  if (count !== bytes.length) {
    throw new AppError('data-loss', `cannot read ${to - from} bytes at ${from}: file ends early`);
  }
  return bytes;
}
