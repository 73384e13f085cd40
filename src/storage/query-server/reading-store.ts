// A store without a directory. It answers from the blocks of a bucket and from live servers.
import { memoryShare } from '../../base/memory-limit.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { everyone, runAs } from '../../base/current-caller.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { int64Max } from '../../base/int64.ts';
import { blockCacheBytesMax, bucketListMillis, objectOpensAtOnceMax } from '../limits.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import { BlockCache } from '../block/block-cache.ts';
import { type Block, openBlock } from '../block/block.ts';
import { blockName, blocksFolder, parseCreatedNanos, deletedName } from '../files/block-names.ts';
import { decodeDeletions } from '../files/deletions.ts';
import type { Querier, Selection, SeriesQuery, TimeRange } from '../interface.ts';
import { LostParts } from '../lost-parts.ts';
import { BucketFile } from '../object-store/bucket-file.ts';
import type { Bucket } from '../object-store/bucket.ts';
import type { PageCache } from '../object-store/page-cache.ts';
import { RangeReader } from '../object-store/range-reader.ts';
import { supersededBy } from '../object-store/ship-plan.ts';
import { PartList } from '../store/part-list.ts';
import { PartsQuerier } from '../store/parts-querier.ts';
import { createMergePool } from '../sum/merge-pool.ts';
import { SumQuerier } from '../sum/sum-querier.ts';
import type { BucketFolders, FolderBlock } from './bucket-folders.ts';
import { LiveParts, type LiveServer } from './live-parts.ts';

interface ReadingStoreOptions {
  /**
   * Folders of the bucket. If there is no bucket, it is undefined, and the live servers have all
   * data.
   */
  readonly folders: BucketFolders | undefined;
  readonly servers: readonly LiveServer[];
  readonly cache: PageCache;
  /** Maximum memory of the copies of all heads, in bytes. */
  readonly memoryBytesMax: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Source of a block: the bucket, or a live server. */
interface BlockPlace {
  readonly id: string;
  readonly fileBytes: number;
  readonly from: Bucket | LiveServer;
  /** Value that identifies the deletions of the block: either their bytes or their size. */
  readonly deletions: Uint8Array | number;
}

interface OpenedBlock {
  readonly block: Block;
  readonly place: BlockPlace;
}

/**
 * The parts of this store are the blocks of the bucket, and the blocks and heads of live servers.
 * Each profile is in exactly one part, because a block has the same id everywhere, and replaces the
 * blocks whose ids it contains. A server lists its blocks and heads as of one instant, which is
 * after the bucket was listed.
 */
export class ReadingStore implements Querier {
  readonly #options: ReadingStoreOptions;
  readonly #parts = new PartList<Block>();
  readonly #lost = new LostParts();
  readonly #live: readonly LiveParts[];
  readonly #mergePool = createMergePool();
  readonly #querier: SumQuerier;
  readonly #blockCache = new BlockCache(memoryShare('blocks', blockCacheBytesMax));
  readonly #readers = new Map<Bucket | LiveServer, RangeReader>();
  readonly #opened = new Map<string, OpenedBlock>();
  readonly #stopping = new AbortController();
  #listing: Promise<void> = Promise.resolve();
  /** Version of the data from which the list of parts was made. */
  #assembled = '';
  #lists = new WeakMap<object, number>();
  #listCount = 0;
  /** Blocks that cannot be read, with the reason for each. */
  readonly #broken = new Map<string, string>();
  /** Problems of folders and servers that were logged in this refresh or the previous one. */
  readonly #noted = new Set<string>();
  readonly #kept = new Set<string>();
  /** The refresh that is running, and the refresh that begins after it. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(options: ReadingStoreOptions) {
    this.#options = options;
    const { servers, memoryBytesMax, metrics, logger } = options;
    this.#live = servers.map((server, number) => {
      return new LiveParts({
        ...options,
        server,
        number,
        memoryBytesMax: memoryBytesMax / servers.length,
      });
    });
    const failures = metrics.counter(
      'parca_storage_part_failures_total',
      'Questions that a head or block could not answer.',
    );
    const series = new PartsQuerier({
      parts: this.#parts,
      lost: this.#lost,
      onMissing: (part, error) => {
        failures.add();
        logger.error('cannot read a part of the store', { part, error: errorMessage(error) });
      },
    });
    this.#querier = new SumQuerier(series, this.#mergePool);
    metrics.observedGauge(
      'parca_query_server_blocks',
      'Blocks that this query server reads.',
      () => this.#parts.blocks.length,
    );
    metrics.observedGauge(
      'parca_query_server_live_servers',
      'Live servers that answer.',
      () => this.#live.filter(({ problem }) => problem === undefined).length,
    );
  }

  /** Lists the bucket immediately, and then twice a minute. */
  async start(): Promise<void> {
    await this.#options.folders?.refresh();
    await this.#fresh();
    this.#listing = this.#listAgain();
  }

