// Translates strings, functions and mappings of one dictionary to equal rows of another dictionary.
import { grown } from '../column.ts';
import { hashFile, hashFunction } from '../content-hash.ts';
import type { Dictionary } from '../dictionary.ts';
import type { FunctionIndex, MappingIndex, StringIndex } from '../rows.ts';

const encoder = new TextEncoder();
const wordValues = 0x1_0000_0000;

/**
 * Finds or adds the rows of `to` that are equal to rows of `from`. Each row is translated on
 * demand, and only once.
 */
export class SymbolTranslator {
  readonly #from: Dictionary;
  readonly #to: Dictionary;
  // Rows of `to` by row of `from`; 0 = not translated yet. Row 0 means "none" in both dictionaries.
  #strings = new Int32Array(0);
  #functions = new Int32Array(0);
  #mappings = new Int32Array(0);
  /** Hashes by function of `from`; 0 = not computed yet. */
  #functionHashes = new Int32Array(0);

  constructor(from: Dictionary, to: Dictionary) {
    this.#from = from;
    this.#to = to;
  }

  mapping(row: number): MappingIndex {
    const known = this.#mappings[row];
    if (known > 0 || row === 0) return (row === 0 ? 0 : known) as MappingIndex;
    this.#mappings = grown(this.#mappings, row + 1);
    const { mappings } = this.#from;
    const added = this.#to.mappings.intern(
      mappings.startLow[row],
      mappings.startHigh[row],
      mappings.limitLow[row],
      mappings.limitHigh[row],
      mappings.offsetLow[row],
      mappings.offsetHigh[row],
      this.string(mappings.fileName[row]),
      this.string(mappings.buildId[row]),
    );
    this.#mappings[row] = added;
    return added;
  }

  /**
   * Returns the mapping of `to` that equals a mapping of `from`, except that start and limit are
   * lower by `bias`.
   */
  movedMapping(row: number, bias: number): MappingIndex {
    const { mappings } = this.#from;
    const { startLow, startHigh, limitLow, limitHigh } = mappings;
    const start = startHigh[row] * wordValues + startLow[row] - bias;
    const limit = limitHigh[row] * wordValues + limitLow[row] - bias;
    return this.#to.mappings.intern(
      start % wordValues,
      Math.floor(start / wordValues),
      limit % wordValues,
      Math.floor(limit / wordValues),
      mappings.offsetLow[row],
      mappings.offsetHigh[row],
      this.string(mappings.fileName[row]),
      this.string(mappings.buildId[row]),
    );
  }

  function(row: number): FunctionIndex {
    const known = this.#functions[row];
    if (known > 0 || row === 0) return (row === 0 ? 0 : known) as FunctionIndex;
    this.#functions = grown(this.#functions, row + 1);
    const { name, systemName, fileName, startLine } = this.#from.functions;
    const added = this.#to.functions.intern(
      this.string(name[row]),
      this.string(systemName[row]),
      this.string(fileName[row]),
      startLine[row],
    );
    this.#functions[row] = added;
    return added;
  }

  /** Returns the hash of a function's content, computed with the seed of `to`. */
  functionHash(row: number): number {
    if (row === 0) return 0;
    const known = this.#functionHashes[row];
    if (known !== undefined && known !== 0) return known;
    this.#functionHashes = grown(this.#functionHashes, row + 1);
    const { name, systemName, fileName, startLine } = this.#from.functions;
    const file = this.#from.strings.bytes(fileName[row] as StringIndex);
    return (this.#functionHashes[row] = hashFunction(
      this.#stringHash(name[row]),
      this.#stringHash(systemName[row]),
      hashFile(file, 0, file.length),
      startLine[row],
    ));
  }

  #stringHash(row: number): number {
    const bytes = this.#from.strings.bytes(row as StringIndex);
    return this.#to.strings.hashRow(bytes, 0, bytes.length);
  }

  string(row: number): StringIndex {
    const known = this.#strings[row];
    if (known > 0 || row === 0) return (row === 0 ? 0 : known) as StringIndex;
    this.#strings = grown(this.#strings, row + 1);
    const bytes = this.#from.strings.bytes(row as StringIndex);
    const added = this.#to.strings.intern(bytes, 0, bytes.length);
    this.#strings[row] = added;
    return added;
  }

  /** Returns the row of a string in `to`. */
  text(text: string): StringIndex {
    const bytes = encoder.encode(text);
    return this.#to.strings.intern(bytes, 0, bytes.length);
  }
}
