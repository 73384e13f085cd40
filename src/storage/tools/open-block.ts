// Opens a block without a server.
import type { Files } from '../../base/files.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { BlockCache } from '../block/block-cache.ts';
import { openBlock, type Block } from '../block/block.ts';
import { readDeletions } from '../files/deletions.ts';

/**
 * Maximum size of the cache in bytes. Tools read most sections only once, so a small cache is
 * enough.
 */
const cacheBytesMax = 64 * 1024 * 1024;

/** Opens the block at `path` with its deletions. Errors: as in openBlock and readDeletions. */
export async function openBlockAlone(files: Files, path: string): Promise<Block> {
  const deletions = await readDeletions(files, path);
  const file = await files.open(path, { create: false });
  const cache = new BlockCache(cacheBytesMax);
  const block = await openBlock({ file, cache, logger: silentLogger, metrics: noMetrics });
  block.setDeletions(deletions);
  return block;
}
