// Sums the rows of a range of a chunk's profiles by entry of its dictionary, for merges.
import type { ChunkSections } from './chunk-bytes.ts';
import { damaged, two32 } from './chunk-format.ts';
import { RowsCursor } from './rows-cursor.ts';
import { type GroupBytes, RowsIndex } from './rows-index.ts';
import { factorOf, labelsPlace, multiply, StackDictionary } from './stack-dictionary.ts';

/**
 * Sums by entry. An entry is a stack, or a pair of stack and sample labels; entries with sum 0 are
 * there too.
 *
 * Ownership: scratch of the reader, valid until its next call; the first `entryCount` elements of
 * each array are used.
 */
export interface ChunkSum {
  readonly entryCount: number;
  /** StackIndex. */
  readonly entryStack: Uint32Array;
  /** SampleLabelsIndex; undefined when there are none or `labelsInRows`. */
  readonly entryLabels: Uint32Array | undefined;
  /**
   * Entries are stacks although rows have sample labels, because those hardly repeat: who asks for
   * labels has to read the rows (decodeRows).
   */
  readonly labelsInRows: boolean;
  /** Modulo 2^64. */
  readonly sums: BigInt64Array;
}

/** Sums above this are moved to int64 before more is added: doubles are exact below 2^53. */
const exactReach = 2 ** 53;

/** Reads chunks one after another with the same scratch memory. */
export class ChunkReader {
  private readonly dictionary = new StackDictionary();
  private readonly index = new RowsIndex();
  private readonly full = new RowsCursor(this.index, this.index.full);
  private readonly changes = new RowsCursor(this.index, this.index.changes);
  private sums = new BigInt64Array(0);
  /** Low and high words of sums as doubles, not yet in `sums`; 0 between calls. */
  private low = new Float64Array(0);
  private high = new Float64Array(0);
  private numbers = new Float64Array(0);
  /** No element of `low` or `high` has passed this. */
  private reach = 0;

  /**
   * Sums the values of one plane over profiles `first` .. `end`. Without rows it gives the sums
   * over all profiles, which `first` and `end` must name then.
   *
   * Errors: AppError 'data-loss'.
   */
  sumChunk(chunk: ChunkSections, plane: number, first: number, end: number): ChunkSum {
    const { dictionary } = this;
    dictionary.read(chunk.stacks);
    const { entryCount, profileCount, planes } = dictionary;
    this.reserve(entryCount);
    if (end > profileCount || first > end || plane >= planes.length) {
      throw damaged(`it has ${planes.length} planes of ${profileCount} profiles`);
    }
    if (first === 0 && end === profileCount) {
      dictionary.readSums(plane, this.sums);
    } else {
      if (chunk.rows === undefined) throw damaged('its rows are not there');
      this.sumRows(chunk.rows, plane, first, end);
    }
    const ofEntries = dictionary.labelsPlace === labelsPlace.entries;
    return {
      entryCount,
      entryStack: dictionary.stacks,
      entryLabels: ofEntries ? dictionary.labels : undefined,
      labelsInRows: dictionary.labelsPlace === labelsPlace.rows,
      sums: this.sums,
    };
  }

  private reserve(entryCount: number): void {
    if (this.sums.length >= entryCount) return;
    this.sums = new BigInt64Array(entryCount * 2);
    this.low = new Float64Array(entryCount * 2);
    this.high = new Float64Array(entryCount * 2);
  }

  private sumRows(rows: Uint8Array, plane: number, first: number, end: number): void {
    const { dictionary, index } = this;
    const { planes, entryCount } = dictionary;
    const storedCount = planes.reduce((count, { isStored }) => count + (isStored ? 1 : 0), 0);
    const isInRows = dictionary.labelsPlace === labelsPlace.rows;
    index.read(rows, storedCount, entryCount, isInRows);
    if (index.profileCount !== dictionary.profileCount) throw damaged('its rows are of another');
    this.sums.fill(0n, 0, entryCount);
    this.reach = 0;
    try {
      this.addPages(storedBefore(planes, plane), first, end);
    } catch (error) {
      this.low.fill(0);
      this.high.fill(0);
      throw error;
    }
    this.settle();
    multiply(this.sums, entryCount, factorOf(planes, plane));
    if (!planes[plane].isStored) multiply(this.sums, entryCount, planes[plane].factor);
  }

