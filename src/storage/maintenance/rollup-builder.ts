// Builds the rollups of a stream: sums of its profiles over windows of one hour and of six hours.
import { floorTo } from '../../base/int64.ts';
import { compactionChunkRowsMax, rollupRowsRatioMin } from '../limits.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import { ChunkBuilder, type RowRange } from './chunk-builder.ts';
import { grown } from '../../model/column.ts';
import { mixHash } from '../../model/hash-index.ts';

/** A chunk of sums over windows. */
interface RollupChunk {
  readonly windowSeconds: number;
  readonly chunk: ChunkInput;
}

/**
 * Sums the profiles of one stream, which must be added in order of time. Each window with profiles
 * becomes a "profile" of a chunk. Its time is the start of the window, and its duration is 0.
 * Windows are aligned to 1970, and thus to UTC days.
 *
 * Rollups are dropped if profiles have different periods, because their values then have different
 * scales. Rollups are also dropped if they save too few rows for the bytes that they take.
 */
export class RollupBuilder {
  readonly #sixHours: RollupLevel;
  readonly #hour: RollupLevel;
  #period: bigint | undefined;
  #rawRows = 0;
  #isGivenUp = false;

  constructor(valueColumnCount: number) {
    this.#sixHours = new RollupLevel(21_600, valueColumnCount, undefined);
    this.#hour = new RollupLevel(3_600, valueColumnCount, this.#sixHours);
  }

  /** Adds a profile. Rows refer to the dictionary of the new block. */
  add(timeNanos: bigint, period: bigint, rows: RowRange): void {
    if (this.#isGivenUp) return;
    this.#period ??= period;
    this.#rawRows += rows.end - rows.first;
    const isHeavy = this.#hour.rowCount > compactionChunkRowsMax;
    this.#isGivenUp = period !== this.#period || (isHeavy && !this.#hour.isWorth(this.#rawRows));
    if (!this.#isGivenUp) this.#hour.add(timeNanos, period, rows);
  }

  /** Returns the rollups that save enough rows for their size. */
  finish(): RollupChunk[] {
    if (this.#isGivenUp) return [];
    this.#hour.close(this.#period ?? 0n);
    this.#sixHours.close(this.#period ?? 0n);
    const levels = [this.#hour, this.#sixHours].filter((level) => level.isWorth(this.#rawRows));
    return levels.flatMap((level) => level.chunks());
  }
}

/** The rollup of one window length. */
class RollupLevel {
  rowCount = 0;
  readonly #windowSeconds: number;
  readonly #windowNanos: bigint;
  readonly #longer: RollupLevel | undefined;
  readonly #valueColumnCount: number;
  readonly #sums: WindowSums;
  #startNanos: bigint | undefined;
  #builders: ChunkBuilder[] = [];

  constructor(windowSeconds: number, valueColumnCount: number, longer: RollupLevel | undefined) {
    this.#windowSeconds = windowSeconds;
    this.#windowNanos = BigInt(windowSeconds) * 1_000_000_000n;
    this.#valueColumnCount = valueColumnCount;
    this.#longer = longer;
    this.#sums = new WindowSums(valueColumnCount);
  }

  add(timeNanos: bigint, period: bigint, rows: RowRange): void {
    const startNanos = floorTo(timeNanos, this.#windowNanos);
    if (startNanos !== this.#startNanos) this.close(period);
    this.#startNanos = startNanos;
    this.#sums.add(rows);
  }

  /** Finishes the open window. */
  close(period: bigint): void {
    const startNanos = this.#startNanos;
    const sums = this.#sums;
    if (startNanos === undefined) return;
    const rows = sums.rows();
    this.#longer?.add(startNanos, period, rows);
    const facts = { timeNanos: startNanos, durationNanos: 0n, period, contentHash: 0 };
    this.#builderFor(sums.length).add(facts, rows);
    this.rowCount += sums.length;
    this.#startNanos = undefined;
    sums.clear();
  }

  /**
   * Returns true if the rollup has so few rows, compared with the profiles, that storing it is
   * worthwhile.
   */
  isWorth(rawRows: number): boolean {
    return this.rowCount > 0 && this.rowCount * rollupRowsRatioMin <= rawRows;
  }

  chunks(): RollupChunk[] {
    const windowSeconds = this.#windowSeconds;
    const builders = this.#builders;
    return builders.map((builder) => ({ windowSeconds, chunk: builder.take() }));
  }

  #builderFor(rows: number): ChunkBuilder {
    const last = this.#builders.at(-1);
    if (last !== undefined && last.rowCount + rows <= compactionChunkRowsMax) return last;
    const builder = new ChunkBuilder(this.#valueColumnCount);
    this.#builders.push(builder);
    return builder;
  }
}

/**
 * Sums of one window by stack and sample labels, modulo 2^64. Pairs are in the order of their first
 * use.
 */
class WindowSums {
  /** Number of distinct pairs of stack and sample labels. */
  length = 0;
  #stacks = new Uint32Array(64);
  #labels = new Uint32Array(64);
  #sums: BigInt64Array[];
  /**
   * Row + 1 of each pair; 0 = free. Open addressing with linear probing; at most half of the slots
   * are used.
   */
  #slots = new Uint32Array(128);
  #hasLabels = false;

  constructor(valueColumnCount: number) {
    this.#sums = Array.from({ length: valueColumnCount }, () => new BigInt64Array(64));
  }

  add({ stacks, sampleLabels, values, first, end }: RowRange): void {
    for (let row = first; row < end; row += 1) {
      const at = this.#pair(stacks[row], sampleLabels === undefined ? 0 : sampleLabels[row]);
      for (let valueColumn = 0; valueColumn < this.#sums.length; valueColumn += 1) {
        this.#sums[valueColumn][at] += values[valueColumn][row];
      }
    }
  }

  /** Returns all sums. Ownership: valid until the next call. */
  rows(): RowRange {
    const { length: end } = this;
    const stacks = this.#stacks;
    const labels = this.#labels;
    const values = this.#sums;
    const hasLabels = this.#hasLabels;
    return { stacks, sampleLabels: hasLabels ? labels : undefined, values, first: 0, end };
  }

  clear(): void {
    for (const column of this.#sums) column.fill(0n, 0, this.length);
    this.#slots.fill(0);
    this.length = 0;
    this.#hasLabels = false;
  }

  #pair(stack: number, labels: number): number {
    const mask = this.#slots.length - 1;
    let slot = mixHash(stack, labels) & mask;
    for (let row = this.#slots[slot]; row !== 0; row = this.#slots[slot]) {
      if (this.#stacks[row - 1] === stack && this.#labels[row - 1] === labels) return row - 1;
      slot = (slot + 1) & mask;
    }
    const row = this.length;
    this.#stacks = grown(this.#stacks, row + 1);
    this.#labels = grown(this.#labels, row + 1);
    if (this.#sums[0].length <= row)
      this.#sums = this.#sums.map((column) => grown(column, row + 1));
    this.#stacks[row] = stack;
    this.#labels[row] = labels;
    this.#hasLabels ||= labels !== 0;
    this.length = row + 1;
    this.#slots[slot] = row + 1;
    if (this.length * 2 > this.#slots.length) this.#growSlots();
    return row;
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let row = 0; row < this.length; row += 1) {
      let slot = mixHash(this.#stacks[row], this.#labels[row]) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row + 1;
    }
    this.#slots = slots;
  }
}
