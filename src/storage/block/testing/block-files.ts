// Makes blocks from heads, in memory, for tests.
import { MemoryFiles } from '../../../base/fake/memory-files.ts';
import type { Files } from '../../../base/files.ts';
import { silentLogger } from '../../../base/logger.ts';
import { noMetrics, type Metrics } from '../../../base/metrics.ts';
import { seededRandom } from '../../../base/random.ts';
import type { TimeRange } from '../../interface.ts';
import { HeadChunks } from '../../head/head-chunks.ts';
import type { Head } from '../../head/head.ts';
import { BlockCache } from '../block-cache.ts';
import type { BlockOrigin } from '../block-facts.ts';
import { createBlockWriter, type BlockWriter } from '../block-writer.ts';
import { publishFile } from '../../../base/durable-files.ts';
import { openBlock, type Block } from '../block.ts';

export const allTime: TimeRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n };

/** Returns the origin of a block, as for a block that is cut from a head. */
export const makeOrigin = (id: string): BlockOrigin => ({
  id,
  level: 0,
  sources: [],
  epoch: 1,
  cutCount: 1,
  createdNanos: 5n,
  windowNanos: 0n,
});

/** Writes all profiles of a head as a block, with up to `rowsMax` rows in a chunk. */
export async function writeHeadBlock(
  files: Files,
  path: string,
  head: Head,
  options: {
    readonly id?: string;
    readonly isCold?: boolean;
    readonly rowsMax?: number;
    /** Adds more chunks to a stream, after the chunks of the head. */
    readonly addMore?: (writer: BlockWriter, ref: number) => Promise<void>;
  } = {},
): Promise<void> {
  const { id = 'test', isCold = true, rowsMax = 1 << 20 } = options;
  const facts = makeOrigin(id);
  const { dictionary } = head;
  const writer = await createBlockWriter({ files, path, dictionary, isCold, facts });
  const chunks = new HeadChunks(head);
  try {
    for (const ref of head.refs()) {
      writer.beginStream(head.readKey(ref));
      for (const chunk of chunks.readChunks(ref, allTime, rowsMax)) await writer.addChunk(chunk, 0);
      await options.addMore?.(writer, ref);
    }
    await writer.finish();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
  await publishFile(files, path);
}

/** Opens a block. With a small cache, the block reads the same data repeatedly. */
export async function openBlockAt(
  files: Files,
  path: string,
  cacheBytes = 1 << 24,
  metrics: Metrics = noMetrics,
): Promise<Block> {
  return openBlock({
    file: await files.open(path, { create: false }),
    cache: new BlockCache(cacheBytes),
    logger: silentLogger,
    metrics,
  });
}

/** Returns files in memory with a directory for blocks. */
export async function memoryFiles(): Promise<MemoryFiles> {
  const files = new MemoryFiles(seededRandom(1));
  await files.makeDirectory('/blocks');
  return files;
}
