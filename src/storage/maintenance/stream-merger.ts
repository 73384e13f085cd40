// Merges the profiles of one stream from several blocks, in the order of time, into chunks.
import { chunkProfilesMax, compactionChunkRowsMax } from '../limits.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import type { TimeRange } from '../interface.ts';
import type { ChunkBuilder, RowRange, RowTranslator } from './chunk-builder.ts';
import { dayNanos } from '../block/block-facts.ts';

/** Profiles of the stream in one block. */
export interface MergeSource {
  /**
   * Raw chunks in order of time. Each chunk is read completely before the next chunk is requested.
   */
  readonly chunks: AsyncIterator<ChunkInput>;
  /** Translates rows of the block's dictionary into rows of the dictionary of the new block. */
  readonly translator: RowTranslator;
  /** Time at which the block was created. */
  readonly createdNanos: bigint;
  /** Time ranges in which profiles are deleted. */
  readonly deleted: readonly TimeRange[];
}

interface MergeTarget {
  /** Called with each complete chunk, which must be used before the promise resolves. */
  addChunk(chunk: ChunkInput): Promise<void>;
  /** Called with each profile and its rows. Rows refer to the new dictionary. */
  sawProfile?(timeNanos: bigint, period: bigint, rows: RowRange): void;
}

/** Numbers of profiles in one merge. */
interface MergeCounts {
  readonly profiles: number;
  readonly rows: number;
  readonly duplicates: number;
  readonly deleted: number;
}

/**
 * Merges the sources. `builder` must be empty, and for as many sample types as the stream has.
 * Profiles with the same time keep the order of the sources. If several profiles have the same time
 * and content hash, only one is kept. Hashes of profiles before `hashesFromNanos` are dropped if
 * their block was also created before it. A chunk ends at a million rows and at the end of a day.
 */
export async function mergeStream(
  builder: ChunkBuilder,
  sources: readonly MergeSource[],
  hashesFromNanos: bigint,
  target: MergeTarget,
): Promise<MergeCounts> {
  const cursors = sources.map((source) => new Cursor(source));
  await Promise.all(cursors.map((cursor) => cursor.start()));
  const merge = new StreamMerge(builder, hashesFromNanos, target);
  for (let next = earliest(cursors); next !== undefined; next = earliest(cursors)) {
    if (merge.mustEndChunkBefore(next)) await merge.endChunk();
    merge.take(next);
    if (!next.step()) await next.nextChunk();
  }
  await merge.endChunk();
  const deleted = cursors.reduce((sum, cursor) => sum + cursor.deletedCount, 0);
  return { ...merge.counts, deleted };
}

class StreamMerge {
  readonly counts = { profiles: 0, rows: 0, duplicates: 0 };
  readonly #builder: ChunkBuilder;
  readonly #hashesFromNanos: bigint;
  readonly #target: MergeTarget;
  #day: bigint | undefined;
  /** Content hash and row count of each profile with time `timeNanos`. */
  readonly #seen: number[] = [];
  #timeNanos: bigint | undefined;

  constructor(builder: ChunkBuilder, hashesFromNanos: bigint, target: MergeTarget) {
    this.#builder = builder;
    this.#hashesFromNanos = hashesFromNanos;
    this.#target = target;
  }

