// Synchronizes a store with its bucket: adopts and ships blocks, removes objects, frees the disk.
import { sleep, type Clock } from '../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import type { Files } from '../../base/files.ts';
import {
  objectOpensAtOnceMax,
  objectSettledMillis,
  objectStartMillisMax,
  objectSyncMillis,
  objectSyncRetryMillisMax,
} from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { ReadableFile } from '../block/block-file.ts';
import { BucketFile } from './bucket-file.ts';
import type { Bucket } from './bucket.ts';
import type { PageCache } from './page-cache.ts';
import { RangeReader } from './range-reader.ts';
import { isShipped, planShipping, supersededBy, type BlockSummary } from './ship-plan.ts';
import { createSyncMetrics, type SyncMetrics } from './sync-metrics.ts';
import {
  blockIdOf,
  blockName,
  blocksFolder,
  deletedIdOf,
  deletedName,
  createdNanosOf,
} from '../files/block-names.ts';
import { deletesAll } from '../files/deletions.ts';
import type { LostParts } from '../lost-parts.ts';
import { replaceFile } from '../files/durable-files.ts';

/** The list of blocks that queries see. Changes are synchronous. */
export interface BlockList<Block> {
  blocks(): readonly Block[];
  /** Replaces blocks in one step. Removed blocks are closed after their last reader. */
  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void;
  /** Parts that answers lack. */
  readonly lost: Pick<LostParts, 'add' | 'remove'>;
}

interface BucketSyncOptions<Block> {
  readonly bucket: Bucket;
  readonly cache: PageCache;
  readonly files: Files;
  /** The folder of `<id>.block` and `<id>.deleted` files. */
  readonly blocksPath: string;
  readonly list: BlockList<Block>;
  summaryOf(block: Block): BlockSummary;
  /** Opens a block of the bucket. Its deletions, if any, are in `blocksPath`. */
  open(file: ReadableFile, id: string): Promise<Block>;
  /** Closes an opened block that was not put into the list. */
  release(block: Block): void;
  /** Removes the file of a local block, but not its deletions. */
  removeLocal(block: Block): Promise<void>;
  /** Whether a local block is in use, so that it must stay. */
  isBusy(id: string): boolean;
  /** Runs a change of a block's files while no other change of blocks or deletions runs. */
  exclusive<T>(change: () => Promise<T>): Promise<T>;
  /** Bytes of local blocks above which shipped ones are removed from the disk; 0 = they stay. */
  readonly localBytesMax: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const namePattern = /^[A-Za-z0-9-]+\.(block|deleted)$/;
const retryMillisMin = 5_000;
/** Failures that are not about one object. */
const generalFailures: ReadonlySet<string> = new Set([
  'unavailable',
  'deadline-exceeded',
  'failed-precondition',
  'resource-exhausted',
]);

/**
 * Runs passes one after the other until it is stopped. After a failed pass the pauses grow. Local
 * storage never waits for the bucket.
 */
export class BucketSync<Block> {
  readonly #options: BucketSyncOptions<Block>;
  readonly #reader: RangeReader;
  readonly #metrics: SyncMetrics;
  /** Blocks of the list that are only in the bucket, by id. */
  readonly #remote = new Map<string, Block>();
  /** Ids of blocks that are gone for good and have to be removed from the bucket. */
  readonly #retired = new Set<string>();
  /** Whether `retired` includes the blocks that an earlier run retired. */
  #isRecalled = false;
  /** Objects that cannot be opened, and why. They are not tried again at the same size. */
  readonly #broken = new Map<string, { readonly bytes: number; readonly why: string }>();
  /** Whether the bucket was listed; until then, when that was first tried. */
  #isSeen = false;
  #startNanos: bigint | undefined;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(options: BucketSyncOptions<Block>) {
    this.#options = options;
    const { bucket, clock, metrics } = options;
    this.#reader = new RangeReader(bucket, clock, metrics);
    this.#metrics = createSyncMetrics(metrics, () => this.#remote.size);
  }

  /** Whether a block of the list is only in the bucket. */
  isRemote(id: string): boolean {
    return this.#remote.has(id);
  }

