// Hashes of the content of symbols. Every server computes the same hash for equal stacks.
import { hash } from 'node:crypto';
import { ByteWriter } from '../../base/bytes.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { StringIndex } from '../../model/rows.ts';
import { wordAt } from './hash-rows.ts';
import { hashBytes, writeBytes } from './row-bytes.ts';

/** Number of bytes at the start of a hash that make similar content sort together. */
const placeBytes = 4;
/** Number of outermost frames that determine each leading byte of the hash of a stack. */
const placeDepths = [2, 8, 16, 24];

const noHash = new Uint8Array(hashBytes);

/**
 * Hashes of the rows of one table. Each is computed only once. The hash of row 0, "none", is all
 * zeros.
 */
class HashColumn {
  #bytes = new Uint8Array(0);
  #isKnown = new Uint8Array(0);
  readonly #hashRow: (row: number) => Uint8Array;

  constructor(hashRow: (row: number) => Uint8Array) {
    this.#hashRow = hashRow;
  }

  /** Returns the hash of a row. Ownership: a view, valid until the next call. */
  of(row: number): Uint8Array {
    if (this.#isKnown[row] !== 1) this.#compute(row);
    return this.#bytes.subarray(row * hashBytes, (row + 1) * hashBytes);
  }

  /** Writes the hashes of the first `count` rows of a list. */
  write(writer: ByteWriter, rows: Uint32Array, count: number): void {
    writer.reserve(count * hashBytes);
    const { bytes } = writer;
    let at = writer.length;
    for (let i = 0; i < count; i += 1) {
      const row = rows[i];
      if (this.#isKnown[row] !== 1) this.#compute(row);
      const known = this.#bytes;
      const start = row * hashBytes;
      // For so few bytes, `set` would be slower than this loop.
      for (let byte = 0; byte < hashBytes; byte += 1) bytes[at + byte] = known[start + byte];
      at += hashBytes;
    }
    writer.length = at;
  }

  #compute(row: number): void {
    // Computing the hash may hash other rows, which may grow the columns.
    const digest = row === 0 ? noHash : this.#hashRow(row);
    this.#bytes = grown(this.#bytes, (row + 1) * hashBytes);
    this.#isKnown = grown(this.#isKnown, row + 1);
    this.#bytes.set(digest, row * hashBytes);
    this.#isKnown[row] = 1;
  }
}

/**
 * Hashes of the stacks, locations and sample label sets of a dictionary.
 *
 * The tables in ClickHouse are sorted by hash. The first four bytes of a stack's hash depend only
 * on its outermost frames, and the first bytes of a location's hash only on its binary, file and
 * function. This puts similar rows next to each other: they compress to a quarter of their size,
 * and are read together.
 */
export class SymbolHashes {
  readonly #dictionary: Dictionary;
  readonly #content = new ByteWriter();
  readonly #stackContent = new ByteWriter();
  readonly #locations = new HashColumn((row) => this.#locationHash(row));
  readonly #stacks = new HashColumn((row) => this.#stackHash(row));
  readonly #labels = new HashColumn((row) => contentHash(this.#labelsContent(row)));

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  /** Returns the hash of a location. Ownership: a view, valid until the next call. */
  location(row: number): Uint8Array {
    return this.#locations.of(row);
  }

  /** Returns the hash of a stack. Ownership: a view, valid until the next call. */
  stack(row: number): Uint8Array {
    return this.#stacks.of(row);
  }

  /** Writes the hashes of the first `count` stacks of a list. */
  writeStacks(writer: ByteWriter, rows: Uint32Array, count: number): void {
    this.#stacks.write(writer, rows, count);
  }

  /** Returns the 8-byte hash of a sample label set; all zeros for no labels. */
  sampleLabels(row: number): Uint8Array {
    return this.#labels.of(row).subarray(0, 8);
  }

  #stackHash(row: number): Uint8Array {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const writer = this.#stackContent;
    writer.length = 0;
    for (let node = leaf[row]; node !== 0; node = nodeParent[node]) {
      writer.raw(this.location(nodeLocation[node]));
    }
    const path = writer.bytes.subarray(0, writer.length);
    return contentHash(path, placeOfPath(path));
  }

