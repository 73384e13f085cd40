// Decides what is uploaded and what is removed from the bucket: a pure function of both sides.
import { objectShipDelayMillis } from '../../base/limits.ts';
import { blockIdOf, blockName, deletedIdOf, deletedName } from '../files/block-names.ts';

/** What a block says about itself, wherever it lies. */
export interface BlockSummary {
  readonly id: string;
  readonly level: number;
  /** Ids of blocks whose profiles it has, those that these replaced included. */
  readonly sources: readonly string[];
  /** Time of its last profile. */
  readonly maxNanos: bigint;
  readonly fileBytes: number;
}

export interface ShipState {
  /** Blocks of the local disk that are not being removed. */
  readonly local: readonly BlockSummary[];
  /** Bytes of `<id>.deleted` files of the local disk, by id; also of blocks that are not local. */
  readonly localDeletions: ReadonlyMap<string, number>;
  /** Blocks that were found in the bucket and opened. */
  readonly remote: readonly BlockSummary[];
  /** Bytes of objects, by name. */
  readonly objects: ReadonlyMap<string, number>;
  /** Blocks that were retired or deleted as a whole. */
  readonly retired: ReadonlySet<string>;
  readonly nowNanos: bigint;
}

/** Names of files, in the order in which they are to be carried out. */
export interface ShipPlan {
  readonly uploads: readonly string[];
  readonly removals: readonly string[];
}

/**
 * Uploads: what was compacted, and what waited long enough for it, by level and age. Deletions go
 * before their block and are removed after it, so that nobody sees the block without them.
 *
 * Removals: blocks that were retired, or whose replacement is in the bucket; deletions of blocks
 * that are nowhere.
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
  // Deletions of blocks that left the local disk.
  for (const id of localDeletions.keys()) {
    const isRemoteOnly = objects.has(blockName(id)) && !localIds.has(id);
    if (isRemoteOnly && !retired.has(id)) pushDeletions(uploads, id, state);
  }
  return { uploads, removals: removalsOf(state, localIds) };
}

/** Whether the bucket has all of a block. */
export function isShipped(
  { id, fileBytes }: BlockSummary,
  objects: ReadonlyMap<string, number>,
): boolean {
  return objects.get(blockName(id)) === fileBytes;
}

/** Ids that no longer count, as another of the blocks has their profiles. */
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
  // The file only grows.
  if (bytes !== undefined && bytes > (state.objects.get(name) ?? -1)) uploads.push(name);
}

function removalsOf(state: ShipState, localIds: ReadonlySet<string>): string[] {
  const { local, remote, objects, retired } = state;
  const shipped = local.filter((block) => isShipped(block, objects));
  const superseded = supersededBy([...shipped, ...remote]);
  const isOver = (id: string): boolean => superseded.has(id) || retired.has(id);
  const blocks: string[] = [];
  const deletions: string[] = [];
  for (const name of objects.keys()) {
    const block = blockIdOf(name);
    const id = deletedIdOf(name);
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
