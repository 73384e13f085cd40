// Decodes the rows of consecutive profiles of a chunk into plain columns.
import { chunkRowsMax } from '../limits.ts';
import { grown } from '../../model/column.ts';
import { damaged } from './chunk-format.ts';
import type { ChunkInput, ChunkSections } from './chunk-data.ts';
import { RowsIndex } from './rows-index.ts';
import { readNumbers } from './number-column.ts';
import { readEntries, readLabels, type RowsRun, RowsWalker } from './rows-run.ts';
import { multiply } from './int64-column.ts';
import { valueColumnFactor, labelsPlace, StackDictionary } from './stack-dictionary.ts';

/**
 * Rows as in ChunkInput. Row 0 is the first row of the first requested profile. Ownership: the
 * caller owns the columns.
 */
export type DecodedRows = Pick<
  ChunkInput,
  'profileCount' | 'rowStart' | 'stacks' | 'sampleLabels' | 'values'
>;

/**
 * Returns the rows of profiles `first` .. `end`, those with the most frequent stacks first. Rows
 * that are 0 in every value column are not stored. Errors: AppError 'data-loss', for damage or for
 * more than chunkRowsMax rows.
 */
export function decodeRows(chunk: ChunkSections, first: number, end: number): DecodedRows {
  const decoder = new RowsDecoder(chunk, end - first);
  decoder.decode(first, end);
  return decoder.finish();
}

class RowsDecoder {
  readonly #dictionary = new StackDictionary();
  readonly #index = new RowsIndex();
  /** Numbers of the value columns that are stored. */
  readonly #stored: readonly number[];
  readonly #hasLabels: boolean;
  readonly #rowStart: Uint32Array;
  #profileCount = 0;
  #rowCount = 0;
  #entries = new Uint32Array(0);
  #labels = new Uint32Array(0);
  /** Values, by stored value column. */
  #values: BigInt64Array[];
  /**
   * Current stored number of each entry, by stored value column. Used if profiles are stored as
   * changes.
   */
  #state: BigInt64Array[] = [];

