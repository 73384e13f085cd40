// Attaches a bucket to a store: uploads the blocks of the store and serves the blocks of the
// bucket.
import { type AppError, errorMessage } from '../../base/errors.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import { leaseStopMillisMax } from '../limits.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Block } from '../block/block.ts';
import type { LostParts } from '../lost-parts.ts';
import type { ReadableFile } from '../block/block-file.ts';
import { BucketSync } from './bucket-sync.ts';
import type { Random } from '../../base/random.ts';
import type { Bucket } from './bucket.ts';
import { Lease } from './lease.ts';
import { openPageCache } from './page-cache.ts';
import type { BlockSummary } from './ship-plan.ts';
import { blockName, joinBlocksPath } from '../files/block-names.ts';

/** The store to which a bucket is attached. */
export interface BucketHost {
  /** Name of the lock of the store's directory; see `FileLock`. */
  readonly lockName: string;
  /** Blocks whose profiles are no longer in the log, so that only the blocks have them. */
  blocks(): readonly Block[];
  /** Replaces blocks in one step. Removed blocks are closed after their last reader. */
  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void;
  readonly lost: LostParts;
  /** Opens a block of the bucket. Its deletions are in the directory of the store. */
  openBlockFile(id: string, file: ReadableFile): Promise<Block>;
}

interface AttachedBucketOptions {
  readonly bucket: Bucket;
  /** Storage directory, in which a folder `cache/` is created. */
  readonly path: string;
  /** Maximum size of the page cache on the disk, in bytes. */
  readonly cacheBytesMax: number;
  /**
   * Maximum size of the local blocks, in bytes. Above it, blocks that are also in the bucket are
   * removed from the disk; 0 = they stay on the disk.
   */
  readonly localBytesMax: number;
  /** Returns true if a block is being compacted. It must then stay on the disk. */
  isBusy(id: string): boolean;
  /** Runs a change of the files of a block while no other change runs. */
  exclusive<T>(change: () => Promise<T>): Promise<T>;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly random: Random;
  /** Name of this machine, for messages. */
  readonly host: string;
  /** Called if another server uses the bucket's prefix. This server must then stop. */
  onLost(error: AppError): void;
}

/** A bucket that is in use. */
export interface AttachedBucket {
  readonly sync: BucketSync<Block>;
  /** Stops the synchronization and releases the lease. Waits only briefly for the bucket. */
  stop(): Promise<void>;
}

/** Starts the synchronization. Resolves when the bucket's blocks are served, or after a timeout. */
export async function attachBucket(
  host: BucketHost,
  options: AttachedBucketOptions,
): Promise<AttachedBucket> {
  const { files, path, logger, cacheBytesMax } = options;
  const blocksPath = joinBlocksPath(path);
  const directory = `${path}/cache`;
  const random = (): string => options.random.uint32().toString(36);
  const lease = new Lease({
    ...options,
    lockName: host.lockName,
    holder: `${random()}${random()}`,
  });
  const sync = new BucketSync<Block>({
    ...options,
    mayChange: () => lease.isHeld,
    cache: await openPageCache({ ...options, directory, bytesMax: cacheBytesMax }),
    blocksPath,
    list: host,
    summarize: summarizeBlock,
    open: (file, id) => host.openBlockFile(id, file),
    release: (block) => {
      block.close().catch((error: unknown) => {
        logger.warn('cannot close a block', { block: block.id, error: errorMessage(error) });
      });
    },
    removeLocal: async ({ id }) => {
      await files.remove(`${blocksPath}/${blockName(id)}`);
      await files.syncDirectory(blocksPath);
    },
  });
  const leased = lease.start();
  await sync.start();
  await leased;
  const stop = async (): Promise<void> => {
    sync.halt();
    const limit = new AbortController();
    const tooLong = sleep(options.clock, leaseStopMillisMax, limit.signal);
    await Promise.race([lease.stop(), tooLong.catch(() => undefined)]);
    limit.abort();
    await sync.stop();
  };
  return { sync, stop };
}

function summarizeBlock({ facts, fileBytes }: Block): BlockSummary {
  const { id, level, sources, maxNanos } = facts;
  return { id, level, sources, maxNanos, fileBytes };
}