  /**
   * Starts the passes. Resolves when the bucket's blocks are in the list, or after a time-out; then
   * they come later.
   */
  async start(): Promise<void> {
    const first = this.pass(true);
    this.#running = first.then((millis) => this.#loop(millis));
    const limit = new AbortController();
    const tooLong = sleep(this.#options.clock, objectStartMillisMax, limit.signal);
    await Promise.race([first, tooLong.catch(() => undefined)]);
    limit.abort();
  }

  /** Takes blocks out of the list and has them removed from the bucket. */
  retire(ids: readonly string[]): void {
    const gone: Block[] = [];
    for (const id of ids) {
      this.#retired.add(id);
      const block = this.#remote.get(id);
      if (block !== undefined) gone.push(block);
    }
    this.#drop(gone, []);
  }

  /** Stops after the current step. Idempotent. Adopted blocks stay open. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#options.bucket.close();
    await this.#running;
    await this.#options.cache.close();
  }

  async #loop(firstPause: number): Promise<void> {
    const { signal } = this.#stopping;
    let pause = firstPause;
    while (!signal.aborted) {
      await sleep(this.#options.clock, pause, signal).catch(() => undefined);
      if (!signal.aborted) pause = await this.pass(false);
    }
  }

  /** Runs one pass. Resolves with the pause after it, in milliseconds; never rejects. */
  async pass(isFirst: boolean): Promise<number> {
    const { clock, logger, bucket, list } = this.#options;
    try {
      if (!this.#isRecalled) await this.#recallRetired();
      const objects = await this.#objects();
      await this.#adopt(objects);
      this.#isSeen = true;
      list.lost.remove(bucket.name);
      // The server is ready before blocks are shipped.
      if (isFirst) return 0;
      await this.#ship(objects);
      await this.#freeDisk(objects);
      this.#metrics.lastSuccess.set(clock.nowMillis() / 1000);
      if (this.#failures > 0) logger.info('the bucket is in use again', { bucket: bucket.name });
      this.#failures = 0;
      return objectSyncMillis;
    } catch (error) {
      if (this.#stopping.signal.aborted) return 0;
      this.#metrics.failures.add();
      this.#failures += 1;
      if (!this.#isSeen) this.#noteUnseen(error);
      const pause = Math.min(
        retryMillisMin * 2 ** Math.min(this.#failures - 1, 20),
        objectSyncRetryMillisMax,
      );
      const again = `${pause / 1000}s`;
      logger.warn('cannot use the bucket', { error: errorMessage(error), again });
      return pause;
    }
  }

  /** Finds the blocks that an earlier run retired and had no time to remove from the bucket. */
  async #recallRetired(): Promise<void> {
    const { blocksPath, files } = this.#options;
    for (const name of await files.listFiles(blocksPath)) {
      const id = deletedIdOf(name);
      if (id === undefined || (await files.exists(`${blocksPath}/${blockName(id)}`))) continue;
      if (deletesAll(await files.read(`${blocksPath}/${name}`))) this.#retired.add(id);
    }
    this.#isRecalled = true;
  }

  async #objects(): Promise<Map<string, number>> {
    const isOurs = (name: string): boolean => namePattern.test(name);
    const found = await this.#options.bucket.list(blocksFolder, isOurs);
    return new Map(found.map(({ name, bytes }) => [name, bytes]));
  }

  /** Adds blocks of the bucket to the list, and takes out blocks that are no longer there. */
  async #adopt(objects: ReadonlyMap<string, number>): Promise<void> {
    const { list, summaryOf, release } = this.#options;
    const known = new Set(list.blocks().map((block) => summaryOf(block).id));
    const superseded = supersededBy(list.blocks().map(summaryOf));
    const isWanted = (id: string, bytes: number): boolean =>
      this.#broken.get(id)?.bytes !== bytes &&
      !(known.has(id) || superseded.has(id) || this.#retired.has(id));
    const wanted: (readonly [id: string, bytes: number])[] = [];
    for (const [name, bytes] of objects) {
      const id = blockIdOf(name);
      if (id !== undefined && isWanted(id, bytes)) wanted.push([id, bytes]);
    }
    const opened: Block[] = [];
    const failure = await forEachAtOnce(wanted, objectOpensAtOnceMax, async ([id, bytes]) => {
      const block = await this.#openObject(id, bytes, objects);
      if (block !== undefined) opened.push(block);
    });
    // The list may have changed meanwhile. From here on there is no await.
    const gone = [...this.#remote].filter(([id]) => !objects.has(blockName(id)));
    const now = new Set(list.blocks().map((block) => summaryOf(block).id));
    const over = supersededBy([...list.blocks(), ...opened].map(summaryOf));
    const isOver = (id: string): boolean => over.has(id) || this.#retired.has(id);
    this.#noteBroken(objects, (id) => now.has(id) || isOver(id));
    const added = opened.filter((block) => {
      const { id } = summaryOf(block);
      const isNew = !now.has(id) && !isOver(id);
      if (isNew) this.#remote.set(id, block);
      else release(block);
      return isNew;
    });
    for (const [id, block] of this.#remote) if (isOver(id)) gone.push([id, block]);
    this.#drop([...new Set(gone.map(([, block]) => block))], added);
    // In an outage, the blocks that could be opened are served.
    if (failure !== undefined) throw failure.error;
  }

  /** Notes that the blocks of the bucket are unknown. None is later than this start. */
  #noteUnseen(error: unknown): void {
    const { list, bucket, clock } = this.#options;
    const why = `cannot read the blocks of bucket ${bucket.name}: ${errorMessage(error)}`;
    this.#startNanos ??= clock.nowNanos();
    list.lost.add(bucket.name, this.#startNanos, why);
  }

  /** Notes blocks that cannot be opened as lost, unless other blocks have their profiles. */
  #noteBroken(objects: ReadonlyMap<string, number>, isKnown: (id: string) => boolean): void {
    const { lost } = this.#options.list;
    for (const [id, { why }] of this.#broken) {
      if (!objects.has(blockName(id))) this.#broken.delete(id);
      if (!this.#broken.has(id) || isKnown(id)) lost.remove(id);
      else lost.add(id, createdNanosOf(id), `cannot read block ${id} of the bucket: ${why}`);
    }
  }

  #drop(gone: readonly Block[], added: readonly Block[]): void {
    const { list, summaryOf, cache } = this.#options;
    if (gone.length + added.length === 0) return;
    list.replaceBlocks(gone, added);
    for (const block of gone) {
      const { id } = summaryOf(block);
      this.#remote.delete(id);
      cache.forget(id);
    }
  }

  /** Opens a block; undefined when it is damaged. A bucket that does not answer fails the pass. */
  async #openObject(
    id: string,
    bytes: number,
    objects: ReadonlyMap<string, number>,
  ): Promise<Block | undefined> {
    const { logger, open } = this.#options;
    try {
      await this.#fetchDeletions(id, objects);
      const block = await open(this.#fileOf(id, bytes), id);
      this.#broken.delete(id);
      return block;
    } catch (error) {
      const isGeneral = generalFailures.has(errorCode(error)) || !(error instanceof AppError);
      if (isGeneral) throw error;
      const why = errorMessage(error);
      this.#broken.set(id, { bytes, why });
      this.#metrics.failures.add();
      logger.error('cannot open a block of the bucket', { id, error: why });
      return undefined;
    }
  }

  #fileOf(id: string, bytes: number): BucketFile {
    const reader = this.#reader;
    const key = `${blocksFolder}/${blockName(id)}`;
    return new BucketFile({ key, name: id, bytes, reader, cache: this.#options.cache });
  }

  /** Copies a block's deletions to the local disk, where deletes add to them. */
  async #fetchDeletions(id: string, objects: ReadonlyMap<string, number>): Promise<void> {
    const { blocksPath, bucket, files } = this.#options;
    const name = deletedName(id);
    const bytes = objects.get(name);
    if (bytes === undefined) return;
    const have = (await this.#localDeletions()).get(id) ?? -1;
    if (bytes > have) {
      const content = await bucket.readRange(`${blocksFolder}/${name}`, 0, bytes);
      await replaceFile(files, `${blocksPath}/${name}`, (file) => file.append(content));
    }
  }

  async #localDeletions(): Promise<Map<string, number>> {
    const { blocksPath, files } = this.#options;
    const sizes = new Map<string, number>();
    for (const name of await files.listFiles(blocksPath)) {
      const id = deletedIdOf(name);
      if (id === undefined) continue;
      sizes.set(id, (await files.read(`${blocksPath}/${name}`)).length);
    }
    return sizes;
  }

  async #ship(objects: Map<string, number>): Promise<void> {
    const plan = async (): Promise<ReturnType<typeof planShipping>> => {
      const localDeletions = await this.#localDeletions();
      const { list, summaryOf, clock } = this.#options;
      const all = list.blocks().map(summaryOf);
      return planShipping({
        local: all.filter(({ id }) => !this.#remote.has(id)),
        remote: all.filter(({ id }) => this.#remote.has(id)),
        ...{ localDeletions, objects, retired: this.#retired, nowNanos: clock.nowNanos() },
      });
    };
    for (const name of (await plan()).uploads) await this.#upload(name, objects);
    for (const name of (await plan()).removals) {
      this.#stopping.signal.throwIfAborted();
      await this.#options.bucket.remove(`${blocksFolder}/${name}`);
      objects.delete(name);
      this.#metrics.removed.add();
    }
    for (const id of this.#retired) {
      if (objects.has(blockName(id)) || objects.has(deletedName(id))) continue;
      const { blocksPath, files } = this.#options;
      // A block that is still on the disk must not lose its deletions first.
      if (await files.exists(`${blocksPath}/${blockName(id)}`)) continue;
      const deletions = `${blocksPath}/${deletedName(id)}`;
      if (await files.exists(deletions)) await files.remove(deletions);
      this.#retired.delete(id);
    }
  }

  /** Uploads a file. One that cannot be read is skipped. */
  async #upload(name: string, objects: Map<string, number>): Promise<void> {
    const { blocksPath, bucket, files, logger } = this.#options;
    this.#stopping.signal.throwIfAborted();
    try {
      const file = await files.open(`${blocksPath}/${name}`, { create: false });
      try {
        const bytes = await file.size();
        await bucket.put(`${blocksFolder}/${name}`, file);
        const stored = await bucket.size(`${blocksFolder}/${name}`);
        if (stored !== bytes) {
          const why = `it has ${stored ?? 0} bytes there, expected ${bytes}`;
          throw new AppError('unavailable', `cannot ship ${name}: ${why}`);
        }
        objects.set(name, bytes);
        this.#metrics.shippedBytes.add(bytes);
        if (blockIdOf(name) !== undefined) this.#metrics.shipped.add();
        logger.info('shipped', { object: name, bytes, bucket: bucket.name });
      } finally {
        await file.close();
      }
    } catch (error) {
      const code = errorCode(error);
      if (generalFailures.has(code) || code === 'internal') throw error;
      // Removed since the plan was made.
      if (code === 'not-found') return;
      this.#metrics.failures.add();
      logger.error('cannot ship', { object: name, error: errorMessage(error) });
    }
  }

  /** Removes the oldest shipped blocks from the disk while local blocks take too many bytes. */
  async #freeDisk(objects: ReadonlyMap<string, number>): Promise<void> {
    const { list, localBytesMax, summaryOf, clock, exclusive } = this.#options;
    if (localBytesMax === 0) return;
    const isLocal = (block: Block): boolean => !this.#remote.has(summaryOf(block).id);
    const local = list
      .blocks()
      .filter(isLocal)
      .toSorted((a, b) => (summaryOf(a).maxNanos < summaryOf(b).maxNanos ? -1 : 1));
    const settled = clock.nowNanos() - BigInt(objectSettledMillis) * 1_000_000n;
    let bytes = local.reduce((sum, block) => sum + summaryOf(block).fileBytes, 0);
    for (const block of local) {
      const summary = summaryOf(block);
      if (bytes <= localBytesMax) return;
      const isSettled = summary.level === 2 || summary.maxNanos < settled;
      if (!isSettled || !isShipped(summary, objects)) continue;
      this.#stopping.signal.throwIfAborted();
      if (await exclusive(() => this.#moveOff(block))) bytes -= summary.fileBytes;
    }
  }

  /** Serves a block from the bucket instead of the disk. Returns false if it is in use or gone. */
  async #moveOff(block: Block): Promise<boolean> {
    const { list, summaryOf, isBusy, open, removeLocal, release } = this.#options;
    const { id, fileBytes } = summaryOf(block);
    const isFree = (): boolean => list.blocks().includes(block) && !isBusy(id);
    if (!isFree()) return false;
    const copy = await open(this.#fileOf(id, fileBytes), id);
    if (!isFree()) {
      release(copy);
      return false;
    }
    this.#remote.set(id, copy);
    list.replaceBlocks([block], [copy]);
    await removeLocal(block);
    return true;
  }
}

/**
 * Runs `work` for all items, `atOnceMax` at a time. Resolves with the first failure, at the end.
 */
async function forEachAtOnce<T>(
  items: readonly T[],
  atOnceMax: number,
  work: (item: T) => Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  const left = [...items].reverse();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, worker));
  return failure;
}