  #locationHash(row: number): Uint8Array {
    const { locations, mappings, functions } = this.#dictionary;
    const writer = this.#content;
    writer.length = 0;
    const mapping = locations.mapping[row];
    writer.u32(locations.addressLow[row]);
    writer.u32(locations.addressHigh[row]);
    const { startLow, startHigh, limitLow, limitHigh, offsetLow, offsetHigh } = mappings;
    for (const column of [startLow, startHigh, limitLow, limitHigh, offsetLow, offsetHigh]) {
      writer.u32(column[mapping]);
    }
    this.#text(mappings.fileName[mapping]);
    this.#text(mappings.buildId[mapping]);
    for (let line = locations.lineStart[row]; line < locations.lineStart[row + 1]; line += 1) {
      const called = locations.lineFunction[line];
      writer.u32(locations.lineNumber[line]);
      writer.u32(locations.lineColumn[line]);
      writer.u32(functions.startLine[called]);
      this.#text(functions.name[called]);
      this.#text(functions.systemName[called]);
      this.#text(functions.fileName[called]);
    }
    return contentHash(writer.bytes.subarray(0, writer.length), this.#placeOfLocation(row));
  }

  #placeOfLocation(row: number): Uint8Array {
    const { locations, mappings, functions } = this.#dictionary;
    const mapping = locations.mapping[row];
    const binary = this.#textHash(mappings.fileName[mapping]);
    const place = new Uint8Array(placeBytes);
    place[0] = mixHash(binary, this.#textHash(mappings.buildId[mapping]));
    if (locations.lineStart[row] === locations.lineStart[row + 1]) {
      // Locations that are close in the table should have close addresses.
      const address = locations.addressLow[row];
      [place[1], place[2], place[3]] = [address >>> 24, address >>> 16, address >>> 8];
    } else {
      const called = locations.lineFunction[locations.lineStart[row]];
      place[1] = this.#textHash(functions.fileName[called]);
      const name = this.#textHash(functions.name[called]);
      [place[2], place[3]] = [name >>> 8, name];
    }
    return place;
  }

  /** Returns a number that is the same for equal strings, even in different dictionaries. */
  #textHash(row: number): number {
    let mixed = 0;
    for (const byte of this.#dictionary.strings.bytes(row as StringIndex)) {
      mixed = mixHash(mixed, byte);
    }
    return mixed;
  }

  #labelsContent(row: number): Uint8Array {
    const { entryStart, key, text, number, unit } = this.#dictionary.sampleLabels;
    const { strings } = this.#dictionary;
    const writer = this.#content;
    // Entries are sorted as strings, because the order of rows differs between servers.
    const entries: string[] = [];
    for (let i = entryStart[row]; i < entryStart[row + 1]; i += 1) {
      const texts = [key[i], text[i], unit[i]].map((one) => strings.text(one as StringIndex));
      entries.push(JSON.stringify([...texts, String(number[i])]));
    }
    writer.length = 0;
    for (const entry of entries.sort()) writer.text(entry);
    return writer.bytes.subarray(0, writer.length);
  }

  #text(row: number): void {
    writeBytes(this.#content, this.#dictionary.strings.bytes(row as StringIndex));
  }
}

/** Returns a number that identifies the profiles of one name, shape and label set. */
export function streamHash(shape: readonly string[], labels: LabelSet): bigint {
  const writer = new ByteWriter();
  writer.varint(shape.length);
  for (const text of shape) writer.text(text);
  for (const { name, value } of labels) {
    writer.text(name);
    writer.text(value);
  }
  const digest = contentHash(writer.bytes.subarray(0, writer.length));
  return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0, true);
}

/**
 * Returns the first bytes of the hash of a stack. `path` has the hashes of its locations, innermost
 * first.
 */
function placeOfPath(path: Uint8Array): Uint8Array {
  const place = new Uint8Array(placeBytes);
  let mixed = 0;
  let depth = 0;
  for (let at = path.length - hashBytes; at >= 0 && depth < placeDepths[3]; at -= hashBytes) {
    // The last bytes are used, because only these depend on all content of the location.
    mixed = mixHash(mixed, wordAt(path, at + 12));
    depth += 1;
    for (let i = 0; i < placeBytes; i += 1) if (depth <= placeDepths[i]) place[i] = mixed;
  }
  return place;
}

/** Returns the hash of the content, with its first bytes replaced with `place`. */
function contentHash(content: Uint8Array, place: Uint8Array = new Uint8Array(0)): Uint8Array {
  const digest = hash('sha256', content, 'buffer').subarray(0, hashBytes);
  digest.set(place);
  return digest;
}