  async select(query: SeriesQuery, signal?: AbortSignal): Promise<Selection> {
    await this.#fresh(signal);
    return this.#querier.select(query, signal);
  }

  async labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    await this.#fresh(signal);
    return this.#querier.labelNames(query, signal);
  }

  async labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    await this.#fresh(signal);
    return this.#querier.labelValues(name, query, signal);
  }

  async profileTypes(
    range: TimeRange,
    matchers?: readonly LabelMatcher[],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    await this.#fresh(signal);
    return this.#querier.profileTypes(range, matchers, signal);
  }

  async hasData(): Promise<boolean> {
    await this.#fresh();
    return this.#querier.hasData();
  }

  missingIn(range: TimeRange): string[] {
    return this.#querier.missingIn(range);
  }

  /** Stops refreshing, and closes everything. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#listing;
    await this.#running;
    await this.#mergePool.close();
    for (const { block } of this.#opened.values()) await block.close();
    for (const { server } of this.#live) server.close();
    await this.#options.folders?.close();
    await this.#options.cache.close();
  }

  async #listAgain(): Promise<void> {
    const { clock, folders } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await sleep(clock, bucketListMillis, signal).catch(() => undefined);
      if (!signal.aborted) await folders?.refresh();
    }
  }

  /** Waits for `#refreshed`. If the caller leaves, the refresh continues. */
  async #fresh(signal?: AbortSignal): Promise<void> {
    const refreshed = this.#refreshed();
    await (signal === undefined ? refreshed : untilAborted(refreshed, signal));
  }

  /** Resolves after a refresh that begins now or later. Concurrent queries share a refresh. */
  #refreshed(): Promise<void> {
    if (this.#running === undefined) {
      // All queries wait for this refresh, no matter which of them starts it.
      const running = runAs(everyone, () => this.#refresh()).finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
      this.#running = running;
      return running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#refreshed();
      });
    return this.#next;
  }

  async #refresh(): Promise<void> {
    // The list of the bucket is taken first. The servers are asked afterwards, so they know every
    // block in it.
    const list = this.#options.folders?.list ?? noList;
    await Promise.all(this.#live.map((live) => live.look()));
    const state = [this.#numberList(list), ...this.#live.map(({ changes }) => changes)].join(' ');
    if (state !== this.#assembled && (await this.#assemble(list.blocks))) this.#assembled = state;
    for (const [i, sentence] of list.problems.entries()) {
      this.#noteLoss(`bucket ${i}`, { lastNanos: int64Max, sentence });
    }
    for (const [i, live] of this.#live.entries()) {
      for (const [j, loss] of live.missing().entries()) this.#noteLoss(`live ${i} ${j}`, loss);
    }
    this.#forgetLosses();
  }

  #noteLoss(
    id: string,
    { lastNanos, sentence }: { readonly lastNanos: bigint; readonly sentence: string },
  ): void {
    this.#lost.add(id, lastNanos, sentence);
    this.#noted.add(id);
  }

  #forgetLosses(): void {
    for (const id of this.#kept) if (!this.#noted.has(id)) this.#lost.remove(id);
    this.#kept.clear();
    for (const id of this.#noted) this.#kept.add(id);
    this.#noted.clear();
  }

  #numberList(list: object): number {
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    this.#listCount += 1;
    this.#lists.set(list, this.#listCount);
    return this.#listCount;
  }

  /**
   * Makes the list of parts. Returns false if some blocks could not be opened and must be tried
   * again.
   */
  async #assemble(inBucket: readonly FolderBlock[]): Promise<boolean> {
    const live = this.#live.filter(({ problem }) => problem === undefined);
    const places = listCopies(inBucket, live);
    const { opened, isWhole } = await this.#openAll([...places.values()]);
    const superseded = supersededBy(opened.map(({ block }) => summarizeBlock(block)));
    for (const [id, sentence] of this.#broken) {
      if (superseded.has(id) || !places.has(id)) this.#lost.remove(id);
      else this.#lost.add(id, parseCreatedNanos(id), sentence);
      if (!places.has(id)) this.#broken.delete(id);
    }
    const wanted = opened.map(({ block }) => block).filter(({ id }) => !superseded.has(id));
    this.#parts.replaceAll(
      wanted,
      live.flatMap(({ heads }) => heads),
    );
    for (const [id, { block }] of this.#opened) {
      if (!places.has(id)) this.#close(id, block);
    }
    return isWhole;
  }

  async #openAll(
    places: readonly BlockPlace[],
  ): Promise<{ readonly opened: OpenedBlock[]; readonly isWhole: boolean }> {
    const left = [...places].reverse();
    const opened: OpenedBlock[] = [];
    let isWhole = true;
    const openNext = async (): Promise<void> => {
      for (let place = left.pop(); place !== undefined; place = left.pop()) {
        try {
          opened.push(await this.#open(place));
          this.#broken.delete(place.id);
          this.#lost.remove(place.id);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          isWhole = false;
          // The block was removed after the list was made.
          if (errorCode(error) === 'not-found') continue;
          this.#broken.set(place.id, `cannot read block ${place.id}: ${errorMessage(error)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: objectOpensAtOnceMax }, openNext));
    return { opened, isWhole };
  }

  /** Returns a block. Opens it again if it has moved. */
  async #open(place: BlockPlace): Promise<OpenedBlock> {
    const known = this.#opened.get(place.id);
    if (known !== undefined && known.place.from === place.from) {
      if (isSame(known.place.deletions, place.deletions)) return known;
      known.block.setDeletions(await this.#readDeletions(place));
      const now = { block: known.block, place };
      this.#opened.set(place.id, now);
      return now;
    }
    const deletions = await this.#readDeletions(place);
    const { id, fileBytes, from } = place;
    const file = new BucketFile({
      key: `${blocksFolder}/${blockName(id)}`,
      name: id,
      bytes: fileBytes,
      reader: this.#findReader(from),
      cache: this.#options.cache,
    });
    const block = await openBlock({ ...this.#options, file, cache: this.#blockCache });
    block.setDeletions(deletions);
    if (known !== undefined) void known.block.close();
    const now = { block, place };
    this.#opened.set(id, now);
    return now;
  }

  async #readDeletions({ id, from, deletions }: BlockPlace): Promise<ReturnType<typeof decode>> {
    if (typeof deletions !== 'number') return decode(deletions);
    if (deletions === 0 || !('readRange' in from)) return [];
    const bytes = await from.readRange(`${blocksFolder}/${deletedName(id)}`, 0, deletions);
    return decode(bytes);
  }

  #findReader(from: Bucket | LiveServer): RangeReader {
    const known = this.#readers.get(from);
    if (known !== undefined) return known;
    const { clock, metrics } = this.#options;
    const source = 'readRange' in from ? from : rangeReader(from);
    const reader = new RangeReader(source, clock, metrics);
    this.#readers.set(from, reader);
    return reader;
  }

  #close(id: string, block: Block): void {
    this.#opened.delete(id);
    this.#options.cache.forget(id);
    block.close().catch((error: unknown) => {
      const details = { block: id, error: errorMessage(error) };
      this.#options.logger.warn('cannot close a block', details);
    });
  }
}

const noList = { blocks: [], problems: [] };

function decode(bytes: Uint8Array): ReturnType<typeof decodeDeletions> {
  return bytes.length === 0 ? [] : decodeDeletions(bytes);
}

/** Returns a reader of a live server's blocks, which reads them as if they were in a bucket. */
function rangeReader(server: LiveServer): Pick<Bucket, 'readRange'> {
  const [start, end] = [`${blocksFolder}/`.length, blockName('').length];
  return {
    readRange: (key, offset, length, signal) =>
      server.readBlock(key.slice(start, key.length - end), offset, length, signal),
  };
}

/**
 * Returns the source of each block, by id. If the bucket has the block, the source is the bucket.
 */
function listCopies(
  inBucket: readonly FolderBlock[],
  live: readonly LiveParts[],
): Map<string, BlockPlace> {
  const places = new Map<string, BlockPlace>();
  const gone = new Set(live.flatMap((one) => [...one.gone]));
  for (const { id, bucket, fileBytes, deletedBytes } of inBucket) {
    if (!gone.has(id)) places.set(id, { id, fileBytes, from: bucket, deletions: deletedBytes });
  }
  for (const { server, blocks } of live) {
    for (const { id, fileBytes, deletions } of blocks.values()) {
      const known = places.get(id);
      const isInBucket = known?.fileBytes === fileBytes;
      places.set(id, { id, fileBytes, from: isInBucket ? known.from : server, deletions });
    }
  }
  return places;
}

function summarizeBlock({ facts, fileBytes }: Block): Parameters<typeof supersededBy>[0][number] {
  const { id, level, sources, maxNanos } = facts;
  return { id, level, sources, maxNanos, fileBytes };
}

function isSame(a: Uint8Array | number, b: Uint8Array | number): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
