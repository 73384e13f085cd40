// Reads a frozen head as chunks, one stream after another, for blocks.
import type { ChunkInput } from '../chunk/chunk-data.ts';
import type { Head } from './head.ts';
import type { TimeRange } from '../interface.ts';
import type { ProfileSegment } from './profile-pool.ts';
import type { ProfileSpan } from './stream-profiles.ts';

/** Reads chunks. Collects their rows in memory that the next chunk reuses. */
export class HeadChunks {
  readonly #head: Head;
  #rowStart = new Uint32Array(64);
  #stacks = new Uint32Array(16_384);
  #sampleLabels = new Uint32Array(0);
  #values: BigInt64Array[] = [];

  constructor(head: Head) {
    this.#head = head;
  }

  /**
   * Yields the profiles of a stream in a range, in the order of time, as chunks of up to `rowsMax`
   * rows. A profile with more rows is its own chunk. The head must be frozen.
   *
   * Ownership: a chunk is valid until the next chunk is requested, from this stream or another.
   */
  *readChunks(ref: number, range: TimeRange, rowsMax: number): Generator<ChunkInput> {
    const span = this.#head.spanIn(ref, range);
    if (span === undefined) return;
    for (let { first } = span; first < span.end;) {
      const end = endOfChunk(span, first, rowsMax);
      const isLarge = end === first + 1 && span.columns.runRows[first] > rowsMax;
      yield isLarge ? this.#viewed(span.columns, first) : this.#collect(span.columns, first, end);
      first = end;
    }
  }

  #collect(profiles: ProfileSegment, first: number, end: number): ChunkInput {
    const { runRows } = profiles;
    const valueColumnCount = profiles.total.length;
    const profileCount = end - first;
    if (this.#rowStart.length <= profileCount) this.#rowStart = new Uint32Array(profileCount * 2);
    let rowCount = 0;
    let isLabelled = false;
    for (let i = first; i < end; i += 1) {
      this.#rowStart[i - first] = rowCount;
      rowCount += runRows[i];
      isLabelled ||= profiles.runLabelled[i] === 1;
    }
    this.#rowStart[profileCount] = rowCount;
    this.#reserve(rowCount, valueColumnCount, isLabelled);
    for (let i = first; i < end; i += 1) {
      this.#copyRun(profiles, i, this.#rowStart[i - first], isLabelled);
    }
    return {
      ...profileTimes(profiles, first, end),
      rowStart: this.#rowStart.subarray(0, profileCount + 1),
      stacks: this.#stacks.subarray(0, rowCount),
      sampleLabels: isLabelled ? this.#sampleLabels.subarray(0, rowCount) : undefined,
      values: this.#values
        .slice(0, valueColumnCount)
        .map((valueColumn) => valueColumn.subarray(0, rowCount)),
      sampleTimes: this.#head.times.ofProfiles(profiles, first, end),
    };
  }

  /** Returns a chunk with a single profile as a view of the head's shared memory. */
  #viewed(profiles: ProfileSegment, profile: number): ChunkInput {
    const { values, words } = this.#head.arena.segments[profiles.runSegment[profile]];
    const valueColumnCount = profiles.total.length;
    const rows = profiles.runRows[profile];
    const start = profiles.runOffset[profile];
    const stacks = (start + valueColumnCount * rows) * 2;
    return {
      ...profileTimes(profiles, profile, profile + 1),
      rowStart: Uint32Array.of(0, rows),
      stacks: words.subarray(stacks, stacks + rows),
      sampleLabels:
        profiles.runLabelled[profile] === 0
          ? undefined
          : words.subarray(stacks + rows, stacks + 2 * rows),
      values: profiles.total.map((_, valueColumn) => {
        const from = start + valueColumn * rows;
        return values.subarray(from, from + rows);
      }),
      sampleTimes: this.#head.times.ofProfiles(profiles, profile, profile + 1),
    };
  }

  #copyRun(profiles: ProfileSegment, profile: number, to: number, isLabelled: boolean): void {
    const valueColumnCount = profiles.total.length;
    const { values, words } = this.#head.arena.segments[profiles.runSegment[profile]];
    const rows = profiles.runRows[profile];
    const start = profiles.runOffset[profile];
    for (let valueColumn = 0; valueColumn < valueColumnCount; valueColumn += 1) {
      const from = start + valueColumn * rows;
      this.#values[valueColumn].set(values.subarray(from, from + rows), to);
    }
    const stacks = (start + valueColumnCount * rows) * 2;
    this.#stacks.set(words.subarray(stacks, stacks + rows), to);
    if (!isLabelled) return;
    if (profiles.runLabelled[profile] === 0) this.#sampleLabels.fill(0, to, to + rows);
    else this.#sampleLabels.set(words.subarray(stacks + rows, stacks + 2 * rows), to);
  }

  #reserve(rows: number, valueColumns: number, isLabelled: boolean): void {
    if (this.#stacks.length < rows) this.#stacks = new Uint32Array(rows * 2);
    const { length } = this.#stacks;
    if (isLabelled && this.#sampleLabels.length < rows)
      this.#sampleLabels = new Uint32Array(length);
    for (let valueColumn = 0; valueColumn < valueColumns; valueColumn += 1) {
      if (valueColumn < this.#values.length && this.#values[valueColumn].length >= rows) continue;
      this.#values[valueColumn] = new BigInt64Array(length);
    }
  }
}

/** Returns the columns that have one element for each profile. */
function profileTimes(profiles: ProfileSegment, first: number, end: number) {
  return {
    profileCount: end - first,
    timeNanos: profiles.timeNanos.subarray(first, end),
    durationNanos: profiles.durationNanos.subarray(first, end),
    period: profiles.period.subarray(first, end),
    contentHash: profiles.contentHash.subarray(first, end),
  };
}

/**
 * Returns the end of the chunk that begins with profile `first`: the first profile that no longer
 * fits.
 */
function endOfChunk({ columns, end }: ProfileSpan, first: number, rowsMax: number): number {
  let rows = columns.runRows[first];
  for (let i = first + 1; i < end; i += 1) {
    rows += columns.runRows[i];
    if (rows > rowsMax) return i;
  }
  return end;
}
