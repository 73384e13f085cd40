// Decides which files to upload and which objects to remove. The decision is a pure function of
// what is on the disk and in the bucket.
import { objectShipDelayMillis } from '../limits.ts';
import { parseBlockId, blockName, parseDeletedId, deletedName } from '../files/block-names.ts';

/** A block on the disk or in the bucket. */
export interface BlockSummary {
  readonly id: string;
  readonly level: number;
  /** Ids of the blocks that the block replaced, directly or indirectly. */
  readonly sources: readonly string[];
  /** Time of the last profile in the block. */
  readonly maxNanos: bigint;
  readonly fileBytes: number;
}

export interface ShipState {
  /** Blocks on the local disk that are not about to be removed. */
  readonly local: readonly BlockSummary[];
  /**
   * Sizes of local `<id>.deleted` files in bytes, by id. The block itself may be only in the
   * bucket.
   */
  readonly localDeletions: ReadonlyMap<string, number>;
  /** Blocks in the list of blocks that are only in the bucket. */
  readonly remote: readonly BlockSummary[];
  /** Sizes of the bucket's objects in bytes, by name. */
  readonly objects: ReadonlyMap<string, number>;
  /** Ids of blocks that were retired or completely deleted. */
  readonly retired: ReadonlySet<string>;
  readonly nowNanos: bigint;
}

/** Names of files to upload, and of objects to remove after that. */
interface ShipPlan {
  readonly uploads: readonly string[];
  readonly removals: readonly string[];
}

/**
 * Plans uploads and removals.
 *
 * Uploads are compacted blocks, and blocks that have waited long enough for a compaction, sorted by
 * level and age. A block's deletions are uploaded before the block and removed after it, so that no
 * reader sees the block without them.
 *
 * Removals are blocks that were retired, blocks whose replacement is in the bucket, and deletions
 * without a block.
 */
export function planShipping(state: ShipState): ShipPlan {
  const { local, localDeletions, objects, retired } = state;
  const uploads: string[] = [];
  for (const block of local.filter((it) => isDue(it, state)).toSorted(compareBlocks)) {
    const name = blockName(block.id);
    const isThere = isShipped(block, objects);
    pushDeletions(uploads, block.id, state);
    if (!isThere) uploads.push(name);
  }
  const localIds = new Set(local.map(({ id }) => id));
  // These are deletions of blocks that are only in the bucket.
  for (const id of localDeletions.keys()) {
    const isRemoteOnly = objects.has(blockName(id)) && !localIds.has(id);
    if (isRemoteOnly && !retired.has(id)) pushDeletions(uploads, id, state);
  }
  return { uploads, removals: listRemovals(state, localIds) };
}

/** Returns true if the bucket has the complete block. */
export function isShipped(
  { id, fileBytes }: BlockSummary,
  objects: ReadonlyMap<string, number>,
): boolean {
  return objects.get(blockName(id)) === fileBytes;
}

/** Returns the ids of the blocks that `blocks` replace. */
export function supersededBy(blocks: readonly BlockSummary[]): Set<string> {
  return new Set(blocks.flatMap(({ sources }) => sources));
}

function isDue({ id, level, maxNanos }: BlockSummary, { nowNanos, retired }: ShipState): boolean {
  if (retired.has(id)) return false;
  return level > 0 || nowNanos >= maxNanos + BigInt(objectShipDelayMillis) * 1_000_000n;
}

function pushDeletions(uploads: string[], id: string, state: ShipState): void {
  const bytes = state.localDeletions.get(id);
  const name = deletedName(id);
  // The file only grows, so a larger file has more deletions.
  if (bytes !== undefined && bytes > (state.objects.get(name) ?? -1)) uploads.push(name);
}

function listRemovals(state: ShipState, localIds: ReadonlySet<string>): string[] {
  const { local, remote, objects, retired } = state;
  const shipped = local.filter((block) => isShipped(block, objects));
  const superseded = supersededBy([...shipped, ...remote]);
  const isOver = (id: string): boolean => superseded.has(id) || retired.has(id);
  const blocks: string[] = [];
  const deletions: string[] = [];
  for (const name of objects.keys()) {
    const block = parseBlockId(name);
    const id = parseDeletedId(name);
    if (block !== undefined) {
      if (isOver(block)) blocks.push(name);
    } else if (id !== undefined) {
      const hasBlock = objects.has(blockName(id)) || localIds.has(id);
      if (isOver(id) || !hasBlock) deletions.push(name);
    }
  }
  return [...blocks, ...deletions];
}

function compareBlocks(a: BlockSummary, b: BlockSummary): number {
  if (a.level !== b.level) return a.level - b.level;
  if (a.maxNanos !== b.maxNanos) return a.maxNanos < b.maxNanos ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
