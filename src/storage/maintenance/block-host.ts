// The part of a store that maintenance needs: its blocks, and how to replace them.
import type { Clock } from '../../base/clock.ts';
import type { Files } from '../../base/files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { BlockFacts } from '../block/block-facts.ts';
import type { Deletion } from '../files/deletions.ts';
import type { Part } from '../part.ts';

/** A block on the disk. */
export interface MaintainedBlock extends Part {
  readonly facts: Pick<BlockFacts, 'level' | 'sources' | 'streamCount' | 'chunkCount'>;
  readonly fileBytes: number;
  /** Deletions whose profiles are still in the file. */
  readonly deletions: readonly Deletion[];
  /** Sets the deletions, whose profiles later reads leave out. */
  setDeletions(deletions: readonly Deletion[]): void;
}

/**
 * Returns the ids of the blocks and of all blocks that they replaced. A bucket may still have the
 * replaced blocks, from which deleted profiles would come back.
 */
export function idsWithSources(blocks: readonly MaintainedBlock[]): string[] {
  return blocks.flatMap(({ id, facts }) => [id, ...facts.sources]);
}

/** The bucket of a store. */
interface BlockBucket {
  /** Returns true if a block is only in the bucket. */
  isRemote(id: string): boolean;
  /** Removes blocks from the bucket. No other block has their profiles. */
  retire(ids: readonly string[]): void;
}

/** The store that the blocks belong to. */
export interface BlockHost<B extends MaintainedBlock> {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Blocks that may be replaced and removed, because the log no longer has their profiles. */
  blocks(): readonly B[];
  /** Opens a block that has been published, and reads its deletions. */
  openBlock(id: string): Promise<B>;
  /**
   * Replaces blocks in one step for all readers. Removed blocks are closed once no reader uses
   * them.
   */
  replaceBlocks(removed: readonly B[], added: readonly B[]): void;
  /** Undefined for a store without a bucket. */
  readonly bucket?: BlockBucket | undefined;
  /** Resolves when all profiles that were acknowledged before the call are in `blocks()`. */
  rotate(): Promise<void>;
}
