// Attaches a bucket to a store: its blocks are shipped, and those of the bucket are served.
import { errorMessage } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Block } from '../block/block.ts';
import type { LostParts } from '../lost-parts.ts';
import type { ReadableFile } from './bucket-file.ts';
import { BucketSync } from './bucket-sync.ts';
import type { Bucket } from './bucket.ts';
import { openPageCache } from './page-cache.ts';
import type { BlockSummary } from './ship-plan.ts';
import { blockName, blocksPathOf } from '../files/block-names.ts';

/** What the store gives for it. */
export interface BucketHost {
  /** Blocks whose profiles are not in the log any more. */
  blocks(): readonly Block[];
  /** Those removed are closed when nobody reads them any more. */
  replaceBlocks(removed: readonly Block[], added: readonly Block[]): void;
  readonly lost: LostParts;
  /** Opens a block that lies elsewhere, with the deletions that lie in the store's directory. */
  openBlockFile(id: string, file: ReadableFile): Promise<Block>;
}

export interface AttachedBucketOptions {
  readonly bucket: Bucket;
  /** The storage directory; `cache/` is made in it. */
  readonly path: string;
  /** Bytes of pages of the bucket's blocks that are kept on the disk. */
  readonly cacheBytesMax: number;
  /** Bytes of blocks on the disk above which shipped ones leave it; 0 = they stay. */
  readonly localBytesMax: number;
  /** Whether a block is being compacted: it stays where it is. */
  isBusy(id: string): boolean;
  /** Runs what moves a block while nothing else changes blocks. */
  exclusive<T>(change: () => Promise<T>): Promise<T>;
  readonly files: Files;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Begins; resolves when the blocks of the bucket are served, or when that takes too long. */
export async function attachBucket(
  host: BucketHost,
  options: AttachedBucketOptions,
): Promise<BucketSync<Block>> {
  const { files, path, logger, cacheBytesMax } = options;
  const blocksPath = blocksPathOf(path);
  const directory = `${path}/cache`;
  const sync = new BucketSync<Block>({
    ...options,
    cache: await openPageCache({ ...options, directory, bytesMax: cacheBytesMax }),
    blocksPath,
    list: host,
    summaryOf,
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
  await sync.start();
  return sync;
}

function summaryOf({ facts, fileBytes }: Block): BlockSummary {
  const { id, level, sources, maxNanos } = facts;
  return { id, level, sources, maxNanos, fileBytes };
}
