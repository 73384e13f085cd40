// The store. It writes into the active head, cuts heads into blocks, and answers from all parts.
import { ByteWriter } from '../../base/bytes.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import {
  cutWaitMillisMax,
  headGraceMillis,
  nextHeadShareMax,
  nextHeadShareSlow,
  slowWriteMillis,
  storageRetryMillis,
} from '../limits.ts';
import { headBytesMin } from '../../base/limits.ts';
import type { FileLock, Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { Dictionary, type Seeds } from '../../model/dictionary.ts';
import { HeadAppender } from './appender.ts';
import type { BlockDirectory, OpenBlock } from './block-directory.ts';
import type { ReadableFile } from '../block/block-file.ts';
import { HeadCut } from './head-cut.ts';
import { CutQueue } from './cut-queue.ts';
import { Epoch } from '../wal/epoch.ts';
import { Head } from '../head/head.ts';
import type { Appender, Querier, Storage } from '../interface.ts';
import type { LostParts } from '../lost-parts.ts';
import { RetryFilter } from './retry-filter.ts';
import { PartList } from './part-list.ts';
import { PartsQuerier } from './parts-querier.ts';
import type { PendingProfile } from '../wal/profiles-record.ts';
import type { SpaceGuard, SpaceLimits } from './space-guard.ts';
import type { StorageMetrics } from '../storage-metrics.ts';
import type { WalSegments } from '../wal/segments.ts';
import { createMergePool } from '../sum/merge-pool.ts';
import { ServedParts } from './served-parts.ts';
import { SumQuerier } from '../sum/sum-querier.ts';
import { WalWriter } from '../wal/writer.ts';

/** Limits of one store. limits.ts has their defaults and reasons. */
export interface StoreLimits extends SpaceLimits {
  /** Memory used by all heads, in bytes; above it, writes are refused. */
  readonly activeMemoryBytesMax: number;
  /** Memory used by the active head, in bytes; above it, the head is cut. */
  readonly headBytesMax: number;
  readonly rowSegmentBytes: number;
  readonly walSegmentBytesMax: number;
  readonly walPendingBytesMax: number;
  readonly cutRetryMillisMin: number;
  readonly closingCutMillisMax: number;
}

/** Components of a store. The store owns all of them. */
interface StoreParts {
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
  readonly seeds: Seeds;
  readonly limits: StoreLimits;
  readonly lock: FileLock;
  readonly guard: SpaceGuard;
  readonly directory: BlockDirectory;
  readonly segments: WalSegments;
  readonly lost: LostParts;
  readonly blocks: readonly OpenBlock[];
  /** Epochs, oldest first. The log continues with the last epoch. */
  readonly epochs: readonly Epoch[];
}

/**
 * All options except the initial epochs and blocks, which take tens of megabytes and must not be
 * kept in memory.
 */
type KeptOptions = Omit<StoreParts, 'epochs' | 'blocks'>;

const windowMillis = 7_200_000;
/** Time between two checks whether the window of the active head has ended. */
const tickMillis = 30_000;

type Refusal = 'closing' | 'too-late' | 'read-only' | 'memory-limit' | 'disk-slow';

export class Store implements Storage {
  readonly querier: Querier;
  /** The parts of the store, for query servers. */
  readonly served: ServedParts;
  readonly #options: KeptOptions;
  readonly #parts = new PartList<OpenBlock>();
  readonly #log: WalWriter;
  readonly #cutQueue: CutQueue<OpenBlock>;
  readonly #retries: RetryFilter;
  readonly #scratch = new ByteWriter(65_536);
  readonly #mergePool = createMergePool();
  /** Epochs whose heads are in memory. The last epoch accepts writes. */
  #epochs: readonly Epoch[];
  #timer: Timer | undefined;
  #closing: Promise<void> | undefined;

  constructor({ epochs, blocks, ...options }: StoreParts) {
    this.#options = options;
    const { clock, logger, metrics, directory, segments, limits } = options;
    const parts = this.#parts;
    this.#epochs = epochs;
    parts.replaceBlocks([], blocks);
    for (const { part } of epochs) parts.addHead(part);
    this.#retries = new RetryFilter(parts);
    this.#log = new WalWriter(segments, epochs[epochs.length - 1], {
      clock,
      logger,
      metrics,
      withoutRetries: (commit) => this.#retries.withoutRetries(commit),
      onDiskFull: (bytes) => options.guard.noteRefusal(bytes),
      onDrained: (epoch) => {
        parts.noteDrained();
        this.#cutQueue.drained(epoch);
      },
      onLost: () => this.#beginEpoch(),
    });
    const place = { ...options, directory: directory.path };
    this.#cutQueue = new CutQueue({
      clock,
      logger,
      metrics,
      parts,
      newCut: (epoch, signal) =>
        new HeadCut({ ...place, openBlock: (id) => directory.open(id) }, epoch, signal),
      removeLog: (epoch) => segments.removeEpoch(epoch),
      onDiskFull: () => options.guard.diskFull(),
      retryMillisMin: limits.cutRetryMillisMin,
    });
    this.#cutQueue.markFree(blocks);
    this.served = new ServedParts({
      parts,
      segments,
      clock,
      lost: options.lost,
      epochs: () => this.#liveEpochs().map(({ number }) => number),
      instance: `${clock.nowNanos()}-${options.random.uint32()}`,
    });
    const series = new PartsQuerier({
      parts,
      clock,
      lost: options.lost,
      onMissing: (part, error) => {
        metrics.partFailures.add();
        logger.error('cannot read a part of the store', { part, error: errorMessage(error) });
      },
    });
    this.querier = new SumQuerier(series, this.#mergePool);
  }

  /**
   * Starts cutting the heads of an earlier process, and cuts the active head whenever it is due.
   * Must be called once.
   */
  start(): void {
    for (const epoch of this.#epochs.slice(0, -1)) {
      void this.#cutQueue.add(epoch);
      this.#cutQueue.drained(epoch);
    }
    this.#checkLater();
  }

  /** Heads in memory, oldest first. */
  get heads(): readonly Head[] {
    return this.#liveEpochs().map(({ head }) => head);
  }

  /** True if writes are refused because the disk is nearly full. */
  get isReadOnly(): boolean {
    return this.#options.guard.isReadOnly;
  }

  /** Disk space. */
  get disk(): { readonly freeBytes: number; readonly keptFreeBytes: number } {
    return this.#options.guard;
  }

  /** Blocks and buckets that cannot be opened. */
  get lost(): LostParts {
    return this.#options.lost;
  }

  /** Number of heads that wait to be cut. */
  get cutBacklog(): number {
    return this.#cutQueue.backlog;
  }

  appender(): Appender {
    const epoch = this.#active;
    return new HeadAppender(epoch.head, this.#scratch, (batch) => this.#commit(epoch, batch));
  }

  /**
   * Resolves when all profiles that were acknowledged before the call are in blocks and no longer
   * in the log.
   *
   * Errors: AppError 'unavailable' when the store closes first.
   */
  async rotate(): Promise<void> {
    if (!this.#closing) this.#beginEpoch();
    await this.#cutQueue.settled();
  }

  /** Name of the lock of the storage directory. */
  get lockName(): string {
    return this.#options.lock.name;
  }

  /** Blocks that may be replaced and removed, because the log no longer has their profiles. */
  blocks(): readonly OpenBlock[] {
    return this.#parts.blocks.filter((block) => this.#cutQueue.isFree(block));
  }

  /** Opens a block of the storage directory. */
  openBlock(id: string): Promise<OpenBlock> {
    return this.#options.directory.open(id);
  }

  /** Opens a block of a bucket. Its deletions are in the storage directory. */
  openBlockFile(id: string, file: ReadableFile): Promise<OpenBlock> {
    return this.#options.directory.openElsewhere(id, file);
  }

  /**
   * Replaces blocks in one step for all readers. Removed blocks are closed when no reader uses
   * them. The caller removes their files.
   */
  replaceBlocks(removed: readonly OpenBlock[], added: readonly OpenBlock[]): void {
    this.#parts.replaceBlocks(removed, added);
    for (const { id, facts } of added) {
      for (const found of [id, ...facts.sources]) this.#options.lost.remove(found);
    }
    this.#cutQueue.markFree(added);
    this.served.noteRemoved(removed);
    for (const block of removed) {
      block.close().catch((error: unknown) => {
        this.#options.logger.warn('cannot close a block', { error: errorMessage(error) });
      });
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  get #active(): Epoch {
    return this.#epochs[this.#epochs.length - 1];
  }

  async #shutDown(): Promise<void> {
    const { limits, guard, lock } = this.#options;
    this.#timer?.cancel();
    this.#beginEpoch();
    try {
      await this.#mergePool.close();
      await this.#log.idle();
      await this.#cutQueue.close(limits.closingCutMillisMax);
      await this.#log.close();
      this.served.close();
      for (const block of this.#parts.blocks) await block.close();
      await guard.close();
    } finally {
      await lock.release();
    }
  }

  /**
   * Writes a batch of encoded profiles. Resolves when they are durable and visible, and may be
   * acknowledged. WalWriter does everything after the call to `write`.
   */
  async #commit(epoch: Epoch, batch: readonly PendingProfile[]): Promise<void> {
    const delayMillis = this.#writeDelayMillis();
    if (delayMillis > 0) await this.#cutQueue.untilIdle(delayMillis);
    if (this.#closing) throw this.#refusal('closing', 'unavailable', 'the storage is closing');
    const fresh = batch.filter(({ ref, timeNanos, contentHash }) => {
      return !epoch.head.holds(ref, timeNanos, contentHash);
    });
    this.#options.metrics.duplicates.add(batch.length - fresh.length);
    // A commit of only retries succeeds even while new writes are refused.
    if (fresh.length === 0) return;
    if (epoch.isClosed) {
      const why = 'the head was cut after the appender was made: append them again';
      throw this.#refusal('too-late', 'aborted', why);
    }
    this.#checkLimits(fresh);
    const commit = this.#log.begin(epoch, fresh);
    try {
      // This reads older parts, so it runs before the batch is written to the log.
      commit.profiles = await this.#retries.withoutRetries(commit);
      this.#options.metrics.duplicates.add(fresh.length - commit.profiles.length);
      if (commit.profiles.length > 0) await this.#log.write(commit);
    } finally {
      this.#log.end(commit);
    }
    if (epoch === this.#active && this.#isDue(epoch)) this.#beginEpoch();
  }

  /**
   * Returns the time in milliseconds that a write waits for cuts. It is 0 unless the active head
   * fills up during a cut.
   */
  #writeDelayMillis(): number {
    const headShare = this.#active.head.usedBytes / this.#headBytes;
    if (this.#cutQueue.backlog === 0 || headShare <= nextHeadShareSlow) return 0;
    this.#options.metrics.delayedWrites.add();
    return headShare > nextHeadShareMax ? cutWaitMillisMax : slowWriteMillis;
  }

  #checkLimits(profiles: readonly PendingProfile[]): void {
    const { activeMemoryBytesMax, walPendingBytesMax: pendingMax } = this.#options.limits;
    try {
      this.#options.guard.assertWritable();
    } catch (error) {
      this.#options.metrics.refusedWrites.add(1, { reason: 'read-only' });
      throw error;
    }
    let bytes = this.#log.pendingRunBytes;
    for (const { head } of this.#liveEpochs()) bytes += head.usedBytes;
    for (const profile of profiles) bytes += profile.runBytes;
    if (bytes > activeMemoryBytesMax) {
      // Cutting the head frees memory for later writes.
      this.#beginEpoch();
      const why = `profiles in memory pass the active memory limit of ${activeMemoryBytesMax} bytes`;
      throw this.#refusal('memory-limit', 'resource-exhausted', why);
    }
    if (this.#log.pendingBytes > pendingMax) {
      const why = `more than ${pendingMax} bytes wait for the disk`;
      throw this.#refusal('disk-slow', 'resource-exhausted', why);
    }
  }

  #refusal(
    reason: Refusal,
    code: 'resource-exhausted' | 'unavailable' | 'aborted',
    why: string,
  ): AppError {
    this.#options.metrics.refusedWrites.add(1, { reason });
    return new AppError(code, `cannot store profiles: ${why}`, {
      retryAfterMillis: code === 'aborted' ? undefined : storageRetryMillis,
    });
  }

  /** Freezes the active head and queues it for a cut, unless it is empty. */
  #beginEpoch(): void {
    const active = this.#active;
    if (active.head.profileCount === 0 && active.openCommits === 0) return;
    const { seeds, limits, clock } = this.#options;
    const head = new Head(new Dictionary(seeds), limits.rowSegmentBytes);
    const next = new Epoch(active.number + 1, head, clock);
    this.#epochs = [...this.#liveEpochs(), next];
    this.#parts.addHead(next.part);
    void this.#cutQueue.add(active);
    this.#log.beginEpoch(next);
  }

  #liveEpochs(): readonly Epoch[] {
    const { heads } = this.#parts;
    if (heads.length === this.#epochs.length) return this.#epochs;
    this.#epochs = this.#epochs.filter(({ part }) => heads.includes(part));
    return this.#epochs;
  }

  /** Returns true if the head is large or its two-hour window is over. The wall clock may jump. */
  #isDue({ head, beganMillis }: Epoch): boolean {
    if (head.usedBytes > this.#headBytes) return true;
    const windowAt = (millis: number): number =>
      Math.floor((millis - headGraceMillis) / windowMillis);
    return windowAt(this.#options.clock.nowMillis()) !== windowAt(beganMillis);
  }

  /** Size of the active head at which it is cut, in bytes. */
  get #headBytes(): number {
    const { activeMemoryBytesMax, headBytesMax } = this.#options.limits;
    return Math.min(headBytesMax, Math.max(activeMemoryBytesMax / 4, headBytesMin));
  }

  #checkLater(): void {
    this.#timer = this.#options.clock.setTimer(tickMillis, () => {
      if (this.#isDue(this.#active)) this.#beginEpoch();
      // If there are no writes, only this releases the memory of heads that were cut.
      this.#liveEpochs();
      this.#retries.forget();
      this.#checkLater();
    });
  }
}
