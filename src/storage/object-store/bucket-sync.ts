// Synchronizes a store with its bucket. Each pass uploads blocks, removes objects and frees disk
// space.
import { sleep } from '../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import {
  leaseCheckMillis,
  objectRemoveDelayMillis,
  objectSettledMillis,
  objectStartMillisMax,
  objectSyncMillis,
  objectSyncRetryMillisMax,
} from '../limits.ts';
import type { Metrics } from '../../base/metrics.ts';
import { duringWork } from '../../base/work.ts';
import {
  parseBlockId,
  blockName,
  blocksFolder,
  parseDeletedId,
  deletedName,
} from '../files/block-names.ts';
import { deletesAll } from '../files/deletions.ts';
import { generalFailures, RemoteBlocks, type RemoteBlocksOptions } from './remote-blocks.ts';
import { isShipped, planShipping } from './ship-plan.ts';

interface BucketSyncOptions<Block> extends RemoteBlocksOptions<Block> {
  /** Removes the file of a local block, but not its deletions. */
  removeLocal(block: Block): Promise<void>;
  /** Returns true if a local block is in use. It must then stay on the disk. */
  isBusy(id: string): boolean;
  /** Runs a change of the files of a block while no other change of blocks or deletions runs. */
  exclusive<T>(change: () => Promise<T>): Promise<T>;
  /**
   * Maximum size of the local blocks, in bytes. Above it, blocks that are also in the bucket are
   * removed from the disk; 0 = they stay on the disk.
   */
  readonly localBytesMax: number;
  /** Returns true if this server may change the bucket now; it is called before each change. */
  mayChange(): boolean;
}

const namePattern = /^[A-Za-z0-9-]+\.(block|deleted)$/;
const retryMillisMin = 5_000;
/**
 * Runs passes one after another until it is stopped. The pause grows after each failed pass. Local
 * storage never waits for the bucket.
 */