  private addPages(plane: number, first: number, end: number): void {
    const { index, full, changes } = this;
    full.rewind();
    changes.rewind();
    let start = 0;
    for (let page = 0; page < index.pageCount && start < end; page += 1) {
      const next = start + index.profilesOf(page);
      if (page + 1 < index.pageCount && index.isChanges(page + 1)) {
        const last = next + index.profilesOf(page + 1);
        const from = Math.max(first, start);
        const to = Math.min(end, last);
        if (from < to) this.addChanged(plane, start, from, to);
        else this.skipChanged(page);
        page += 1;
        start = last;
        continue;
      }
      const from = Math.max(first, start);
      const to = Math.min(end, next);
      if (from < to) {
        full.skipProfiles(from - start);
        this.expect(index.full, plane, to - from, index.rowsOf(page), 1);
        for (let profile = from; profile < to; profile += 1) this.addProfile(full, plane, 1);
      } else {
        full.skipPage(page);
      }
      start = next;
    }
  }

  private skipChanged(page: number): void {
    this.full.skipPage(page);
    this.changes.skipPage(page + 1);
  }

  /**
   * Adds profiles `from` .. `to` of a whole one at `start` with changes behind it: each change
   * counts as often as there are profiles from it on.
   */
  private addChanged(plane: number, start: number, from: number, to: number): void {
    const { index } = this;
    this.expect(index.full, plane, 1, index.full.rowCount, to - from);
    this.addProfile(this.full, plane, to - from);
    this.expect(index.changes, plane, to - start, index.changes.rowCount, to - from);
    for (let profile = start + 1; profile < to; profile += 1) {
      this.addProfile(this.changes, plane, to - Math.max(profile, from));
    }
  }

  /** Settles when what is to be added could pass what doubles hold. */
  private expect(
    group: GroupBytes,
    plane: number,
    profiles: number,
    rows: number,
    weight: number,
  ): void {
    const perEntry = this.dictionary.labelsPlace === labelsPlace.rows ? rows : profiles;
    const width = Math.min(4, group.valueWidths[plane]);
    const hasEscapes = group.escapes[plane] > 0;
    const more = perEntry * weight * (hasEscapes ? two32 : 256 ** width);
    if (this.reach + more > exactReach) this.settle();
    this.reach += more;
  }

  private addProfile(cursor: RowsCursor, plane: number, weight: number): void {
    cursor.readProfile();
    const { entries, rowCount } = cursor;
    if (this.numbers.length < rowCount) this.numbers = new Float64Array(rowCount * 2);
    const { numbers, low, high } = this;
    cursor.readNumbers(plane, numbers, low, high, weight);
    for (let i = 0; i < rowCount; i += 1) low[entries[i]] += numbers[i] * weight;
  }

  /** Adds `low` and `high` to `sums` and clears them. */
  private settle(): void {
    const { low, high, sums } = this;
    const { entryCount } = this.dictionary;
    for (let i = 0; i < entryCount; i += 1) {
      const carry = Math.floor(low[i] / two32);
      part.words[0] = low[i] - carry * two32;
      part.words[1] = high[i] + carry;
      sums[i] += part.values[0];
      low[i] = 0;
      high[i] = 0;
    }
    this.reach = 0;
  }
}

const partValues = new BigInt64Array(1);
const part = { values: partValues, words: new Int32Array(partValues.buffer) };

/** The row of a plane among those that have bytes; a multiple of plane 0 has those of plane 0. */
function storedBefore(planes: StackDictionary['planes'], plane: number): number {
  if (!planes[plane].isStored) return 0;
  let count = 0;
  for (let i = 0; i < plane; i += 1) if (planes[i].isStored) count += 1;
  return count;
}
