// Sums the rows of consecutive profiles of a chunk by dictionary entry, for merges.
import { grown } from '../../model/column.ts';
import type { ChunkSections } from './chunk-data.ts';
import { damaged } from './chunk-format.ts';
import { multiply } from './int64-column.ts';
import { RowsIndex } from './rows-index.ts';
import { RowsWalker } from './rows-run.ts';
import { valueColumnFactor, labelsPlace, StackDictionary } from './stack-dictionary.ts';
import { SumKernel } from './sum-kernel.ts';

/**
 * Sums by entry. An entry is a stack, or a pair of stack and sample labels; entries whose sum is 0
 * are included. Only the first `entryCount` elements of each array are used. Ownership: the arrays
 * are scratch memory of the reader, valid until its next call.
 */
export interface ChunkSum {
  readonly entryCount: number;
  /** StackIndex of each entry. */
  readonly entryStack: Uint32Array;
  /** SampleLabelsIndex of each entry; undefined if there are no labels, or if `labelsInRows`. */
  readonly entryLabels: Uint32Array | undefined;
  /**
   * True if rows have sample labels but entries are only stacks, because few labels repeat. Callers
   * that need labels read the rows with decodeRows.
   */
  readonly labelsInRows: boolean;
  /** Sum of each entry, modulo 2^64. */
  readonly sums: BigInt64Array;
}

/**
 * Number of rows up to which pages are summed together. It is large, so that few calls are needed,
 * but small enough for the CPU cache.
 */
const runRows = 32_768;

/** Reads chunks one after another with the same scratch memory. */
export class ChunkReader {
  readonly #kernel = new SumKernel();
  readonly #dictionary = new StackDictionary();
  readonly #index = new RowsIndex();
  readonly #full = new RowsWalker(this.#index, this.#index.full);
  readonly #changes = new RowsWalker(this.#index, this.#index.changes);
  #sums = new BigInt64Array(0);
  #weights = new Uint32Array(64);

  /**
   * Sums the values of one value column over profiles `first` .. `end`. Without the rows section,
   * the range must cover all profiles. Errors: AppError 'data-loss'.
   */
  sumChunk(chunk: ChunkSections, valueColumn: number, first: number, end: number): ChunkSum {
    const dictionary = this.#dictionary;
    dictionary.read(chunk.stacks);
    const { entryCount, profileCount, valueColumns } = dictionary;
    if (this.#sums.length < entryCount) this.#sums = new BigInt64Array(entryCount * 2);
    if (end > profileCount || first > end || valueColumn >= valueColumns.length) {
      throw damaged(`it has ${valueColumns.length} value columns of ${profileCount} profiles`);
    }
    if (first === 0 && end === profileCount) {
      dictionary.readSums(valueColumn, this.#sums);
    } else {
      if (chunk.rows === undefined) throw damaged('its rows are not there');
      this.#sumRows(chunk.rows, valueColumn, first, end);
    }
    const ofEntries = dictionary.labelsPlace === labelsPlace.entries;
    return {
      entryCount,
      entryStack: dictionary.stacks,
      entryLabels: ofEntries ? dictionary.labels : undefined,
      labelsInRows: dictionary.labelsPlace === labelsPlace.rows,
      sums: this.#sums,
    };
  }

  #sumRows(rows: Uint8Array, valueColumn: number, first: number, end: number): void {
    const dictionary = this.#dictionary;
    const index = this.#index;
    const kernel = this.#kernel;
    const sums = this.#sums;
    const { valueColumns, entryCount } = dictionary;
    index.readFor(dictionary, rows);
    kernel.begin(entryCount);
    this.#addPages(dictionary.storedValueColumn(valueColumn), first, end);
    kernel.finish(sums, valueColumnFactor(valueColumns, valueColumn));
    if (!valueColumns[valueColumn].isStored)
      multiply(sums, entryCount, valueColumns[valueColumn].factor);
  }

  #addPages(valueColumn: number, first: number, end: number): void {
    const index = this.#index;
    const full = this.#full;
    const changes = this.#changes;
    full.rewind();
    changes.rewind();
    let next = 0;
    for (let page = 0; page < index.pageCount && next < end;) {
      const start = next;
      const pageEnd = next < first ? index.spanEnd(page) : index.runEnd(page, runRows);
      next += index.profilesIn(page, pageEnd);
      const hasChanges = index.isChanges(pageEnd - 1);
      if (next <= first) {
        full.skip(page);
        if (hasChanges) changes.skip(page + 1);
      } else if (hasChanges) {
        this.#addChanged(valueColumn, page, start, first, Math.min(end, next));
      } else {
        const from = Math.max(first, start) - start;
        const run = full.take(page, pageEnd, from, Math.min(end, next) - start);
        this.#kernel.add(run, valueColumn);
      }
      page = pageEnd;
    }
  }

  /**
   * Adds profiles `first` .. `to` from the whole profile at page `start` and from the page of
   * changes after it. A change is a difference from the previous profile, so it counts once for its
   * own profile and once for each later profile.
   */
  #addChanged(valueColumn: number, page: number, start: number, first: number, to: number): void {
    const from = Math.max(first, start);
    this.#weights = grown(this.#weights, to - start);
    const weights = this.#weights;
    const kernel = this.#kernel;
    weights[0] = to - from;
    kernel.add(this.#full.take(page, page + 1, 0, 1), valueColumn, weights);
    const count = to - start - 1;
    for (let i = 0; i < count; i += 1) weights[i] = to - Math.max(start + 1 + i, from);
    kernel.add(this.#changes.take(page + 1, page + 2, 0, count), valueColumn, weights);
  }
}
