// Symbols of the store that this server has read, as rows of one dictionary.
import { ByteReader } from '../../base/bytes.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { LocationIndex, MappingIndex } from '../../model/rows.ts';
import type { ReadContext } from '../interface.ts';
import { hashDigits, readArray, readHash, readInts, readTexts } from './row-bytes.ts';
import type { ClickHouseServers } from './server.ts';
import { locationsStatement, stacksStatement } from './statements.ts';

/** Number of symbols that one statement asks for. */
const symbolsPerStatement = 20_000;

/** Finds the rows of stacks by their hashes, and reads those that it does not know. */
export class KnownSymbols {
  readonly dictionary: Dictionary;
  readonly #servers: ClickHouseServers;
  readonly #stacks = new Map<string, number>();
  readonly #locations = new Map<string, LocationIndex>();

  constructor(servers: ClickHouseServers, dictionary: Dictionary) {
    this.#servers = servers;
    this.dictionary = dictionary;
  }

  /**
   * Reads the stacks that are not known yet. Returns the number of those that the store does not
   * have; `row` returns a stack without frames for them.
   */
  async read(keys: Iterable<string>, context: ReadContext): Promise<number> {
    const unknown = [...new Set(keys)].filter((key) => !this.#stacks.has(key) && key !== noStack);
    const stacks: (readonly [key: string, locations: readonly string[]])[] = [];
    for (const digits of slicesOf(unknown)) {
      const reader = new ByteReader(await this.#servers.ask(stacksStatement(digits), context));
      while (reader.at < reader.end) {
        stacks.push([readHash(reader), readArray(reader, () => readHash(reader))]);
      }
    }
    const locations = new Set(stacks.flatMap(([, path]) => path));
    await this.#readLocations(
      [...locations].filter((key) => !this.#locations.has(key)),
      context,
    );
    for (const [key, path] of stacks) this.#addStack(key, path);
    return unknown.filter((key) => !this.#stacks.has(key)).length;
  }

  /** Returns the row of a stack that was read. */
  row(key: string): number {
    return this.#stacks.get(key) ?? 0;
  }

  async #readLocations(keys: readonly string[], context: ReadContext): Promise<void> {
    for (const digits of slicesOf(keys)) {
      const reader = new ByteReader(await this.#servers.ask(locationsStatement(digits), context));
      while (reader.at < reader.end) {
        const key = readHash(reader);
        this.#locations.set(key, this.#addLocation(key, reader));
      }
    }
  }

  #addStack(key: string, path: readonly string[]): void {
    // Another question may have read it meanwhile.
    if (this.#stacks.has(key)) return;
    const { stacks } = this.dictionary;
    const locations = path.map((location) => this.#locations.get(location) ?? 0);
    this.#stacks.set(key, stacks.add(wordOf(key, 0), wordOf(key, 4), locations));
  }

  #addLocation(key: string, reader: ByteReader): LocationIndex {
    const { locations, mappings, functions, strings } = this.dictionary;
    const [addressLow, addressHigh] = [reader.u32(), reader.u32()];
    const bounds = Array.from({ length: 6 }, () => reader.u32());
    const [fileName, buildId] = [reader.text(), reader.text()];
    const [lineNumbers, lineColumns] = [readInts(reader), readInts(reader)];
    const [names, systemNames] = [readTexts(reader), readTexts(reader)];
    const [fileNames, startLines] = [readTexts(reader), readInts(reader)];
    const known = this.#locations.get(key);
    if (known !== undefined) return known;
    const mapping = isNone(bounds, fileName, buildId)
      ? (0 as MappingIndex)
      : mappings.intern(
          ...(bounds as [number, number, number, number, number, number]),
          strings.internText(fileName),
          strings.internText(buildId),
        );
    // Locations without lines have the hash 0, here as in the dictionaries of ingest.
    let linesHash = names.length === 0 ? 0 : wordOf(key, 0);
    while (locations.find(mapping, addressLow, addressHigh, linesHash) !== 0) {
      linesHash = mixHash(linesHash, 1);
    }
    const row = locations.add(mapping, addressLow, addressHigh, linesHash);
    names.forEach((name, i) => {
      const called = functions.intern(
        strings.internText(name),
        strings.internText(systemNames[i]),
        strings.internText(fileNames[i]),
        startLines[i],
      );
      locations.addLine(called, lineNumbers[i], lineColumns[i]);
    });
    return row;
  }
}

/** Key of the stack without frames, which is row 0 everywhere. */
export const noStack = '\0'.repeat(16);

function isNone(bounds: readonly number[], fileName: string, buildId: string): boolean {
  return fileName === '' && buildId === '' && bounds.every((word) => word === 0);
}

/** Returns four bytes of a key as a word. */
function wordOf(key: string, at: number): number {
  let word = 0;
  for (let i = at + 3; i >= at; i -= 1) word = (word << 8) | key.charCodeAt(i);
  return word;
}

/** Yields the keys in digits, as many as one statement takes. */
function* slicesOf(keys: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < keys.length; at += symbolsPerStatement) {
    yield keys.slice(at, at + symbolsPerStatement).map(hashDigits);
  }
}
