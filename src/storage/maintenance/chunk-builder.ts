// Collects profiles of one stream into the columns of a chunk.
import { grown } from '../../model/column.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';

/** Rows of one profile or window, as a range of the row columns of a chunk. */
export interface RowRange {
  readonly stacks: Uint32Array;
  readonly sampleLabels: Uint32Array | undefined;
  readonly values: readonly BigInt64Array[];
  readonly first: number;
  readonly end: number;
  /** Sample times of these rows, encoded; undefined if there are none. */
  readonly sampleTimes?: Uint8Array | undefined;
}

/** A profile without its rows. */
interface ProfileFacts {
  readonly timeNanos: bigint;
  readonly durationNanos: bigint;
  readonly period: bigint;
  /** Low half of the content hash; 0 = unknown or no longer needed. */
  readonly contentHash: number;
}

/** Translates rows of one dictionary into rows of another. */
export interface RowTranslator {
  stack(row: number): number;
  sampleLabels(row: number): number;
}

/**
 * Collects profiles in columns that grow with each profile, until `take` returns them as a chunk.
 */
export class ChunkBuilder {
  profileCount = 0;
  rowCount = 0;
  #timeNanos = new BigInt64Array(64);
  #durationNanos = new BigInt64Array(64);
  #period = new BigInt64Array(64);
  #contentHash = new Uint32Array(64);
  #rowStart = new Uint32Array(65);
  #stacks = new Uint32Array(64);
  #sampleLabels = new Uint32Array(64);
  #values: BigInt64Array[];
  #hasHashes = false;
  #hasLabels = false;
  /**
   * Sample times by profile. The array may be shorter than the list of profiles, and has holes for
   * profiles without sample times.
   */
  #sampleTimes: (Uint8Array | undefined)[] = [];

  constructor(valueColumnCount: number) {
    this.#values = Array.from({ length: valueColumnCount }, () => new BigInt64Array(64));
  }

  /** Adds the next profile in order of time. Without a translator, rows are copied unchanged. */
  add(facts: ProfileFacts, rows: RowRange, translator?: RowTranslator): void {
    this.#addFacts(facts);
    const from = this.rowCount;
    const count = rows.end - rows.first;
    this.#growRows(from + count);
    const stacks = this.#stacks;
    const sampleLabels = this.#sampleLabels;
    if (translator === undefined) stacks.set(rows.stacks.subarray(rows.first, rows.end), from);
    else translateRows(stacks, from, rows, translator);
    if (rows.sampleLabels === undefined) sampleLabels.fill(0, from, from + count);
    else this.#addLabels(rows.sampleLabels, rows, translator);
    for (const [valueColumn, column] of this.#values.entries()) {
      column.set(rows.values[valueColumn].subarray(rows.first, rows.end), from);
    }
    this.rowCount = from + count;
    this.#rowStart[this.profileCount] = this.rowCount;
    if (rows.sampleTimes !== undefined) this.#sampleTimes[this.profileCount - 1] = rows.sampleTimes;
  }

  /** Returns the rows of the last profile, valid until the next call. */
  lastRows(): RowRange {
    const first = this.#rowStart[this.profileCount - 1];
    const { rowCount: end } = this;
    const stacks = this.#stacks;
    const values = this.#values;
    const hasLabels = this.#hasLabels;
    const sampleLabels = hasLabels ? this.#sampleLabels : undefined;
    return { stacks, sampleLabels, values, first, end };
  }

  /** Returns the chunk, valid until the next `add`, and empties the builder. */
  take(): ChunkInput {
    const { profileCount, rowCount } = this;
    const chunk: ChunkInput = {
      profileCount,
      timeNanos: this.#timeNanos.subarray(0, profileCount),
      durationNanos: this.#durationNanos.subarray(0, profileCount),
      period: this.#period.subarray(0, profileCount),
      contentHash: this.#hasHashes ? this.#contentHash.subarray(0, profileCount) : undefined,
      rowStart: this.#rowStart.subarray(0, profileCount + 1),
      stacks: this.#stacks.subarray(0, rowCount),
      sampleLabels: this.#hasLabels ? this.#sampleLabels.subarray(0, rowCount) : undefined,
      values: this.#values.map((column) => column.subarray(0, rowCount)),
      sampleTimes: this.#sampleTimes.length === 0 ? undefined : this.#sampleTimes,
    };
    this.#sampleTimes = [];
    this.profileCount = 0;
    this.rowCount = 0;
    this.#hasHashes = false;
    this.#hasLabels = false;
    return chunk;
  }

  #addFacts({ timeNanos, durationNanos, period, contentHash }: ProfileFacts): void {
    const row = this.profileCount;
    this.#timeNanos = grown(this.#timeNanos, row + 1);
    this.#durationNanos = grown(this.#durationNanos, row + 1);
    this.#period = grown(this.#period, row + 1);
    this.#contentHash = grown(this.#contentHash, row + 1);
    this.#rowStart = grown(this.#rowStart, row + 2);
    this.#timeNanos[row] = timeNanos;
    this.#durationNanos[row] = durationNanos;
    this.#period[row] = period;
    this.#contentHash[row] = contentHash;
    this.#hasHashes ||= contentHash !== 0;
    this.profileCount = row + 1;
  }

  #growRows(rows: number): void {
    this.#stacks = grown(this.#stacks, rows);
    this.#sampleLabels = grown(this.#sampleLabels, rows);
    this.#values = this.#values.map((column) => grown(column, rows));
  }

  #addLabels(
    labels: Uint32Array,
    { first, end }: RowRange,
    translator: RowTranslator | undefined,
  ): void {
    const sampleLabels = this.#sampleLabels;
    let at = this.rowCount;
    for (let row = first; row < end; row += 1, at += 1) {
      const set = labels[row];
      sampleLabels[at] = set === 0 || translator === undefined ? set : translator.sampleLabels(set);
      if (set !== 0) this.#hasLabels = true;
    }
  }
}

function translateRows(
  into: Uint32Array,
  from: number,
  { stacks, first, end }: RowRange,
  translator: RowTranslator,
): void {
  for (let row = first, at = from; row < end; row += 1, at += 1) {
    into[at] = translator.stack(stacks[row]);
  }
}
