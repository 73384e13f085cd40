// Collects sections of many chunks to frames, and appends pieces to the file of a block.
import type { ByteWriter } from '../../base/bytes.ts';
import { crc32c } from '../../base/crc32c.ts';
import type { File } from '../../base/files.ts';
import { blockFrameBytes, blockPieceBytes } from '../../base/limits.ts';
import { grown } from '../../model/column.ts';
import type { SectionPlace } from './chunk-entry.ts';
import { encodePieces, packPiece, type Piece } from './piece.ts';

/** Appends to a file; knows how long it is. */
export class PieceWriter {
  /** Bytes in the file. */
  length = 0;
  readonly #file: File;
  readonly #salt: number;
  readonly #pause: () => Promise<void>;

  /** `salt`: what checksums of pieces start from. `pause`: awaited between pieces. */
  constructor(file: File, salt: number, pause: () => Promise<void>) {
    this.#file = file;
    this.#salt = salt;
    this.#pause = pause;
  }

  /** Appends bytes as they are. */
  async writePlain(bytes: Uint8Array): Promise<void> {
    await this.#file.append(bytes);
    this.length += bytes.length;
  }

  /** Appends a piece. */
  async write(raw: Uint8Array, compress: boolean): Promise<Piece> {
    const { stored, isCompressed } = packPiece(raw, compress);
    const crc = crc32c(stored, 0, stored.length, this.#salt);
    const offset = this.length;
    await this.writePlain(stored);
    return { offset, storedBytes: stored.length, rawBytes: raw.length, isCompressed, crc };
  }

  /** Appends a piece, compressed if that pays. */
  writeOne(raw: Uint8Array): Promise<Piece> {
    return this.write(raw, true);
  }

  /** Appends pieces of up to blockPieceBytes, compressed if that pays; none for no bytes. */
  async writeMany(raw: Uint8Array): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for (let at = 0; at < raw.length; at += blockPieceBytes) {
      pieces.push(await this.write(raw.subarray(at, at + blockPieceBytes), true));
      await this.#pause();
    }
    return pieces;
  }
}

/** Frames of one kind of section. A section lies in one frame. */
export class FrameWriter {
  readonly frames: Piece[] = [];
  readonly #pieces: PieceWriter;
  readonly #isCompressed: boolean;
  #buffer = new Uint8Array(1 << 14);
  #length = 0;

  constructor(pieces: PieceWriter, isCompressed: boolean) {
    this.#pieces = pieces;
    this.#isCompressed = isCompressed;
  }

  /** Whether a section of so many bytes would make the frame much larger than it is to be. */
  isTooFullFor(bytes: number): boolean {
    return this.#length > 0 && this.#length + bytes > 2 * blockFrameBytes;
  }

  /** Adds a section to the frame that is being filled. */
  add(section: Uint8Array): SectionPlace {
    const offset = this.#length;
    this.#buffer = grown(this.#buffer, offset + section.length);
    this.#buffer.set(section, offset);
    this.#length += section.length;
    return { frame: this.frames.length, offset, length: section.length };
  }

  /** Whether the frame is to be written before more is added. */
  get isFull(): boolean {
    return this.#length >= blockFrameBytes;
  }

  /** Writes the frame that is being filled. */
  async flush(): Promise<void> {
    if (this.#length === 0) return;
    const raw = this.#buffer.subarray(0, this.#length);
    this.frames.push(await this.#pieces.write(raw, this.#isCompressed));
    this.#length = 0;
  }

  encode(writer: ByteWriter): void {
    encodePieces(writer, this.frames);
  }
}
