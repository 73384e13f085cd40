// What maintenance needs of the engine: its blocks, and how to exchange them.
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
  /** What is deleted of it and still in the file. */
  readonly deletions: readonly Deletion[];
  /** Reads leave these out from now on. */
  setDeletions(deletions: readonly Deletion[]): void;
}

/**
 * Returns the ids of blocks and of all that they replaced: a bucket may have those still, and would
 * bring what is gone back.
 */
export function idsWithSources(blocks: readonly MaintainedBlock[]): string[] {
  return blocks.flatMap(({ id, facts }) => [id, ...facts.sources]);
}

/** Copies of blocks in a bucket, and blocks that are only there. */
export interface BlockBucket {
  /** Whether a block is not on the disk any more. */
  isRemote(id: string): boolean;
  /** Blocks are gone for good, and no other has their profiles. */
  retire(ids: readonly string[]): void;
}

/** The store around the blocks. */
export interface BlockHost<B extends MaintainedBlock> {
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Those that may be changed: their profiles are certainly not in the log any more. */
  blocks(): readonly B[];
  /** Opens a published block, with its deletions. */
  openBlock(id: string): Promise<B>;
  /**
   * Exchanges blocks at once for all readers; those removed are closed when nobody reads them.
   */
  replaceBlocks(removed: readonly B[], added: readonly B[]): void;
  /** Undefined when there is none. */
  readonly bucket?: BlockBucket | undefined;
  /** Resolves when all that was acknowledged so far is in `blocks()`. */
  rotate(): Promise<void>;
}