export class BucketSync<Block> {
  readonly #options: BucketSyncOptions<Block>;
  readonly #metrics: ReturnType<typeof createSyncMetrics>;
  readonly #remote: RemoteBlocks<Block>;
  /** Ids of blocks that are permanently gone and have to be removed from the bucket. */
  readonly #retired = new Set<string>();
  /**
   * Monotonic time at which this server noticed that an object was replaced, by name of the object.
   */
  readonly #replacedMillis = new Map<string, number>();
  /** True once `retired` includes the blocks that an earlier process retired. */
  #isRecalled = false;
  /** True once the bucket has been listed. */
  #isSeen = false;
  /** Time at which this server first tried to list the bucket. */
  #startNanos: bigint | undefined;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(options: BucketSyncOptions<Block>) {
    this.#options = options;
    this.#metrics = createSyncMetrics(options.metrics, () => this.#remote.count);
    this.#remote = new RemoteBlocks(options, this.#metrics.failures);
  }

  /** Ids of blocks that are permanently gone and may still be in the bucket. */
  get retired(): ReadonlySet<string> {
    return this.#retired;
  }

  /** Returns true if a block of the list is only in the bucket. */
  isRemote(id: string): boolean {
    return this.#remote.has(id);
  }

  /**
   * Starts the passes. Resolves when the blocks of the bucket are in the list, or after a timeout;
   * after a timeout, they are added later.
   */
  async start(): Promise<void> {
    const first = this.pass(true);
    this.#running = first.then((millis) => this.#loop(millis));
    const limit = new AbortController();
    const tooLong = sleep(this.#options.clock, objectStartMillisMax, limit.signal);
    await Promise.race([first, tooLong.catch(() => undefined)]);
    limit.abort();
  }

  /** Removes blocks from the list, and later from the bucket. */
  retire(ids: readonly string[]): void {
    for (const id of ids) this.#retired.add(id);
    this.#remote.remove(ids);
  }

  /** Stops starting steps. */
  halt(): void {
    this.#stopping.abort();
  }

  /**
   * Aborts the current step and stops. Idempotent. Blocks of the bucket that are in the list stay
   * open.
   */
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
      if (signal.aborted) break;
      pause = await duringWork('pass over the bucket', () => this.pass(false));
    }
  }

  /**
   * Runs one pass. Never rejects. Resolves with the pause before the next pass, in milliseconds.
   */
  async pass(isFirst: boolean): Promise<number> {
    const { clock, logger, bucket, list } = this.#options;
    try {
      if (!this.#isRecalled) await this.#recallRetired();
      const objects = await this.#objects();
      await this.#remote.adopt(objects, this.#retired);
      this.#isSeen = true;
      list.lost.remove(bucket.name);
      // The first pass uploads nothing, so that the server is ready sooner.
      if (isFirst) return 0;
      if (!this.#options.mayChange()) return leaseCheckMillis;
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

  /** Finds the blocks that an earlier process retired but did not remove from the bucket. */
  async #recallRetired(): Promise<void> {
    const { blocksPath, files } = this.#options;
    for (const name of await files.listFiles(blocksPath)) {
      const id = parseDeletedId(name);
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

  async #localDeletions(): Promise<Map<string, number>> {
    const { blocksPath, files } = this.#options;
    const sizes = new Map<string, number>();
    for (const name of await files.listFiles(blocksPath)) {
      const id = parseDeletedId(name);
      if (id === undefined) continue;
      sizes.set(id, (await files.read(`${blocksPath}/${name}`)).length);
    }
    return sizes;
  }

  /**
   * Reports that the bucket may have blocks that this server does not know. Such blocks were
   * created before its start.
   */
  #noteUnseen(error: unknown): void {
    const { list, bucket, clock } = this.#options;
    const why = `cannot read the blocks of bucket ${bucket.name}: ${errorMessage(error)}`;
    this.#startNanos ??= clock.nowNanos();
    list.lost.add(bucket.name, this.#startNanos, why);
  }

  async #ship(objects: Map<string, number>): Promise<void> {
    const plan = async (): Promise<ReturnType<typeof planShipping>> => {
      const localDeletions = await this.#localDeletions();
      const { list, summarize: summaryOf, clock } = this.#options;
      const all = list.blocks().map(summaryOf);
      return planShipping({
        local: all.filter(({ id }) => !this.#remote.has(id)),
        remote: all.filter(({ id }) => this.#remote.has(id)),
        localDeletions,
        objects,
        retired: this.#retired,
        nowNanos: clock.nowNanos(),
      });
    };
    for (const name of (await plan()).uploads) await this.#upload(name, objects);
    for (const name of this.#due((await plan()).removals)) {
      this.#checkLease();
      await this.#options.bucket.remove(`${blocksFolder}/${name}`);
      objects.delete(name);
      this.#metrics.removed.add();
    }
    for (const id of this.#retired) {
      if (objects.has(blockName(id)) || objects.has(deletedName(id))) continue;
      const { blocksPath, files } = this.#options;
      // The deletions must stay as long as the block is on the disk.
      if (await files.exists(`${blocksPath}/${blockName(id)}`)) continue;
      const deletions = `${blocksPath}/${deletedName(id)}`;
      if (await files.exists(deletions)) await files.remove(deletions);
      this.#retired.delete(id);
    }
  }

  /**
   * Returns the removals that are due. Replaced objects stay in the bucket for a while, because
   * query servers may be reading them.
   */
  #due(removals: readonly string[]): string[] {
    const now = this.#options.clock.monotonicMillis();
    for (const name of this.#replacedMillis.keys()) {
      if (!removals.includes(name)) this.#replacedMillis.delete(name);
    }
    return removals.filter((name) => {
      const id = parseBlockId(name) ?? parseDeletedId(name);
      if (id !== undefined && this.#retired.has(id)) return true;
      const since = this.#replacedMillis.get(name) ?? now;
      this.#replacedMillis.set(name, since);
      return now - since >= objectRemoveDelayMillis;
    });
  }

  /** Throws if this server is stopping or may not change the bucket. */
  #checkLease(): void {
    this.#stopping.signal.throwIfAborted();
    if (this.#options.mayChange()) return;
    throw new AppError('unavailable', 'cannot change the bucket: its lease is not held');
  }

  /** Uploads a file. Skips an unreadable file. */
  async #upload(name: string, objects: Map<string, number>): Promise<void> {
    const { blocksPath, bucket, files, logger } = this.#options;
    this.#checkLease();
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
        if (parseBlockId(name) !== undefined) this.#metrics.shipped.add();
        logger.info('shipped', { object: name, bytes, bucket: bucket.name });
      } finally {
        await file.close();
      }
    } catch (error) {
      const code = errorCode(error);
      if (generalFailures.has(code) || code === 'internal') throw error;
      // The file was removed after the plan was made.
      if (code === 'not-found') return;
      this.#metrics.failures.add();
      logger.error('cannot ship', { object: name, error: errorMessage(error) });
    }
  }

  /** While local blocks take too many bytes, removes the oldest uploaded blocks from the disk. */
  async #freeDisk(objects: ReadonlyMap<string, number>): Promise<void> {
    const { list, localBytesMax, summarize: summaryOf, clock, exclusive } = this.#options;
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

  /**
   * Serves a block from the bucket instead of from the disk. Returns false if the block is in use
   * or gone.
   */
  async #moveOff(block: Block): Promise<boolean> {
    const { list, summarize: summaryOf, isBusy, removeLocal } = this.#options;
    const isFree = (): boolean => list.blocks().includes(block) && !isBusy(summaryOf(block).id);
    if (!(await this.#remote.takeOver(block, isFree))) return false;
    await removeLocal(block);
    return true;
  }
}

/** Registers the metrics. `remoteCount` is called when /metrics is read. */
function createSyncMetrics(metrics: Metrics, remoteCount: () => number) {
  metrics.observedGauge(
    'parca_storage_object_blocks',
    'Blocks that are only in the bucket.',
    remoteCount,
  );
  return {
    shipped: metrics.counter(
      'parca_storage_object_shipped_blocks_total',
      'Blocks that were shipped to the bucket.',
    ),
    shippedBytes: metrics.counter(
      'parca_storage_object_shipped_bytes_total',
      'Bytes that were shipped to the bucket.',
    ),
    removed: metrics.counter(
      'parca_storage_object_removed_total',
      'Objects that were removed from the bucket.',
    ),
    failures: metrics.counter(
      'parca_storage_object_sync_failures_total',
      'Passes over the bucket, and objects in them, that failed.',
    ),
    lastSuccess: metrics.gauge(
      'parca_storage_object_last_success_timestamp_seconds',
      'When bucket and disk were last brought together.',
    ),
  };
}
