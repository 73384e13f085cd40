// One stream of a block with all its profiles, decoded chunk by chunk.
import { AppError } from '../../base/errors.ts';
import type { ChunkInput } from '../chunk/chunk-data.ts';
import { decodeRows } from '../chunk/decode-rows.ts';
import type { TimeRange } from '../interface.ts';
import type { StreamKey } from '../series/stream-key.ts';
import type { BlockContent } from './block-content.ts';
import { missingSentence } from './block-slice.ts';
import type { ChunkEntry } from './index/chunk-entry.ts';
import { runsIn } from './coverage.ts';
import type { StreamEntry } from './index/stream-group.ts';

/**
 * Sums over windows of time. Each "profile" is one window, and its time is the start of the window.
 */
export interface RollupInput {
  readonly windowSeconds: number;
  readonly chunk: ChunkInput;
}

export class BlockStream {
  readonly key: StreamKey;
  readonly #content: BlockContent;
  readonly #stream: StreamEntry;
  readonly #deleted: readonly TimeRange[];
  readonly #noteMissing: (sentence: string) => void;

  constructor(
    content: BlockContent,
    stream: StreamEntry,
    deleted: readonly TimeRange[],
    noteMissing: (sentence: string) => void,
  ) {
    this.key = stream.key;
    this.#content = content;
    this.#stream = stream;
    this.#deleted = deleted;
    this.#noteMissing = noteMissing;
  }

  /**
   * Yields the stored profiles in order of time, except deleted ones. Rows refer to the block's
   * dictionary. Ownership: the caller owns them.
   */
  async *chunks(): AsyncGenerator<ChunkInput> {
    for (const entry of this.#stream.chunks) yield* await this.#read(entry);
  }

  /**
   * Yields sums over windows; none if some profiles are deleted, because the sums would include
   * them.
   */
  async *rollups(): AsyncGenerator<RollupInput> {
    const [first] = this.#stream.chunks;
    const last = this.#stream.chunks.at(-1);
    if (first === undefined || last === undefined) return;
    const { firstNanos } = first.digests[0];
    const { lastNanos } = last.digests[0];
    if (this.#deleted.some(({ from, to }) => from <= lastNanos && firstNanos <= to)) return;
    for (const entry of this.#stream.rollups) {
      for (const chunk of await this.#read(entry)) {
        yield { windowSeconds: entry.windowSeconds, chunk };
      }
    }
  }

  /**
   * Reads a chunk as sets of consecutive profiles: no set if the chunk cannot be read, several if
   * some of its profiles are deleted.
   */
  async #read(entry: ChunkEntry): Promise<ChunkInput[]> {
    const content = this.#content;
    try {
      const profiles = await content.profiles(entry);
      const stacks = await content.section(entry, 'stacks');
      const rows = await content.section(entry, 'rows');
      const times = await content.sampleTimes(entry);
      const deleted = entry.windowSeconds === 0 ? this.#deleted : [];
      return runsIn(profiles.timeNanos, allTime, deleted).map(({ first, end }) => ({
        ...decodeRows({ stacks, rows }, first, end),
        timeNanos: profiles.timeNanos.slice(first, end),
        durationNanos: profiles.durationNanos.slice(first, end),
        period: profiles.period.slice(first, end),
        contentHash: profiles.contentHashes?.slice(first, end),
        sampleTimes: times?.slice(first, end),
      }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#noteMissing(missingSentence(content, entry.digests[0].profileCount, error));
      return [];
    }
  }
}

const allTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };
