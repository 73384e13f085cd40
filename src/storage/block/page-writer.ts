// Appends pieces to the file of a block, and collects sections of chunks into pages.
import type { ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import type { File } from '../../base/files.ts';
import { blockPageBytes, blockPieceBytes } from '../limits.ts';
import { grown } from '../../model/column.ts';
import type { SectionPlace } from './index/chunk-entry.ts';
import { encodePieces, packPiece, packPieceInPool, type Piece } from './bytes/piece.ts';

/** Maximum number of bytes that are collected before they are written to the file. */
const collectedBytesMax = 128 * 1024;
/**
 * Number of bytes that are compressed and checksummed between two pauses. This takes a few
 * milliseconds.
 */
const packedAtOnceBytes = 1 << 20;

/**
 * Appends pieces to a file. Small pieces are written together: a block has two pieces for each
 * label name, and one write takes as long as packing a hundred small pieces.
 */
export class PieceWriter {
  /** Number of bytes in the file, including those that are collected but not yet written. */
  length = 0;
  readonly #file: File;
  readonly #salt: number;
  readonly #pause: () => Promise<void>;
  #collected = new Uint8Array(0);
  #collectedBytes = 0;

  /**
   * Creates a writer. `salt` is the start value of checksums; `pause` is awaited between pieces.
   */
  constructor(file: File, salt: number, pause: () => Promise<void>) {
    this.#file = file;
    this.#salt = salt;
    this.#pause = pause;
  }

  /**
   * Appends bytes without a checksum or compression. Ownership: they must not change until the
   * promise resolves.
   */
  async writePlain(bytes: Uint8Array): Promise<void> {
    if (this.#collectedBytes + bytes.length > collectedBytesMax) await this.flush();
    this.length += bytes.length;
    if (bytes.length > collectedBytesMax) {
      await this.#file.append(bytes);
      return;
    }
    if (this.#collected.length === 0) this.#collected = new Uint8Array(collectedBytesMax);
    this.#collected.set(bytes, this.#collectedBytes);
    this.#collectedBytes += bytes.length;
  }

  /** Writes the collected pieces. Must be called before the file is made durable. */
  async flush(): Promise<void> {
    if (this.#collectedBytes === 0) return;
    await this.#file.append(this.#collected.subarray(0, this.#collectedBytes));
    this.#collectedBytes = 0;
  }

  /** Appends a piece. Ownership: the bytes must not change until the promise resolves. */
  async write(raw: Uint8Array, compress: boolean): Promise<Piece> {
    const { stored, isCompressed } =
      raw.length > packedAtOnceBytes
        ? await packPieceInPool(raw, compress)
        : packPiece(raw, compress);
    let crc = this.#salt;
    for (let at = 0; at < stored.length; at += packedAtOnceBytes) {
      if (at > 0) await this.#pause();
      crc = crc32c(stored, at, Math.min(at + packedAtOnceBytes, stored.length), crc);
    }
    const offset = this.length;
    await this.writePlain(stored);
    return { offset, storedBytes: stored.length, rawBytes: raw.length, isCompressed, crc };
  }

  /** Appends a piece, compressed if that saves space. */
  writeOne(raw: Uint8Array): Promise<Piece> {
    return this.write(raw, true);
  }

  /**
   * Appends `raw` as pieces of up to blockPieceBytes, compressed if that saves space; appends none
   * if `raw` is empty.
   */
  async writeMany(raw: Uint8Array): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for (let at = 0; at < raw.length; at += blockPieceBytes) {
      pieces.push(await this.write(raw.subarray(at, at + blockPieceBytes), true));
      await this.#pause();
    }
    return pieces;
  }
}

/** Collects the pages for one type of section. A section is never split. */
export class PageWriter {
  readonly pages: Piece[] = [];
  readonly #pieces: PieceWriter;
  readonly #isCompressed: boolean;
  #buffer = new Uint8Array(1 << 14);
  #length = 0;

  constructor(pieces: PieceWriter, isCompressed: boolean) {
    this.#pieces = pieces;
    this.#isCompressed = isCompressed;
  }

  /** Returns true if a section of `bytes` bytes would make the page much too large. */
  isTooFullFor(bytes: number): boolean {
    return this.#length > 0 && this.#length + bytes > 2 * blockPageBytes;
  }

  /** Adds a section to the current page. */
  add(section: Uint8Array): SectionPlace {
    const offset = this.#length;
    this.#buffer = grown(this.#buffer, offset + section.length);
    this.#buffer.set(section, offset);
    this.#length += section.length;
    return { page: this.pages.length, offset, length: section.length };
  }

  /** True if the current page should be written before the next section. */
  get isFull(): boolean {
    return this.#length >= blockPageBytes;
  }

  /** Writes the current page. */
  async flush(): Promise<void> {
    if (this.#length === 0) return;
    const raw = this.#buffer.subarray(0, this.#length);
    this.pages.push(await this.#pieces.write(raw, this.#isCompressed));
    this.#length = 0;
  }

  encode(writer: ByteWriter): void {
    encodePieces(writer, this.pages);
  }
}