  constructor({ stacks, rows }: ChunkSections, profileCount: number) {
    if (rows === undefined) throw damaged('its rows are not there');
    const dictionary = this.#dictionary;
    const index = this.#index;
    dictionary.read(stacks);
    const { valueColumns } = dictionary;
    this.#stored = Array.from(valueColumns.keys()).filter(
      (valueColumn) => valueColumns[valueColumn].isStored,
    );
    this.#hasLabels = dictionary.labelsPlace === labelsPlace.rows;
    index.readFor(dictionary, rows);
    this.#rowStart = new Uint32Array(profileCount + 1);
    this.#values = this.#stored.map(() => new BigInt64Array(0));
  }

  decode(first: number, end: number): void {
    const index = this.#index;
    const full = new RowsWalker(index, index.full);
    const changes = new RowsWalker(index, index.changes);
    full.rewind();
    changes.rewind();
    let next = 0;
    for (let page = 0; page < index.pageCount && next < end;) {
      const start = next;
      const pageEnd = index.spanEnd(page);
      next += index.profilesIn(page, pageEnd);
      const hasChanges = index.isChanges(pageEnd - 1);
      const to = Math.min(end, next);
      if (next <= first) {
        full.skip(page);
        if (hasChanges) changes.skip(page + 1);
      } else if (hasChanges) {
        this.#decodeState(full.take(page, page + 1, 0, 1), start >= first);
        const run = changes.take(page + 1, page + 2, 0, to - start - 1);
        this.#decodeChanges(run, first - start - 1);
      } else {
        this.#decodeWhole(full.take(page, pageEnd, Math.max(first, start) - start, to - start));
      }
      page = pageEnd;
    }
  }

  finish(): DecodedRows {
    const dictionary = this.#dictionary;
    const rowCount = this.#rowCount;
    const profileCount = this.#profileCount;
    const rowStart = this.#rowStart;
    const stored = this.#stored;
    const { valueColumns } = dictionary;
    const entries = this.#entries.subarray(0, rowCount);
    const values = valueColumns.map(({ isStored, factor }, valueColumn) => {
      const own = this.#values[isStored ? stored.indexOf(valueColumn) : 0].slice(0, rowCount);
      multiply(own, rowCount, valueColumnFactor(valueColumns, valueColumn));
      if (!isStored) multiply(own, rowCount, factor);
      return own;
    });
    const ofEntries = dictionary.labelsPlace === labelsPlace.entries;
    const byEntry = ofEntries ? entries.map((entry) => dictionary.labels[entry]) : undefined;
    return {
      profileCount,
      rowStart,
      stacks: entries.map((entry) => dictionary.stacks[entry]),
      sampleLabels: this.#hasLabels ? this.#labels.slice(0, rowCount) : byEntry,
      values,
    };
  }

  #reserve(rows: number): void {
    if (this.#rowCount + rows > chunkRowsMax) {
      throw damaged(`it speaks of more than ${chunkRowsMax} rows`);
    }
    const needed = this.#rowCount + rows;
    this.#entries = grown(this.#entries, needed);
    if (this.#hasLabels) this.#labels = grown(this.#labels, needed);
    this.#values = this.#values.map((valueColumn) => grown(valueColumn, needed));
  }

  #endProfile(rows: number): void {
    this.#rowCount += rows;
    this.#profileCount += 1;
    this.#rowStart[this.#profileCount] = this.#rowCount;
  }

  #decodeWhole(run: RowsRun): void {
    this.#reserve(run.rows);
    const rowCount = this.#rowCount;
    readEntries(run, this.#entries.subarray(rowCount));
    this.#values.forEach((valueColumn, i) => {
      const words = new Int32Array(valueColumn.buffer);
      readNumbers(run.bytes, run.valueColumns[i], run.rows, words, rowCount);
    });
    if (this.#hasLabels) readLabels(run, this.#labels, rowCount);
    for (let profile = 0; profile < run.profiles; profile += 1) {
      this.#endProfile(run.counts[profile]);
    }
  }

  /**
   * Reads the whole profile that precedes a page of changes. Keeps its rows if they were requested.
   */
  #decodeState(run: RowsRun, isAsked: boolean): void {
    this.#state = this.#stored.map(() => new BigInt64Array(this.#dictionary.entryCount));
    this.#decodeChanges(run, isAsked ? 0 : 1);
  }

  /** Applies changes. Keeps the rows of profile `asked` and all later profiles. */
  #decodeChanges(run: RowsRun, asked: number): void {
    const entries = new Uint32Array(run.rows);
    readEntries(run, entries);
    const numbers = run.valueColumns.map((valueColumn) => {
      const words = new Int32Array(run.rows * 2);
      readNumbers(run.bytes, valueColumn, run.rows, words, 0);
      return new BigInt64Array(words.buffer);
    });
    let from = 0;
    for (let profile = 0; profile < run.profiles; profile += 1) {
      const to = from + run.counts[profile];
      this.#state.forEach((state, valueColumn) => {
        const changed = numbers[valueColumn];
        for (let row = from; row < to; row += 1) state[entries[row]] += changed[row];
      });
      from = to;
      if (profile >= asked) this.#appendState();
    }
  }

  #appendState(): void {
    const state = this.#state;
    const { entryCount } = this.#dictionary;
    const bits = new Int32Array(entryCount);
    for (const valueColumn of state) {
      const words = new Int32Array(valueColumn.buffer);
      for (let i = 0; i < entryCount; i += 1) bits[i] |= words[i * 2] | words[i * 2 + 1];
    }
    let rows = 0;
    for (let i = 0; i < entryCount; i += 1) if (bits[i] !== 0) rows += 1;
    this.#reserve(rows);
    const entries = this.#entries;
    const values = this.#values;
    let at = this.#rowCount;
    for (let entry = 0; entry < entryCount; entry += 1) {
      if (bits[entry] === 0) continue;
      entries[at] = entry;
      for (let valueColumn = 0; valueColumn < state.length; valueColumn += 1)
        values[valueColumn][at] = state[valueColumn][entry];
      at += 1;
    }
    this.#endProfile(rows);
  }
}
