// The tree of calls of one query: values by call, before trimming.
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { FrameKeys } from './frame-keys.ts';

/** Merged stacks that share their values of the grouped labels. */
export interface StackGroup {
  /** One value for each grouped label, "" = absent. All "" hangs directly under the root. */
  readonly labelValues: readonly string[];
  readonly merged: MergedStacks;
  /** Of a diff: what `merged` is compared with. */
  readonly base?: MergedStacks;
}

/** Whether a group has a row of its own. */
export function hasLabels({ labelValues }: StackGroup): boolean {
  return labelValues.some((value) => value !== '');
}

/**
 * Calls with values. Row 0 is the root; parents precede children.
 *
 * Shape: columns have `length` used elements, maybe more. Ownership: may share the dictionary's
 * own columns, which are taken anew each time, as growth replaces them.
 */
export interface CallTree {
  readonly length: number;
  readonly parent: Int32Array;
  /** What tells siblings apart; see Dictionary.callNodes for the tree of function names. */
  readonly key: Uint32Array;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** What keys stand for; siblings that are frames come in their order, but in charts. */
  readonly frames: FrameKeys;
  /** Of a chart: when each row starts; siblings then come in the order of rows. 0 = always. */
  readonly startNanos: BigInt64Array | undefined;
  /** Row and group of each label row; they come before frames, in the order of groups. */
  readonly labelRows: ReadonlyMap<number, number>;
  /** Frames of the deepest stack, and its label row if it has one. */
  readonly depthMax: number;
  /** Of a diff: the values of what the tree's own are compared with. */
  readonly base: BaseValues | undefined;
  /** What the rows were merged from. */
  readonly sources: TreeSources;
  /** By row, 1 where no caller has the same key; of a chart, 0. Decided when it is asked for. */
  readonly outermostRows: () => Uint8Array;
  /** Bytes of its columns, but for those of the dictionary. */
  readonly ownBytes: number;
}

/** Columns by tree row. */
export interface BaseValues {
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
}

/** Location trie nodes behind a tree: what its rows were merged from. */
export interface TreeSources {
  readonly length: number;
  /** Tree row of the innermost line; the outer lines are its ancestors. */
  readonly row: Int32Array;
  /** LocationIndex. */
  readonly location: Int32Array;
  /** 1 where the query touches the node; absent = everywhere. */
  readonly touched: Uint8Array | undefined;
  /** By line row, 1 where it has a row of the tree; absent = everywhere. */
  readonly shownLines: Uint8Array | undefined;
}

/** By row of a tree; 0 = none, as the root is nobody's child. Siblings are in the order of rows. */
export interface ChildLinks {
  /** The first child of a row. */
  readonly first: Int32Array;
  /** The sibling after a row. */
  readonly next: Int32Array;
}

/** Looks at every row once: what goes into a part of a tree then needs no more than the part. */
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

/** The cumulative values of rows, from their flat ones; parents precede children. */
export function addUp(flat: BigInt64Array, parent: Int32Array, length: number): BigInt64Array {
  const cumulative = flat.slice(0, length);
  for (let row = length - 1; row > 0; row -= 1) cumulative[parent[row]] += cumulative[row];
  return cumulative;
}
