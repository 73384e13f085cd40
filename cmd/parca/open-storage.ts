// Opens the store of the server, including the maintenance of its blocks.
import { statSync } from 'node:fs';
import { walPendingBytesMax } from '../../src/base/limits.ts';
import { memoryShare } from '../../src/base/memory-limit.ts';
import { hostname } from 'node:os';
import { resolve, sep } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { AppError } from '../../src/base/errors.ts';
import type { Files } from '../../src/base/files.ts';
import type { Logger } from '../../src/base/logger.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import type { Random } from '../../src/base/random.ts';
import type { ObjectStorageConfig } from '../../src/config/bucket-config.ts';
import type { PartSource } from '../../src/storage/part-source.ts';
import type { Block } from '../../src/storage/block/block.ts';
import type { Snapshot, Storage, StorageAdmin } from '../../src/storage/interface.ts';
import { createCompactionThreads } from '../../src/storage/maintenance/compactor.ts';
import { Maintenance } from '../../src/storage/maintenance/maintenance.ts';
import { everyMinute, startSchedule } from '../../src/storage/maintenance/schedule.ts';
import { type AttachedBucket, attachBucket } from '../../src/storage/object-store/attach.ts';
import type { BucketSync } from '../../src/storage/object-store/bucket-sync.ts';
import type { Bucket } from '../../src/storage/object-store/bucket.ts';
import { openBucket } from '../../src/storage/object-store/open/open-bucket.ts';
import { copyDirectory } from '../../src/storage/tools/copy-directory.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import type { Store, StoreLimits } from '../../src/storage/store/store.ts';
import { clickHousePassword } from '../clickhouse-flags.ts';
import { withOtherNames } from '../other-names.ts';
import { createSdkLoader } from '../sdk-loader.ts';
import type { Flags } from './flags.ts';
import { serverNames } from './parca-metrics.ts';

