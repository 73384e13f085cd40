// The embedded engine: opens a directory, and wires log, heads and blocks to a store.
import type { Clock } from '../../base/clock.ts';
import type { File, Files } from '../../base/files.ts';
import {
  closingCutMillisMax,
  cutRetryMillisMin,
  diskReserveBytes,
  freeDiskBytesMin,
  freeDiskCheckMillis,
  freeDiskShareMin,
  headBytesMax,
  rowSegmentBytes,
  storageActiveMemoryBytesMax,
  walPendingBytesMax,
  walSegmentBytesMax,
} from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { BlockDirectory } from './block-directory.ts';
import { createdNanosOf } from '../files/block-id.ts';
import { Epoch } from '../wal/epoch.ts';
import { Head } from '../head/head.ts';
import { LostParts } from '../lost-parts.ts';
import { replayWal, type Replayed } from '../wal/replay.ts';
import { SpaceGuard } from './space-guard.ts';
import { createStorageMetrics, observeStore, type StorageMetrics } from '../storage-metrics.ts';
import { makeDirectories, openSeeds } from './store-directory.ts';
import { Store, type StoreLimits } from './store.ts';
import { WalSegments, type Durability, type WalPlace } from '../wal/wal-segments.ts';

/** What the engine may be told to use less or more of; defaults are those of base/limits.ts. */
export interface EngineLimits extends StoreLimits {
  readonly rowSegmentBytes: number;
  readonly walSegmentBytesMax: number;
  readonly freeDiskBytesMin: number;
  readonly freeDiskShareMin: number;
  readonly diskReserveBytes: number;
  readonly freeDiskCheckMillis: number;
}

export interface EngineOptions {
  /** The storage directory; made when it is not there. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** By default `fsync`. */
  readonly durability?: Durability;
  readonly limits?: Partial<EngineLimits>;
}

const defaultLimits: EngineLimits = {
  activeMemoryBytesMax: storageActiveMemoryBytesMax,
  headBytesMax,
  rowSegmentBytes,
  walSegmentBytesMax,
  walPendingBytesMax,
  cutRetryMillisMin,
  closingCutMillisMax,
  freeDiskBytesMin,
  freeDiskShareMin,
  diskReserveBytes,
  freeDiskCheckMillis,
};

/**
 * Opens the store in a directory, alone; resolves when everything that was acknowledged is there.
 *
 * Errors: AppError 'failed-precondition' when another server holds the directory or a newer one
 * wrote it; 'unavailable' when the disk fails; 'data-loss' when the log contradicts itself.
 */
export async function openEngine(options: EngineOptions): Promise<Store> {
  const { path, files } = options;
  await files.makeDirectory(path);
  await files.checkWritable(path);
  const lock = await files.lock(`${path}/LOCK`);
  try {
    return await openLocked(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openLocked(
  options: EngineOptions,
  lock: { release(): Promise<void> },
): Promise<Store> {
  const { path, files, durability = 'fsync' } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const metrics = createStorageMetrics(options.metrics);
  if (durability === 'interval') {
    options.logger.warn('writes are acknowledged before the disk has them', { durability });
  }
  await makeDirectories(options, ['wal', 'blocks']);
  const seeds = await openSeeds(options, `${path}/wal`);
  const guard = new SpaceGuard({ ...options, limits });
  const directory = new BlockDirectory(options, metrics);
  const found = await directory.find();
  let log: File | undefined;
  try {
    const place: WalPlace = { files, directory: `${path}/wal`, seeds };
    const { epochs, end } = await replay(options, place, limits, metrics, found);
    log = end.file;
    // What an unfinished cut left behind is in the log still, and is cut again.
    const blocks = await directory.removeOfEpochs(
      found.blocks,
      epochs.map(({ epoch }) => epoch),
    );
    const lost = new LostParts();
    for (const { id, why } of found.damaged) {
      lost.add(id, createdNanosOf(id), `cannot read block ${id}: ${why}`);
    }
    await guard.start();
    const segments = new WalSegments(place, end, {
      ...options,
      segmentBytesMax: limits.walSegmentBytesMax,
      durability,
    });
    const store = new Store({
      ...options,
      seeds,
      limits,
      metrics,
      lock,
      guard,
      directory,
      segments,
      lost,
      blocks,
      epochs: epochs.map((one) => new Epoch(one.epoch, one.head, options.clock)),
    });
    observeStore(options.metrics, store);
    store.start();
    return store;
  } catch (error) {
    await log?.close();
    for (const block of found.blocks) await block.close();
    throw error;
  }
}

async function replay(
  { path, clock, logger, metrics: registry }: EngineOptions,
  place: WalPlace,
  limits: EngineLimits,
  metrics: StorageMetrics,
  found: { readonly finished: ReadonlySet<number>; readonly lastEpoch: number },
): Promise<Replayed> {
  const started = clock.monotonicMillis();
  const replayed = await replayWal(place, {
    newHead: () => new Head(new Dictionary(place.seeds), limits.rowSegmentBytes),
    finished: found.finished,
    nextEpoch: found.lastEpoch + 1,
    logger,
    metrics,
  });
  const seconds = (clock.monotonicMillis() - started) / 1000;
  registry
    .gauge('parca_storage_wal_replay_duration_seconds', 'Time that the last replay took.')
    .set(seconds);
  const heads = replayed.epochs.map(({ head }) => head);
  logger.info('replayed the log', {
    path,
    heads: heads.length,
    profiles: heads.reduce((sum, head) => sum + head.profileCount, 0),
    rows: heads.reduce((sum, head) => sum + head.rowCount, 0),
    seconds: seconds.toFixed(3),
  });
  return replayed;
}
