// Reads the pieces of a block file, and checks each piece before it is used.
import { AppError } from '../../base/errors.ts';
import type { File } from '../../base/files.ts';
import {
  decodeFooter,
  footerBytes,
  saltOf,
  type BlockFacts,
  type BlockTables,
} from './block-facts.ts';
import { unpackPiece, type Piece } from './piece.ts';

/** A file that a block is read from: on the disk, or an object of a bucket. */
export type ReadableFile = Pick<File, 'read' | 'size' | 'close'>;

/** Number of bytes that are read first. Most footers are shorter. */
const footerGuessBytes = 2048;

export class BlockFile {
  readonly facts: BlockFacts;
  readonly tables: BlockTables;
  readonly fileBytes: number;
  readonly #file: ReadableFile;
  readonly #salt: number;

  private constructor(file: ReadableFile, fileBytes: number, footer: Uint8Array) {
    const { facts, tables } = decodeFooter(footer, fileBytes);
    this.#file = file;
    this.fileBytes = fileBytes;
    this.facts = facts;
    this.tables = tables;
    this.#salt = saltOf(facts.id);
  }

  /**
   * Reads the footer.
   *
   * Errors: AppError 'data-loss' when the file is not a whole block; 'failed-precondition' when a
   * newer program wrote it; errors of the file.
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
  async readPiece(piece: Piece): Promise<Uint8Array> {
    const { offset, storedBytes } = piece;
    return unpackPiece(await readAt(this.#file, offset, offset + storedBytes), piece, this.#salt);
  }

  /** Reads the raw bytes of several pieces, one after the other. */
  async readPieces(pieces: readonly Piece[]): Promise<Uint8Array> {
    if (pieces.length === 1) return this.readPiece(pieces[0]);
    const whole = new Uint8Array(pieces.reduce((sum, { rawBytes }) => sum + rawBytes, 0));
    let at = 0;
    for (const piece of pieces) {
      whole.set(await this.readPiece(piece), at);
      at += piece.rawBytes;
    }
    return whole;
  }

  /** Reads stored bytes, for verification. */
  readBytes(from: number, to: number): Promise<Uint8Array> {
    return readAt(this.#file, from, to);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function readAt(file: ReadableFile, from: number, to: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(to - from);
  const count = await file.read(bytes, from);
  if (count !== bytes.length) {
    throw new AppError('data-loss', `cannot read ${to - from} bytes at ${from}: file ends early`);
  }
  return bytes;
}
