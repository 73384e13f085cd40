// A block as a part of the store: one file that never changes, read on demand.
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { equalProfileTypes, type ProfileType } from '../../model/profile-type.ts';
import { deletedRanges, type Deletion } from '../files/deletions.ts';
import type { SeriesQuery, TimeRange } from '../interface.ts';
import { Pacer, stoppablePacer } from '../../base/pacer.ts';
import type { Part } from '../part.ts';
import { RowlessSlice, type StoredSeries } from '../selection.ts';
import { listProfileTypes, type StreamKey } from '../series/stream-key.ts';
import type { BlockCache } from './block-cache.ts';
import { BlockContent } from './block-content.ts';
import type { BlockFacts } from './block-facts.ts';
import { BlockFile, type ReadableFile } from './block-file.ts';
import { BlockLabels } from './block-labels.ts';
import { BlockSlice } from './block-slice.ts';
import { BlockSearch, type SearchOptions } from './block-search.ts';
import { BlockStream } from './block-stream.ts';
import { allRefs } from './index/posting-lists.ts';
import { verifyBlock, type BlockDamage } from './verify-block.ts';

export interface BlockOptions {
  /** File of the block; the block closes it. */
  readonly file: ReadableFile;
  /** Cache that all blocks of a store share. */
  readonly cache: BlockCache;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Clock for pauses in long searches; without a clock, they do not pause. */
  readonly clock?: Clock;
}

/**
 * Opens a block by reading its footer. Closes the file if that fails.
 *
 * Errors: AppError 'data-loss' if the file is not a complete block, 'failed-precondition' if a
 * newer program wrote it; errors of the file.
 */
export async function openBlock(options: BlockOptions): Promise<Block> {
  try {
    return new Block(options, await BlockFile.open(options.file));
  } catch (error) {
    await options.file.close();
    throw error;
  }
}

/**
 * A block. Damage is counted and logged once, and reported as missing in each answer that needs the
 * damaged data. Other data is still served.
 */
export class Block implements Part {
  readonly facts: BlockFacts;
  readonly #content: BlockContent;
  readonly #clock: Clock | undefined;
  #leftOut: readonly Deletion[] = [];
  #deletionsSet = 0;
  #pins = 0;
  #closing: (() => void) | undefined;
  #isClosed = false;

  /** Called by `openBlock` only. */
  constructor({ cache, logger, metrics, clock }: BlockOptions, file: BlockFile) {
    const corruptions = metrics.counter(
      'parca_storage_corruptions_total',
      'Damaged places found in stored blocks.',
    );
    this.facts = file.facts;
    this.#clock = clock;
    const noteCorruption = (error: unknown): void => {
      corruptions.add();
      logger.error('a block is damaged', { block: file.facts.id, error: errorMessage(error) });
    };
    this.#content = new BlockContent({ file, cache, noteCorruption, clock });
  }

  get id(): string {
    return this.facts.id;
  }

  get profileCount(): number {
    return this.facts.profileCount;
  }

  get rowCount(): number {
    return this.facts.rowCount;
  }

  get range(): TimeRange | undefined {
    const { profileCount, minNanos, maxNanos } = this.facts;
    return profileCount === 0 ? undefined : { from: minNanos, to: maxNanos };
  }

  /** Size of the file in bytes. */
  get fileBytes(): number {
    return this.#content.file.fileBytes;
  }

  /** Hides deleted profiles from now on; replaces earlier deletions. */
  setDeletions(deletions: readonly Deletion[]): void {
    this.#leftOut = deletions;
    this.#deletionsSet += 1;
  }

  /**
   * Returns a number that grows when the deletions change; nothing else in a block ever changes.
   */
  version(): number {
    return this.#deletionsSet;
  }

  /** Deletions whose profiles are still in the file. */
  get deletions(): readonly Deletion[] {
    return this.#leftOut;
  }

  async dictionary(signal?: AbortSignal): Promise<Dictionary> {
    return this.#content.until(signal).dictionary();
  }