/** Clock, disk, log and metrics of a store. */
export interface StorageMachine {
  readonly clock: Clock;
  readonly files: Files;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const compactionScript = new URL('./workers/compaction-worker.ts', import.meta.url);

/** The store of a server. */
export interface ServerStorage extends Storage, StorageAdmin {
  /** The server's blocks and heads, for query servers. */
  readonly parts?: PartSource;
}

/**
 * Opens the store with its maintenance and its bucket.
 *
 * `onFatal` is called if the store must not continue.
 *
 * Errors: as in openStore; AppError 'invalid-argument' or 'failed-precondition' for an invalid
 * bucket.
 */
export async function openStorage(
  machine: StorageMachine,
  flags: Flags,
  objectStorage: ObjectStorageConfig | undefined,
  onFatal: (error: AppError) => void,
): Promise<ServerStorage> {
  const named = { ...machine, metrics: withOtherNames(machine.metrics, serverNames) };
  if (flags.clickHouse === undefined) return openEmbedded(named, flags, objectStorage, onFatal);
  // The ClickHouse client is loaded only if it is used.
  const { openClickHouse } = await import('../../src/storage/clickhouse/open.ts');
  const password = await clickHousePassword(machine.files, flags.clickHouse);
  return openClickHouse(named, { ...flags.clickHouse, password });
}

async function openEmbedded(
  machine: StorageMachine,
  flags: Flags,
  objectStorage: ObjectStorageConfig | undefined,
  onFatal: (error: AppError) => void,
): Promise<ServerStorage> {
  const path = resolve(flags.storagePath);
  warnOfOthers(path, machine.logger);
  // The bucket is opened first, because a mistake in its configuration must stop the program
  // immediately.
  const bucket = await configuredBucket(machine, path, objectStorage);
  const store = await openStore({
    ...machine,
    path,
    durability: flags.storageDurability,
    limits: storeLimits(flags),
  });
  let attached: AttachedBucket | undefined;
  const maintenance = new Maintenance(
    {
      ...machine,
      blocks: () => store.blocks(),
      openBlock: (id) => store.openBlock(id),
      replaceBlocks: (removed, added) => store.replaceBlocks(removed, added),
      rotate: () => store.rotate(),
      bucket: bucket && {
        isRemote: (id) => attached?.sync.isRemote(id) === true,
        retire: (ids) => attached?.sync.retire(ids),
      },
    },
    {
      storagePath: path,
      retention: flags.storageRetention,
      compactor: createCompactionThreads(compactionScript),
    },
  );
  if (bucket !== undefined) {
    attached = await attachBucket(store, {
      ...machine,
      bucket,
      path,
      host: hostname(),
      onLost: onFatal,
      cacheBytesMax: flags.storageCacheBytesMax,
      localBytesMax: flags.storageLocalBytesMax,
      isBusy: (id) => maintenance.isBusy(id),
      exclusive: (change) => maintenance.exclusive(change),
    });
  }
  await maintenance.giveNotice();
  const schedule = startSchedule(everyMinute, machine.clock, () => void maintenance.runPass());
  return {
    appender: () => store.appender(),
    querier: store.querier,
    parts: partSource(store, () => [...(attached?.sync.retired ?? [])]),
    get isReadOnly() {
      return store.isReadOnly;
    },
    rotate: () => store.rotate(),
    delete: (query) => maintenance.delete(query),
    snapshot: () => maintenance.exclusive(() => makeSnapshot(machine, path, store, attached?.sync)),
    async close() {
      schedule.stop();
      await attached?.stop();
      await maintenance.close();
      await store.close();
    },
  };
}

function storeLimits(flags: Flags): Partial<StoreLimits> {
  return {
    activeMemoryBytesMax: flags.storageActiveMemoryBytes,
    walPendingBytesMax: memoryShare('log', walPendingBytesMax),
    freeDiskBytesMin: flags.storageFreeDiskBytesMin,
    ...(flags.storageFreeDiskBytesMin === 0 ? { freeDiskShareMin: 0 } : {}),
  };
}

/**
 * Returns blocks and heads for query servers. `goneIds` returns the ids of removed blocks that may
 * still be in the bucket.
 */
function partSource({ served }: Store, goneIds: () => string[]): PartSource {
  return {
    look: async (question, signal) => ({
      ...(await served.look(question, signal)),
      gone: goneIds(),
    }),
    readBlock: (id, offset, length, signal) => served.readBlock(id, offset, length, signal),
  };
}

/**
 * Links the local blocks into a new folder. Meanwhile, writes go to a head that is not part of the
 * snapshot.
 */
async function makeSnapshot(
  { clock, files }: StorageMachine,
  path: string,
  store: Store,
  sync: BucketSync<Block> | undefined,
): Promise<Snapshot> {
  await store.rotate();
  const local = store.blocks().filter(({ id }) => sync?.isRemote(id) !== true);
  const name = new Date(clock.nowMillis()).toISOString().replace(/[:.]/g, '-');
  const target = `${path}/snapshots/${name}`;
  const onlyBlocks = new Set(local.map(({ id }) => id));
  const { count, bytes } = await copyDirectory(files, path, target, { isLinked: true, onlyBlocks });
  return { path: target, fileCount: count, bytes };
}

/**
 * Returns the bucket; undefined if there is none, or if it is the storage path, as in Parca's
 * default file.
 */
export async function configuredBucket(
  machine: StorageMachine,
  path: string,
  config: ObjectStorageConfig | undefined,
): Promise<Bucket | undefined> {
  if (config === undefined) return undefined;
  const loadSdk = createSdkLoader(machine.logger);
  const { bucket, prefix } = config;
  if (bucket.type !== 'FILESYSTEM') return openBucket({ ...machine, config, loadSdk });
  const directory = resolve(bucket.directory);
  const place = resolve(directory, prefix.replace(/^\/+/, ''));
  if (place === path || place.startsWith(`${path}${sep}`)) {
    machine.logger.warn('the bucket lies in the storage path: nothing is shipped', {
      bucket: place,
      storagePath: path,
    });
    return undefined;
  }
  return openBucket({
    ...machine,
    config: { prefix, bucket: { ...bucket, directory } },
    loadSdk,
  });
}

/**
 * Logs a warning if all users of the machine can read the profiles. The permissions of an existing
 * folder are not changed, because they may be intentional.
 */
function warnOfOthers(path: string, logger: Logger): void {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 };
  if ((mode & 0o007) === 0) return;
  logger.warn('all users of this machine may read the profiles', { fix: `chmod o= ${path}` });
}
