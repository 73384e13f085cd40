// The call tree of one query: values by call, before trimming.
import type { ColumnMemory } from '../../model/column-memory.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { FrameKeys } from './frame-keys.ts';

/** Merged stacks with equal values of the grouped labels. */
export interface StackGroup {
  /**
   * One value per grouped label, "" = absent. If all values are "", the frames are directly below
   * the root.
   */
  readonly labelValues: readonly string[];
  readonly merged: MergedStacks;
  /** Base to compare `merged` with in a diff. */
  readonly base?: MergedStacks;
}

/** Returns true if a group has a label row. */
export function hasLabels({ labelValues }: StackGroup): boolean {
  return labelValues.some((value) => value !== '');
}

/**
 * Calls with values. Row 0 is the root; parents precede children.
 *
 * Shape: columns may be longer than `length`. Ownership: the tree may share columns of the
 * dictionary, so it is valid until the next await.
 */
export interface CallTree {
  readonly length: number;
  readonly parent: Int32Array;
  /**
   * Key that is unique among siblings; in a tree of function names, a call of Dictionary.callNodes.
   */
  readonly key: Uint32Array;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Describes the keys; sibling frames are in the order of `frames`, except in charts. */
  readonly frames: FrameKeys;
  /** Start of each row of a chart, whose siblings are in row order; 0 = none. */
  readonly startNanos: BigInt64Array | undefined;
  /** Duration of each row of a chart; 0 if unknown, as for label rows. */
  readonly lengthNanos: BigInt64Array | undefined;
  /** Group of each label row; label rows come before frames, in the order of groups. */
  readonly labelRows: ReadonlyMap<number, number>;
  /** Maximum number of frames of the deepest stack, plus one if it has a label row. */
  readonly depthMax: number;
  /** Values of a diff's base. */
  readonly base: BaseValues | undefined;
  readonly sources: TreeSources;
  /** Returns 1 for each row without an ancestor of the same key; 0 for all rows of a chart. */
  readonly outermostRows: () => Uint8Array;
}

/** Columns by tree row. */
export interface BaseValues {
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
}

/** Location trie nodes that were merged into the rows of a tree. */
export interface TreeSources {
  readonly length: number;
  /** Tree row of the innermost line; outer lines are its ancestors. */
  readonly row: Int32Array;
  /** LocationIndex. */
  readonly location: Int32Array;
  /** 1 for each node on the path of a selected stack; undefined = all nodes. */
  readonly touched: Uint8Array | undefined;
  /** 1 for each line with a row in the tree; undefined if all lines have a row. */
  readonly shownLines: Uint8Array | undefined;
}

/** Links by tree row; 0 means none, because the root is no child. Siblings are in row order. */
export interface ChildLinks {
  /** First child of each row. */
  readonly first: Int32Array;
  /** Next sibling of each row. */
  readonly next: Int32Array;
}

/** Links the children of each row, so that a walk over a subtree reads only the subtree. */
export function linkChildren({ length, parent }: CallTree): ChildLinks {
  const first = new Int32Array(length);
  const next = new Int32Array(length);
  for (let row = length - 1; row > 0; row -= 1) {
    const above = parent[row];
    next[row] = first[above];
    first[above] = row;
  }
  return { first, next };
}

/** Returns the cumulative values of `length` rows; parents must precede children. */
export function addedUp(
  flat: BigInt64Array,
  parent: Int32Array,
  length: number,
  memory: ColumnMemory,
): BigInt64Array {
  const values = memory.take(BigInt64Array, length);
  values.set(flat.subarray(0, length));
  for (let row = length - 1; row > 0; row -= 1) values[parent[row]] += values[row];
  return values;
}
