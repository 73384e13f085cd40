// The symbols that this server has read from ClickHouse, as rows of one dictionary.
import { ByteReader } from '../../base/bytes.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { LocationIndex, MappingIndex } from '../../model/rows.ts';
import type { ReadContext } from '../interface.ts';
import { type HashList, HashRows, unknownHashes, wordAt } from './hash-rows.ts';
import { hashBytes, hashDigits, readInts, readTexts } from './row-bytes.ts';
import type { ClickHouseServers } from './server.ts';
import { locationsStatement, stacksStatement } from './statements.ts';

/** Number of symbols that one statement requests. */
const symbolsPerStatement = 20_000;

/** Finds the rows of stacks by hash, and reads the stacks that it does not have yet. */
export class KnownSymbols {
  readonly dictionary: Dictionary;
  readonly #servers: ClickHouseServers;
  readonly #stacks = new HashRows();
  readonly #locations = new HashRows();

  constructor(servers: ClickHouseServers, dictionary: Dictionary) {
    this.#servers = servers;
    this.dictionary = dictionary;
  }

  /**
   * Reads the stacks that are not known yet. Returns how many of these stacks ClickHouse does not
   * have. For such stacks, `row` returns a stack without frames.
   */
  async read(hashes: HashList, context: ReadContext): Promise<number> {
    const unknown = unknownHashes(hashes, this.#stacks);
    for (const digits of splitHashes(unknown)) {
      const rows = await this.#servers.ask(stacksStatement(digits), context);
      const reader = new ByteReader(rows);
      const starts: number[] = [];
      const places: number[] = [];
      while (reader.at < reader.end) {
        starts.push(reader.skip(hashBytes));
        places.push(...readPlaces(reader));
      }
      await this.#readLocations({ bytes: rows, places }, context);
      for (const start of starts) this.#addStack(rows, start);
    }
    const lost = unknownHashes(unknown, this.#stacks);
    return lost.places.length;
  }

  /** Returns true if the stack is known or has no frames. */
  has(bytes: Uint8Array, at: number): boolean {
    return this.#stacks.has(bytes, at);
  }

  /** Returns the row of a stack that was read. */
  row(bytes: Uint8Array, at: number): number {
    return this.#stacks.find(bytes, at);
  }

  async #readLocations(hashes: HashList, context: ReadContext): Promise<void> {
    for (const digits of splitHashes(unknownHashes(hashes, this.#locations))) {
      const rows = await this.#servers.ask(locationsStatement(digits), context);
      const reader = new ByteReader(rows);
      while (reader.at < reader.end) this.#readLocation(reader);
    }
  }

  #addStack(rows: Uint8Array, start: number): void {
    // Another query may have read the stack in the meantime.
    if (this.#stacks.has(rows, start)) return;
    const { stacks } = this.dictionary;
    const places = readPlaces(new ByteReader(rows, start + hashBytes));
    const path = Array.from(places, (at) => this.#locations.find(rows, at));
    const row = stacks.add(wordAt(rows, start + 8), wordAt(rows, start + 12), path);
    this.#stacks.add(rows, start, row);
  }

  #readLocation(reader: ByteReader): void {
    const { locations, mappings, functions, strings } = this.dictionary;
    const start = reader.skip(hashBytes);
    const [addressLow, addressHigh] = [reader.u32(), reader.u32()];
    const bounds = Array.from({ length: 6 }, () => reader.u32());
    const [fileName, buildId] = [reader.text(), reader.text()];
    const [lineNumbers, lineColumns] = [readInts(reader), readInts(reader)];
    const [names, systemNames] = [readTexts(reader), readTexts(reader)];
    const [fileNames, startLines] = [readTexts(reader), readInts(reader)];
    if (this.#locations.has(reader.bytes, start)) return;
    const mapping = isNoMapping(bounds, fileName, buildId)
      ? (0 as MappingIndex)
      : mappings.intern(
          ...(bounds as [number, number, number, number, number, number]),
          strings.internText(fileName),
          strings.internText(buildId),
        );
    // In locations without lines, linesHash is 0, as in the dictionaries of ingest.
    let linesHash = names.length === 0 ? 0 : wordAt(reader.bytes, start + 12);
    while (locations.find(mapping, addressLow, addressHigh, linesHash) !== 0) {
      linesHash = mixHash(linesHash, 1);
    }
    const row: LocationIndex = locations.add(mapping, addressLow, addressHigh, linesHash);
    names.forEach((name, i) => {
      const called = functions.intern(
        strings.internText(name),
        strings.internText(systemNames[i]),
        strings.internText(fileNames[i]),
        startLines[i],
      );
      locations.addLine(called, lineNumbers[i], lineColumns[i]);
    });
    this.#locations.add(reader.bytes, start, row);
  }
}

/** Reads an array of hashes; returns the offset of each. */
export function readPlaces(reader: ByteReader): number[] {
  const length = reader.varint();
  const first = reader.skip(length * hashBytes);
  return Array.from({ length }, (_, i) => first + i * hashBytes);
}

function isNoMapping(bounds: readonly number[], fileName: string, buildId: string): boolean {
  return fileName === '' && buildId === '' && bounds.every((word) => word === 0);
}

/** Yields the hashes in hexadecimal, in batches for one statement each. */
function* splitHashes({ bytes, places }: HashList): Generator<readonly string[]> {
  for (let first = 0; first < places.length; first += symbolsPerStatement) {
    const length = Math.min(symbolsPerStatement, places.length - first);
    yield Array.from({ length }, (_, i) => hashDigits(bytes, places[first + i]));
  }
}
