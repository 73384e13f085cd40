// Hashes of the content of symbols: every server computes the same for equal stacks.
import { hash } from 'node:crypto';
import { ByteWriter } from '../../base/bytes.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { StringIndex } from '../../model/rows.ts';
import { hashBytes, writeBytes } from './row-bytes.ts';

/** Hashes of one table's rows, computed once each. Row 0 is "none": zeros. */
class HashColumn {
  #bytes = new Uint8Array(0);
  #isKnown = new Uint8Array(0);
  readonly #contentOf: (row: number) => Uint8Array;

  constructor(contentOf: (row: number) => Uint8Array) {
    this.#contentOf = contentOf;
  }

  /** Returns the hash of a row: a view, valid until the next call. */
  of(row: number): Uint8Array {
    const start = row * hashBytes;
    this.#bytes = grown(this.#bytes, start + hashBytes);
    this.#isKnown = grown(this.#isKnown, row + 1);
    if (row !== 0 && this.#isKnown[row] === 0) {
      // The content may need other rows, which may grow the columns.
      const digest = contentHash(this.#contentOf(row));
      this.#bytes.set(digest, start);
      this.#isKnown[row] = 1;
    }
    return this.#bytes.subarray(start, start + hashBytes);
  }
}

/** Hashes of the stacks and locations of a dictionary, and of its sets of sample labels. */
export class SymbolHashes {
  readonly #dictionary: Dictionary;
  readonly #content = new ByteWriter();
  readonly #stackContent = new ByteWriter();
  readonly #locations = new HashColumn((row) => this.#locationContent(row));
  readonly #stacks = new HashColumn((row) => this.#stackLocations(row));
  readonly #labels = new HashColumn((row) => this.#labelsContent(row));

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

  /** Returns the hash of a set of sample labels in 8 bytes; zeros for no labels. */
  sampleLabels(row: number): Uint8Array {
    return this.#labels.of(row).subarray(0, 8);
  }

  #stackLocations(row: number): Uint8Array {
    const { leaf, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const writer = this.#stackContent;
    writer.length = 0;
    for (let node = leaf[row]; node !== 0; node = nodeParent[node]) {
      writer.raw(this.location(nodeLocation[node]));
    }
    return writer.bytes.subarray(0, writer.length);
  }

  #locationContent(row: number): Uint8Array {
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
    return writer.bytes.subarray(0, writer.length);
  }

  #labelsContent(row: number): Uint8Array {
    const { entryStart, key, text, number, unit } = this.#dictionary.sampleLabels;
    const { strings } = this.#dictionary;
    const writer = this.#content;
    // Entries are sorted by rows of this dictionary, which other servers number differently.
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

/** Returns a number that identifies profiles of one name, shape and label set. */
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

function contentHash(content: Uint8Array): Uint8Array {
  return hash('sha256', content, 'buffer').subarray(0, hashBytes);
}
