// The embedded engine: opens a directory, wires log, head and index, and keeps the limits.
import { ByteWriter } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Files } from '../base/files.ts';
import {
  rowSegmentBytes,
  storageActiveMemoryBytesMax,
  walPendingBytesMax,
  walSegmentBytesMax,
} from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import { Dictionary } from '../model/dictionary.ts';
import { EngineAppender } from './appender.ts';
import { Epoch } from './epoch.ts';
import { Head } from './head.ts';
import type { Appender, Querier, Storage } from './interface.ts';
import type { PendingProfile } from './profiles-record.ts';
import type { Part } from './part.ts';
import { PartList } from './part-list.ts';
import { PartsQuerier } from './parts-querier.ts';
import { HeadPart } from './querier.ts';
import { replayWal } from './replay.ts';
import { createStorageMetrics, observeHead, type StorageMetrics } from './storage-metrics.ts';
import { makeDirectories, openSeeds } from './store-directory.ts';
import { WalSegments, type WalPlace } from './wal-segments.ts';
import { WalWriter } from './wal-writer.ts';

/** What the engine may be told to use less or more of; defaults are those of base/limits.ts. */
export interface EngineLimits {
  /** Bytes of rows in memory, past which writes are refused. */
  readonly activeMemoryBytesMax: number;
  readonly rowSegmentBytes: number;
  readonly walSegmentBytesMax: number;
  readonly walPendingBytesMax: number;
}

export interface EngineOptions {
  /** The storage directory; made when it is not there. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly limits?: Partial<EngineLimits>;
}

const defaultLimits: EngineLimits = {
  activeMemoryBytesMax: storageActiveMemoryBytesMax,
  rowSegmentBytes,
  walSegmentBytesMax,
  walPendingBytesMax,
};

/**
 * Opens the store in a directory, alone; resolves when everything that was acknowledged is there.
 *
 * Errors: AppError 'failed-precondition' when another server holds the directory or a newer one
 * wrote it; 'unavailable' when the disk fails; 'data-loss' when the log contradicts itself.
 */
export async function openEngine(options: EngineOptions): Promise<Storage> {
  const { path, files } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = createStorageMetrics(options.metrics);
  const walPath = `${path}/wal`;
  await files.makeDirectory(path);
  const lock = await files.lock(`${path}/LOCK`);
  try {
    await makeDirectories(options, ['wal']);
    const seeds = await openSeeds(options, walPath);
    const place: WalPlace = { files, directory: walPath, seeds };
    const { epoch, log } = await openLog(options, place, metrics, limits);
    observeHead(options.metrics, epoch.head);
    return new Engine(epoch, log, lock, metrics, limits);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Replays the log and makes it ready for more. */
async function openLog(
  options: EngineOptions,
  place: WalPlace,
  metrics: StorageMetrics,
  limits: EngineLimits,
): Promise<{ readonly epoch: Epoch; readonly log: WalWriter }> {
  const { clock, logger } = options;
  const started = clock.monotonicMillis();
  const { epochs, end } = await replayWal(place, {
    newHead: () => new Head(new Dictionary(place.seeds), limits.rowSegmentBytes),
    finished: new Set(),
    nextEpoch: 1,
    logger,
    metrics,
  });
  const { head } = epochs[0];
  const seconds = (clock.monotonicMillis() - started) / 1000;
  options.metrics
    .gauge('parca_storage_wal_replay_duration_seconds', 'Time that the last replay took.')
    .set(seconds);
  logger.info('storage is open', {
    path: options.path,
    profiles: head.profileCount,
    rows: head.rowCount,
    stacks: head.dictionary.stacks.length - 1,
    replaySeconds: seconds.toFixed(3),
  });
  const { walSegmentBytesMax: segmentBytesMax } = limits;
  const segments = new WalSegments(place, end, {
    clock,
    logger,
    segmentBytesMax,
    durability: 'fsync',
  });
  const epoch = new Epoch(end.epoch, head);
  const log = new WalWriter(segments, epoch, {
    clock,
    logger,
    metrics,
    notStored: ({ profiles }) => profiles,
    onDrained: () => undefined,
    onLost: () => undefined,
  });
  return { epoch, log };
}

class Engine implements Storage {
  readonly querier: Querier;
  private readonly epoch: Epoch;
  private readonly log: WalWriter;
  private readonly lock: { release(): Promise<void> };
  private readonly metrics: StorageMetrics;
  private readonly limits: EngineLimits;
  private readonly scratch = new ByteWriter(65_536);
  private closing: Promise<void> | undefined;

  constructor(
    epoch: Epoch,
    log: WalWriter,
    lock: { release(): Promise<void> },
    metrics: StorageMetrics,
    limits: EngineLimits,
  ) {
    this.epoch = epoch;
    this.log = log;
    this.lock = lock;
    this.metrics = metrics;
    this.limits = limits;
    const parts = new PartList<Part>();
    parts.addHead(new HeadPart(`head-${epoch.number}`, epoch.head));
    this.querier = new PartsQuerier({ parts, onMissing: () => undefined });
  }

  appender(): Appender {
    return new EngineAppender(this.epoch.head, this.scratch, (profiles) => this.commit(profiles));
  }

  close(): Promise<void> {
    this.closing ??= this.log.close().finally(() => this.lock.release());
    return this.closing;
  }

  private async commit(profiles: readonly PendingProfile[]): Promise<void> {
    if (this.closing) {
      throw this.refusal('closing', 'unavailable', 'the storage is closing');
    }
    const fresh = profiles.filter(({ ref, timeNanos, contentHash }) => {
      return !this.epoch.head.holds(ref, timeNanos, contentHash);
    });
    this.metrics.duplicates.add(profiles.length - fresh.length);
    if (fresh.length === 0) return;
    this.checkLimits(fresh);
    const commit = this.log.begin(this.epoch, fresh);
    await this.log.write(commit).finally(() => this.log.end(commit));
  }

  private checkLimits(profiles: readonly PendingProfile[]): void {
    const { activeMemoryBytesMax, walPendingBytesMax: pendingMax } = this.limits;
    let bytes = this.epoch.head.arena.usedBytes + this.log.pendingRunBytes;
    for (const profile of profiles) bytes += profile.runBytes;
    if (bytes > activeMemoryBytesMax) {
      const why = `rows in memory pass the active memory limit of ${activeMemoryBytesMax} bytes`;
      throw this.refusal('memory-limit', 'resource-exhausted', why);
    }
    if (this.log.pendingBytes > pendingMax) {
      const why = `more than ${pendingMax} bytes wait for the disk`;
      throw this.refusal('disk-slow', 'resource-exhausted', why);
    }
  }

  private refusal(
    reason: string,
    code: 'resource-exhausted' | 'unavailable',
    why: string,
  ): AppError {
    this.metrics.refusedWrites.add(1, { reason });
    return new AppError(code, `cannot store profiles: ${why}`);
  }
}
