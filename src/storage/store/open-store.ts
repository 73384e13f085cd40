// Opens a storage directory: replays its log, opens its blocks and connects them in a store.
import type { Clock } from '../../base/clock.ts';
import type { File, FileLock, Files } from '../../base/files.ts';
import {
  closingCutMillisMax,
  cutRetryMillisMin,
  diskReserveBytes,
  freeDiskCheckMillis,
  freeDiskShareMin,
  headBytesMax,
  rowSegmentBytes,
  walSegmentBytesMax,
} from '../limits.ts';
import {
  freeDiskBytesMin,
  storageActiveMemoryBytesMax,
  walPendingBytesMax,
} from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import { Dictionary, type Seeds } from '../../model/dictionary.ts';
import { BlockDirectory } from './block-directory.ts';
import { parseCreatedNanos } from '../files/block-names.ts';
import { Epoch } from '../wal/epoch.ts';
import { Head } from '../head/head.ts';
import { LostParts } from '../lost-parts.ts';
import { replayWal, type Replayed } from '../wal/replay.ts';
import { SpaceGuard } from './space-guard.ts';
import { createStorageMetrics, observeStore, type StorageMetrics } from '../storage-metrics.ts';
import { Store, type StoreLimits } from './store.ts';
import { WalSegments, type Durability, type WalPlace } from '../wal/segments.ts';
import { AppError } from '../../base/errors.ts';
import { makeDurableFolder } from '../../base/durable-files.ts';
import { formatVersion, readMeta, writeMeta } from '../files/meta.ts';
import { readSegmentHeader, segmentHeaderBytes, segmentSequence } from '../wal/format.ts';

interface StoreOptions {
  /** The storage directory; created if it does not exist. */
  readonly path: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** `fsync` by default. */
  readonly durability?: Durability;
  /** Limits that differ from the defaults in limits.ts. */
  readonly limits?: Partial<StoreLimits>;
}

const defaultLimits: StoreLimits = {
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
 * Opens the store in a directory. Resolves when all acknowledged profiles can be read. No other
 * process can open the directory until the store closes.
 *
 * Errors: AppError 'failed-precondition' when another server has locked the directory or a newer
 * server wrote it; 'unavailable' when the disk fails; 'data-loss' when the log contradicts itself.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
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

async function openLocked(options: StoreOptions, lock: FileLock): Promise<Store> {
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
    // The log still has the profiles of cuts that were not finished, so their heads are cut again.
    const blocks = await directory.removeOfEpochs(
      found.blocks,
      epochs.map(({ epoch }) => epoch),
    );
    const lost = new LostParts();
    for (const { id, why } of found.damaged) {
      lost.add(id, parseCreatedNanos(id), `cannot read block ${id}: ${why}`);
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
  { path, clock, logger, metrics: registry }: StoreOptions,
  place: WalPlace,
  limits: StoreLimits,
  metrics: StorageMetrics,
  found: { readonly finished: ReadonlySet<number>; readonly lastEpoch: number },
): Promise<Replayed> {
  const started = clock.monotonicMillis();
  const replayed = await replayWal(place, {
    newHead: () => new Head(new Dictionary(place.seeds), limits.rowSegmentBytes),
    finished: found.finished,
    nextEpoch: found.lastEpoch + 1,
    clock,
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
    seconds: Number(seconds.toFixed(3)),
  });
  return replayed;
}

/**
 * Creates the directories and syncs their entries, because an earlier process may have died before
 * it synced them.
 */
async function makeDirectories(
  { files, path }: StoreOptions,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    await files.makeDirectory(`${path}/${name}`);
    await files.checkWritable(`${path}/${name}`);
  }
  await files.syncDirectory(path);
  await makeDurableFolder(files, path, path);
}

/**
 * Returns the seeds of the store. They come from `meta`, or else from a log segment; otherwise they
 * are new.
 */
async function openSeeds(options: StoreOptions, walPath: string): Promise<Seeds> {
  const { files, path, random, clock, logger } = options;
  const meta = await readMeta(files, path);
  if (meta) return meta.seeds;
  let seeds = await seedsOfLog(files, walPath);
  if (seeds) logger.error('meta is damaged or missing: restored it from the log', { path });
  else if ((await segmentNames(files, walPath)).length > 0) {
    throw new AppError(
      'data-loss',
      `cannot open storage path ${path}: meta and the headers of all log segments are damaged`,
    );
  }
  seeds ??= [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0];
  await writeMeta(files, path, { version: formatVersion, seeds, createdNanos: clock.nowNanos() });
  return seeds;
}

async function segmentNames(files: Files, walPath: string): Promise<string[]> {
  return (await files.listFiles(walPath)).filter((name) => segmentSequence(name) !== undefined);
}

async function seedsOfLog(files: Files, walPath: string): Promise<Seeds | undefined> {
  for (const name of await segmentNames(files, walPath)) {
    const file = await files.open(`${walPath}/${name}`, { create: false });
    const bytes = new Uint8Array(segmentHeaderBytes);
    const length = await file.read(bytes, 0).finally(() => file.close());
    const header = readSegmentHeader(bytes.subarray(0, length));
    if (header) return header.seeds;
  }
  return undefined;
}
