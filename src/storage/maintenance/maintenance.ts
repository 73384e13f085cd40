// Maintains the blocks of a store: compaction, retention and deletes.
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { retentionNoticeMillis } from '../../base/limits.ts';
import { retentionSightingMillisMin } from '../limits.ts';
import { duringWork } from '../../base/work.ts';
import type { DeletedSeries, SeriesQuery } from '../interface.ts';
import { CompactionRunner, type RunnerOptions } from './compaction-runner.ts';
import { deleteSeries } from './delete-series.ts';
import { idsWithSources, type BlockHost, type MaintainedBlock } from './block-host.ts';
import { createMaintenanceMetrics, type MaintenanceMetrics } from './metrics.ts';
import {
  foreseeRetention,
  bytesForRetention,
  planRetention,
  TrustedClock,
  type Removal,
  type RetentionLimits,
  type RetentionState,
} from './retention.ts';
import {
  buryBlocks,
  type DiskUse,
  measureUse,
  removeBlockFiles,
  removeOrphans,
} from './block-files.ts';
import { joinBlocksPath } from '../files/block-names.ts';

export interface MaintenanceOptions extends RunnerOptions {
  readonly retention: RetentionLimits;
}

/**
 * Runs maintenance. Compactions run one at a time, concurrently with other work. Changes of the
 * block list (publishing, retiring, deleting) also run one at a time.
 */
export class Maintenance<B extends MaintainedBlock> {
  readonly #host: BlockHost<B>;
  readonly #options: MaintenanceOptions;
  readonly #metrics: MaintenanceMetrics;
  readonly #runner: CompactionRunner<B>;
  readonly #trustedClock = new TrustedClock();
  /** Resolves when the last change has ended, whether it failed or not. */
  #changing: Promise<unknown> = Promise.resolve();
  /**
   * Number of reasons for not starting a compaction. Each running delete is one, and so is closing.
   */
  #holds = 0;
  #isClosed = false;
  /** Monotonic time before which retention does not remove blocks. */
  #retiresFromMillis = -Infinity;
  /** True if a log line has already said that data other than profiles takes too much space. */
  #isCrowded = false;
  /** True once the files that an earlier process left behind are removed. */
  #isSwept = false;