  async select(
    query: SeriesQuery,
    part: number,
    noteMissing: (sentence: string) => void,
    signal?: AbortSignal,
  ): Promise<StoredSeries[]> {
    const content = this.#content.until(signal);
    const search = await this.#search(noteMissing, signal);
    const series: StoredSeries[] = [];
    for await (const { coverage, rowFilter, hasRows } of search.candidates(query)) {
      const { key } = coverage.stream;
      for (const [valueColumn, profileType] of listProfileTypes(key).entries()) {
        if (query.profileType && !equalProfileTypes(profileType, query.profileType)) continue;
        const options = { content, part, coverage, valueColumn, rowFilter, noteMissing };
        const slice = new BlockSlice(options);
        const slices = [hasRows ? slice : new RowlessSlice(slice)];
        series.push({ labels: key.labels, profileType, slices });
      }
    }
    return series;
  }

  async labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<Iterable<string>> {
    return (await this.#labels(signal)).names(query);
  }

  async labelValues(
    name: string,
    query: SeriesQuery,
    signal?: AbortSignal,
  ): Promise<Iterable<string>> {
    return (await this.#labels(signal)).values(name, query);
  }

  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    return (await this.#labels(signal)).types(range, matchers);
  }

  async has(key: StreamKey, timeNanos: bigint, contentHash: bigint): Promise<boolean> {
    const { minNanos, maxNanos, profileCount } = this.facts;
    if (profileCount === 0 || timeNanos < minNanos || maxNanos < timeNanos) return false;
    const deleted = deletedRanges(this.deletions, key);
    if (deleted.some(({ from, to }) => from <= timeNanos && timeNanos <= to)) return false;
    const search = await this.#search(ignore);
    const hash = Number(BigInt.asUintN(32, contentHash));
    for await (const streams of search.streams(await search.labels.withKey(key))) {
      for (const { key: found, chunks } of streams) {
        if (found.labels.length !== key.labels.length) continue;
        for (const chunk of chunks) {
          const [{ firstNanos, lastNanos }] = chunk.digests;
          if (timeNanos < firstNanos || lastNanos < timeNanos) continue;
          const profiles = await this.#content.profiles(chunk);
          const hashes = profiles.contentHashes;
          const times = profiles.timeNanos;
          if (hashes?.some((one, i) => one === hash && times[i] === timeNanos)) return true;
        }
      }
    }
    return false;
  }

  pin(): () => void {
    this.#pins += 1;
    let isHeld = true;
    return () => {
      assert(isHeld, 'a pin is released once');
      isHeld = false;
      this.#pins -= 1;
      if (this.#pins > 0) return;
      this.#content.forgetTexts();
      this.#closing?.();
    };
  }

  /**
   * Yields all streams with their chunks, in the order of compareStreamKeys, for compaction and
   * export. Deleted profiles are left out; data that cannot be read is reported as missing.
   */
  async *streams(noteMissing: (sentence: string) => void): AsyncGenerator<BlockStream> {
    const search = await this.#search(noteMissing);
    const refs = allRefs(search.directory.streamCount);
    for await (const streams of search.streams(refs)) {
      for (const stream of streams) {
        const deleted = deletedRanges(this.deletions, stream.key);
        yield new BlockStream(this.#content, stream, deleted, noteMissing);
      }
    }
  }

  /** Reads bytes of the file as they are stored. */
  readBytes(from: number, to: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#content.file.readBytes(from, to, signal);
  }

  /** Reads and decodes everything, and returns all damage. */
  verify(): Promise<BlockDamage[]> {
    return verifyBlock(this.#content);
  }

  /** Closes the file after the last reader. May be called twice. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#pins > 0) {
      await new Promise<void>((resolve) => {
        this.#closing = resolve;
      });
    }
    await this.#content.close();
  }

  #search(noteMissing: (sentence: string) => void, signal?: AbortSignal): Promise<BlockSearch> {
    return BlockSearch.begin(this.#searchOptions(noteMissing, signal));
  }

  #labels(signal?: AbortSignal): Promise<BlockLabels> {
    return BlockLabels.begin(this.#searchOptions(ignore, signal));
  }

  #searchOptions(noteMissing: (sentence: string) => void, signal?: AbortSignal): SearchOptions {
    const { deletions } = this;
    const content = this.#content.until(signal);
    const clock = this.#clock;
    const pacer = clock && stoppablePacer(new Pacer(clock), signal);
    return { content, deletions, noteMissing, pause: () => pacer?.pause() };
  }
}

function ignore(): void {
  // Damage is counted where it is found; there is no answer here to report it in.
}
