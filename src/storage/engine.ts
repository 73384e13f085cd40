// The embedded engine: opens a directory, wires log, head and index, and keeps the limits.
import { ByteWriter } from '../base/bytes.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, errorMessage } from '../base/errors.ts';
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
import { Head } from './head.ts';
import type { Appender, Querier, Storage } from './interface.ts';
import { formatVersion, readMeta, writeMeta } from './meta-file.ts';
import type { PendingProfile } from './profiles-record.ts';
import { HeadQuerier } from './querier.ts';
import { replayWal } from './replay.ts';
import { createStorageMetrics, observeHead, type StorageMetrics } from './storage-metrics.ts';
import {
  readSegmentHeader,
  segmentHeaderBytes,
  segmentSequence,
  type Seeds,
} from './wal-format.ts';
import { createLostRows } from './symbol-codec.ts';
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
    await makeDirectories(options, walPath);
    const seeds = await openSeeds(options, walPath);
    const place: WalPlace = { files, directory: walPath, seeds };
    const head = new Head(new Dictionary(seeds), limits.rowSegmentBytes);
    const log = await openLog(options, place, head, metrics, limits);
    observeHead(options.metrics, head);
    return new Engine(head, log, lock, metrics, limits);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Makes the directories, and makes their entries durable: an earlier process may have died before
 * it did.
 */
async function makeDirectories(options: EngineOptions, walPath: string): Promise<void> {
  const { files, path, logger } = options;
  await files.makeDirectory(walPath);
  await files.syncDirectory(path);
  const slash = path.lastIndexOf('/');
  const parent = slash < 0 ? '.' : path.slice(0, Math.max(1, slash));
  await files.syncDirectory(parent).catch((error: unknown) => {
    // Who may not read the parent did not make the directory either.
    logger.warn('cannot sync the directory above the storage path', {
      error: errorMessage(error),
    });
  });
}

/** Replays the log and makes it ready for more. */
async function openLog(
  options: EngineOptions,
  place: WalPlace,
  head: Head,
  metrics: StorageMetrics,
  limits: EngineLimits,
): Promise<WalWriter> {
  const { clock, logger } = options;
  const started = clock.monotonicMillis();
  const end = await replayWal(place, { head, lostRows: createLostRows(), logger, metrics });
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
  const segments = new WalSegments(place, end, { clock, logger, segmentBytesMax });
  return new WalWriter(segments, head, { clock, logger, metrics });
}

/** The store's secret words: from meta, else from a log segment, else new ones. */
async function openSeeds(options: EngineOptions, walPath: string): Promise<Seeds> {
  const { files, path, random, clock, logger } = options;
  const meta = await readMeta(files, path);
  if (meta) return meta.seeds;
  let seeds = await seedsOfLog(files, walPath);
  if (seeds) logger.error('meta is damaged or missing: restored it from the log', { path });
  else if ((await files.list(walPath)).length > 0) {
    throw new AppError(
      'data-loss',
      `cannot open storage path ${path}: meta and the headers of all log segments are damaged`,
    );
  }
  seeds ??= [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0];
  await writeMeta(files, path, { version: formatVersion, seeds, createdNanos: clock.nowNanos() });
  return seeds;
}

async function seedsOfLog(files: Files, walPath: string): Promise<Seeds | undefined> {
  for (const name of await files.list(walPath)) {
    if (segmentSequence(name) === undefined) continue;
    const file = await files.open(`${walPath}/${name}`, { create: false });
    const bytes = new Uint8Array(segmentHeaderBytes);
    const length = await file.read(bytes, 0).finally(() => file.close());
    const header = readSegmentHeader(bytes.subarray(0, length));
    if (header) return header.seeds;
  }
  return undefined;
}

class Engine implements Storage {
  readonly querier: Querier;
  private readonly head: Head;
  private readonly log: WalWriter;
  private readonly lock: { release(): Promise<void> };
  private readonly metrics: StorageMetrics;
  private readonly limits: EngineLimits;
  private readonly scratch = new ByteWriter(65_536);
  private closing: Promise<void> | undefined;

  constructor(
    head: Head,
    log: WalWriter,
    lock: { release(): Promise<void> },
    metrics: StorageMetrics,
    limits: EngineLimits,
  ) {
    this.head = head;
    this.log = log;
    this.lock = lock;
    this.metrics = metrics;
    this.limits = limits;
    this.querier = new HeadQuerier(head);
  }

  appender(): Appender {
    return new EngineAppender(this.head, this.scratch, (profiles) => this.commit(profiles));
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
      return !this.head.holds(ref, timeNanos, contentHash);
    });
    this.metrics.duplicates.add(profiles.length - fresh.length);
    if (fresh.length === 0) return;
    this.checkLimits(fresh);
    await this.log.commit(fresh);
  }

  private checkLimits(profiles: readonly PendingProfile[]): void {
    const { activeMemoryBytesMax, walPendingBytesMax: pendingMax } = this.limits;
    let bytes = this.head.arena.usedBytes + this.log.pendingRunBytes;
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