  mustEndChunkBefore({ timeNanos, rowCount }: Cursor): boolean {
    if (this.#builder.profileCount === 0) return false;
    if (this.#builder.rowCount + rowCount > compactionChunkRowsMax) return true;
    if (this.#builder.profileCount >= chunkProfilesMax) return true;
    return timeNanos / dayNanos !== this.#day;
  }

  async endChunk(): Promise<void> {
    if (this.#builder.profileCount > 0) await this.#target.addChunk(this.#builder.take());
  }

  take(cursor: Cursor): void {
    const { timeNanos, source } = cursor;
    if (this.#isDuplicate(cursor)) {
      this.counts.duplicates += 1;
      return;
    }
    const { durationNanos, period } = cursor;
    const isForgotten =
      timeNanos < this.#hashesFromNanos && source.createdNanos < this.#hashesFromNanos;
    const contentHash = isForgotten ? 0 : cursor.contentHash;
    const facts = { timeNanos, durationNanos, period, contentHash };
    this.#builder.add(facts, cursor.rows(), source.translator);
    this.#target.sawProfile?.(timeNanos, period, this.#builder.lastRows());
    this.#day = timeNanos / dayNanos;
    this.counts.profiles += 1;
    this.counts.rows += cursor.rowCount;
  }

  #isDuplicate(cursor: Cursor): boolean {
    const { timeNanos, contentHash } = cursor;
    const seen = this.#seen;
    if (timeNanos !== this.#timeNanos) seen.length = 0;
    this.#timeNanos = timeNanos;
    if (contentHash === 0) return false;
    for (let i = 0; i < seen.length; i += 2) {
      if (seen[i] === contentHash && seen[i + 1] === cursor.rowCount) return true;
    }
    seen.push(contentHash, cursor.rowCount);
    return false;
  }
}

/** A position in the profiles of one source. Deleted profiles are skipped. */
class Cursor {
  readonly source: MergeSource;
  deletedCount = 0;
  isAtEnd = false;
  #chunk: ChunkInput | undefined;
  #at = -1;

  constructor(source: MergeSource) {
    this.source = source;
  }

  async start(): Promise<void> {
    await this.nextChunk();
  }

  get timeNanos(): bigint {
    return this.#column('timeNanos');
  }

  get durationNanos(): bigint {
    return this.#column('durationNanos');
  }

  get period(): bigint {
    return this.#column('period');
  }

  /** Low half of the content hash; 0 = unknown. */
  get contentHash(): number {
    return this.#chunk?.contentHash?.[this.#at] ?? 0;
  }

  get rowCount(): number {
    const { first, end } = this.rows();
    return end - first;
  }

  rows(): RowRange {
    const chunk = this.#chunk;
    const at = this.#at;
    if (chunk === undefined) return noRows;
    const { stacks, sampleLabels, values, rowStart } = chunk;
    const sampleTimes = chunk.sampleTimes?.[at];
    const [first, end] = [rowStart[at], rowStart[at + 1]];
    return { stacks, sampleLabels, values, first, end, sampleTimes };
  }

  /** Moves to the next profile of the chunk. Returns false at the end of the chunk. */
  step(): boolean {
    const chunk = this.#chunk;
    if (chunk === undefined) return false;
    for (this.#at += 1; this.#at < chunk.profileCount; this.#at += 1) {
      if (!this.#isDeleted(chunk.timeNanos[this.#at])) return true;
      this.deletedCount += 1;
    }
    return false;
  }

  /** Moves to the first profile of the next chunk, or to the end of the source. */
  async nextChunk(): Promise<void> {
    do {
      const next = await this.source.chunks.next();
      this.isAtEnd = next.done === true;
      this.#chunk = next.done === true ? undefined : next.value;
      this.#at = -1;
    } while (!this.isAtEnd && !this.step());
  }

  #isDeleted(timeNanos: bigint): boolean {
    return this.source.deleted.some(({ from, to }) => from <= timeNanos && timeNanos <= to);
  }

  #column(name: 'timeNanos' | 'durationNanos' | 'period'): bigint {
    return this.#chunk === undefined ? 0n : this.#chunk[name][this.#at];
  }
}

const noRows: RowRange = {
  stacks: new Uint32Array(0),
  sampleLabels: undefined,
  values: [],
  first: 0,
  end: 0,
};

/**
 * Returns the cursor at the earliest profile, the first of them if several are equal; undefined if
 * all are at the end.
 */
function earliest(cursors: readonly Cursor[]): Cursor | undefined {
  let found: Cursor | undefined;
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue;
    if (found === undefined || cursor.timeNanos < found.timeNanos) found = cursor;
  }
  return found;
}
