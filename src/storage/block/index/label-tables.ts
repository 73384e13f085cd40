// The labels of a block by name. They are kept as columns, because a block may have a million
// names.
import type { ByteReader } from '../../../base/bytes.ts';
import { AppError } from '../../../base/errors.ts';
import type { Steps } from '../../../base/pacer.ts';
import { grown } from '../../../model/column.ts';
import { compareTexts } from './compare-keys.ts';
import type { Piece } from '../bytes/piece.ts';

/** Number of labels that are decoded between two pauses. This takes about a millisecond. */
const labelsPerStep = 1024;
/** Approximate memory of a name, in bytes. */
const nameBytes = 48;

/**
 * Labels in the order of their names.
 *
 * Layout: `#starts` has two elements for each label: its first piece of values and its first piece
 * of postings. The other columns have the fields of each piece.
 */
export class LabelTables {
  readonly #names: string[] = [];
  #valueCounts = new Uint32Array(16);
  #starts = new Uint32Array(32);
  #pieceCount = 0;
  #offsets = new Float64Array(32);
  #storedBytes = new Uint32Array(32);
  /** Number of raw bytes plus 1 if a piece is compressed; otherwise 0. */
  #rawBytes = new Uint32Array(32);
  #crcs = new Uint32Array(32);

  /** Reads `count` labels in steps. Errors: AppError 'data-loss'. */
  static *read(reader: ByteReader, count: number, fileBytes: number): Steps<LabelTables> {
    const tables = new LabelTables();
    for (let label = 0; label < count; label += 1) {
      tables.#add(reader, fileBytes);
      if (label % labelsPerStep === labelsPerStep - 1) yield;
    }
    return tables;
  }

  get length(): number {
    return this.#names.length;
  }

  /** Names, ascending. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Approximate memory, in bytes. */
  get byteLength(): number {
    return this.length * (nameBytes + 12) + this.#pieceCount * 20;
  }

  valueCount(label: number): number {
    return this.#valueCounts[label];
  }

  /** Returns the pieces with the values of a label, ascending; see text-column.ts. */
  values(label: number): Piece[] {
    return this.#pieces(this.#starts[2 * label], this.#starts[2 * label + 1]);
  }

  /** Returns the pieces with the postings of a label's values. */
  postings(label: number): Piece[] {
    return this.#pieces(this.#starts[2 * label + 1], this.#starts[2 * label + 2]);
  }

  /** Returns the index of the label with the given name; -1 if there is none. */
  find(name: string): number {
    const names = this.#names;
    let low = 0;
    let high = names.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareTexts(names[middle], name) < 0) low = middle + 1;
      else high = middle;
    }
    return names[low] === name ? low : -1;
  }

  #add(reader: ByteReader, fileBytes: number): void {
    const label = this.#names.push(reader.text()) - 1;
    this.#valueCounts = grown(this.#valueCounts, label + 1);
    this.#valueCounts[label] = reader.varint();
    this.#starts = grown(this.#starts, 2 * label + 3);
    this.#addPieces(reader, fileBytes);
    this.#starts[2 * label + 1] = this.#pieceCount;
    this.#addPieces(reader, fileBytes);
    this.#starts[2 * label + 2] = this.#pieceCount;
  }

  /** Reads a list that `encodePieces` wrote. */
  #addPieces(reader: ByteReader, fileBytes: number): void {
    const end = this.#pieceCount + reader.varint();
    let at = 0;
    for (let piece = this.#pieceCount; piece < end; piece += 1) {
      this.#offsets = grown(this.#offsets, piece + 1);
      this.#storedBytes = grown(this.#storedBytes, piece + 1);
      this.#rawBytes = grown(this.#rawBytes, piece + 1);
      this.#crcs = grown(this.#crcs, piece + 1);
      const offset = at + Number(reader.varintBig());
      const storedBytes = reader.varint();
      this.#offsets[piece] = offset;
      this.#storedBytes[piece] = storedBytes;
      this.#rawBytes[piece] = reader.varint();
      this.#crcs[piece] = reader.u32();
      at = offset + storedBytes;
      if (offset < 0 || at > fileBytes) {
        throw new AppError('data-loss', `cannot read table of pieces: bad offset ${offset}`);
      }
    }
    this.#pieceCount = end;
  }

  #pieces(first: number, end: number): Piece[] {
    const pieces: Piece[] = [];
    for (let i = first; i < end; i += 1) {
      const storedBytes = this.#storedBytes[i];
      const isCompressed = this.#rawBytes[i] > 0;
      const rawBytes = isCompressed ? this.#rawBytes[i] - 1 : storedBytes;
      const crc = this.#crcs[i];
      pieces.push({ offset: this.#offsets[i], storedBytes, rawBytes, isCompressed, crc });
    }
    return pieces;
  }
}