  constructor(host: BlockHost<B>, options: MaintenanceOptions) {
    this.#host = host;
    this.#options = options;
    this.#metrics = createMaintenanceMetrics(host.metrics);
    const { timeNanos, sizeBytes } = options.retention;
    this.#metrics.retentionSeconds.set(Number(timeNanos / 1_000_000_000n));
    this.#metrics.retentionBytes.set(sizeBytes);
    this.#runner = new CompactionRunner(host, options, this.#metrics, (change) =>
      this.exclusive(change),
    );
  }

  /**
   * Retires blocks, then starts the compactions that are due. Called every minute. Never rejects.
   * Compactions from an earlier call continue.
   */
  async runPass(): Promise<void> {
    if (this.#isClosed) return;
    await duringWork('retention', () => this.exclusive(() => this.#retire())).catch(
      (error: unknown) => {
        this.#metrics.retentionFailures.add();
        this.#host.logger.error('cannot retire blocks', { error: errorMessage(error) });
      },
    );
    this.#observeBlocks();
    if (this.#holds === 0) await duringWork('compaction', () => this.#runner.run());
    this.#observeBlocks();
  }

  /**
   * Logs which blocks retention will remove, and delays their removal for a minute, so that an
   * operator who mistyped a limit can stop the server. Called at startup.
   */
  async giveNotice(): Promise<void> {
    const { clock, logger } = this.#host;
    const { timeNanos, sizeBytes } = this.#options.retention;
    const use = await this.#measure();
    if (timeNanos === 0n && sizeBytes === 0) return;
    // Retention begins to trust the clock from this reading on, which makes the time in the warning
    // right.
    this.#trustedClock.sight(clock.nowMillis(), clock.monotonicMillis());
    const nowNanos = BigInt(Math.floor(clock.nowMillis())) * 1_000_000n;
    const removals = this.#planWith(foreseeRetention, nowNanos, use);
    if (removals.length === 0) return;
    this.#retiresFromMillis = clock.monotonicMillis() + retentionNoticeMillis;
    const ids = new Set(removals.map(({ id }) => id));
    const blocks = this.#host.blocks().filter(({ id }) => ids.has(id));
    const ranges = blocks.flatMap(({ range }) => (range === undefined ? [] : [range]));
    const times = ranges.flatMap(({ from, to }) => [from, to]).sort((a, b) => (a < b ? -1 : 1));
    const bySize = removals.filter(({ reason }) => reason === 'size').length;
    // No block is removed by age until the clock is trusted.
    const waitMillis = bySize > 0 ? retentionNoticeMillis : retentionSightingMillisMin;
    logger.warn('retention is going to remove blocks: stop the server to keep them', {
      inSeconds: waitMillis / 1000,
      blocks: blocks.length,
      ofBlocks: this.#host.blocks().length,
      bytes: blocks.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
      from: isoTime(times[0]),
      to: isoTime(times[times.length - 1]),
      byTime: removals.length - bySize,
      bySize,
    });
  }

  /**
   * Deletes the acknowledged profiles of matching series in the range, durably. When it resolves,
   * readers no longer see them. The next compaction removes them from the disk.
   *
   * Errors: AppError 'invalid-argument' when the selector matches only a part of a stream,
   * 'unavailable' when the store closes; I/O errors, after which the delete may be incomplete and
   * can be repeated.
   */
  async delete(query: SeriesQuery): Promise<DeletedSeries> {
    this.#holds += 1;
    try {
      // If a block were being written now, it would still have the profiles.
      await this.#runner.cancel();
      // This is outside of the lock, so that retention does not have to wait. On a full disk,
      // `rotate` itself waits for space that retention frees.
      await this.#host.rotate();
      return await this.exclusive(() => this.#deleteNow(query));
    } finally {
      this.#holds -= 1;
    }
  }

  /**
   * Ends compactions, and waits for changes of the block list. No work is started afterwards.
   * Idempotent.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#holds += 1;
    await this.#runner.cancel();
    await this.#changing;
  }

  async #deleteNow(query: SeriesQuery): Promise<DeletedSeries> {
    const host = this.#host;
    if (this.#isClosed) {
      throw new AppError('unavailable', 'cannot delete series: the storage is closing');
    }
    await this.#runner.removeLeftOver();
    const blocksPath = joinBlocksPath(this.#options.storagePath);
    const deleted = await deleteSeries(host.files, blocksPath, host.blocks(), query);
    host.logger.warn('deleted series', {
      series: deleted.seriesCount,
      blocks: deleted.blockCount,
      from: query.range.from,
      to: query.range.to,
    });
    return deleted;
  }

  async #retire(): Promise<void> {
    const host = this.#host;
    const runner = this.#runner;
    const options = this.#options;
    const { clock } = host;
    const trustedNanos = this.#trustedClock.sight(clock.nowMillis(), clock.monotonicMillis());
    // If there is a bucket, deletions without a local block may belong to blocks in the bucket.
    if (!this.#isSwept && host.bucket === undefined) {
      await removeOrphans(host.files, options.storagePath);
    }
    this.#isSwept = true;
    await runner.removeLeftOver();
    const use = await this.#measure();
    this.#warnIfCrowded(use);
    if (clock.monotonicMillis() < this.#retiresFromMillis) return;
    const removals = this.#planWith(planRetention, trustedNanos, use);
    for (const removal of removals) await this.#remove(removal);
  }

  /** Measures all files under the storage path. */
  async #measure(): Promise<DiskUse> {
    const use = await measureUse(this.#host.files, this.#options.storagePath);
    this.#metrics.usedBytes.set(use.allBytes);
    return use;
  }

  /** Logs a warning once if removing blocks cannot bring the directory below its size limit. */
  #warnIfCrowded({ profileBytes, otherFolders }: DiskUse): void {
    const { sizeBytes } = this.#options.retention;
    const others = [...otherFolders].sort(([, a], [, b]) => b - a);
    const otherBytes = others.reduce((sum, [, bytes]) => sum + bytes, 0);
    const was = this.#isCrowded;
    this.#isCrowded = sizeBytes > 0 && otherBytes > sizeBytes / 2;
    if (was || !this.#isCrowded) return;
    const [largest = ['', 0]] = others;
    this.#host.logger.warn(
      'more than half of the limit by size is taken by others than profiles: profiles keep the other half',
      { limitBytes: sizeBytes, profileBytes, otherBytes, largest: largest[0], bytes: largest[1] },
    );
  }

  #planWith(
    plan: (limits: RetentionLimits, state: RetentionState) => Removal[],
    trustedNanos: bigint | undefined,
    use: DiskUse,
  ): Removal[] {
    const host = this.#host;
    const runner = this.#runner;
    const options = this.#options;
    const isRemote = ({ id }: B): boolean => host.bucket?.isRemote(id) === true;
    const planFor = (limits: RetentionLimits, blocks: readonly B[]): Removal[] =>
      plan(limits, {
        blocks: blocks.flatMap(({ id, range, fileBytes }) =>
          range === undefined ? [] : { id, range, fileBytes },
        ),
        usedBytes: bytesForRetention(limits, use),
        trustedNanos,
        busy: runner.busy(),
      });
    const blocks = host.blocks();
    return [
      ...planFor(
        options.retention,
        blocks.filter((block) => !isRemote(block)),
      ),
      // Blocks that are only in the bucket take no space on the disk, so they have no size limit.
      ...planFor({ ...options.retention, sizeBytes: 0 }, blocks.filter(isRemote)),
    ];
  }

  async #remove({ id, reason }: Removal): Promise<void> {
    const host = this.#host;
    const block = host.blocks().find((other) => other.id === id);
    if (block === undefined) return;
    const { storagePath } = this.#options;
    const gone = idsWithSources([block]);
    const buried = host.bucket === undefined ? [] : gone;
    await buryBlocks(host.files, storagePath, buried).catch((error: unknown) => {
      // The block is removed anyway, because a full disk needs the space.
      if (errorCode(error) !== 'resource-exhausted') throw error;
      host.logger.warn('cannot mark a retired block as deleted', { block: id });
    });
    if (host.bucket?.isRemote(id) !== true) {
      // The files are removed first. If that fails, the block is still served.
      await removeBlockFiles(host.files, storagePath, [id], new Set(buried));
      host.replaceBlocks([block], []);
    }
    host.bucket?.retire(gone);
    this.#metrics.retiredBlocks.add(1, { reason });
    host.logger.info('retired block', {
      block: id,
      reason,
      from: block.range && isoTime(block.range.from),
      to: block.range && isoTime(block.range.to),
      bytes: block.fileBytes,
    });
  }

  #observeBlocks(): void {
    for (const level of [0, 1, 2]) {
      const blocks = this.#host.blocks().filter(({ facts }) => facts.level === level);
      const bytes = blocks.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
      this.#metrics.blocks.set(blocks.length, { level: String(level) });
      this.#metrics.blockBytes.set(bytes, { level: String(level) });
    }
  }

  /** Returns true if a block is being compacted. */
  isBusy(id: string): boolean {
    return this.#runner.busy().has(id);
  }

  /** Runs a change of the list of blocks, or of their files, while no other change runs. */
  exclusive<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#changing.then(change);
    this.#changing = result.catch(() => undefined);
    return result;
  }
}

function isoTime(nanos: bigint): string {
  return new Date(Number(nanos / 1_000_000n)).toISOString();
}
