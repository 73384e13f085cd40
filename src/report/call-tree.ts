// The tree of calls of one query: values by call, before trimming.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { CallTreeBuilder } from './call-tree-builder.ts';
import type { TreeScratch } from './call-tree-builder.ts';
import type { FrameIdentity } from './frame-identity.ts';

/** Merged stacks that share their values of the grouped labels. */
export interface StackGroup {
  /** One value for each grouped label, "" = absent. All "" hangs directly under the root. */
  readonly labelValues: readonly string[];
  readonly merged: MergedStacks;
}

/**
 * Calls with values. Row 0 is the root; parents precede children.
 *
 * Shape: columns have `length` used elements, maybe more. Ownership: may share the dictionary's
 * own columns, so it is good until the next await.
 */
export interface CallTree {
  readonly length: number;
  readonly parent: Int32Array;
  /** Frames and label rows from the root. */
  readonly depth: Int32Array;
  /** What tells siblings apart; see CallNodeTable.key for the tree of function names. */
  readonly key: Uint32Array;
  /** 1 where no caller has the same key. */
  readonly outermost: Uint8Array;
  readonly flat: BigInt64Array;
  readonly cumulative: BigInt64Array;
  /** Rank among siblings; absent: the row itself. */
  readonly order: Int32Array | undefined;
  /** Row and group of each label row. */
  readonly labelRows: ReadonlyMap<number, number>;
  /** Depth of the deepest stack. */
  readonly depthMax: number;
  readonly sources: TreeSources;
}

/** The location trie nodes behind a tree: what its rows were merged from. */
export interface TreeSources {
  readonly length: number;
  /** Tree row of the innermost line; the outer lines are its ancestors. */
  readonly row: Int32Array;
  /** LocationIndex. */
  readonly location: Int32Array;
  /** 1 where the query touches the node; absent = everywhere. */
  readonly touched: Uint8Array | undefined;
}

/** Below this share of the store's stacks, only what the query touches is walked. */
const compactStacksShare = 1 / 8;

/** Builds the tree of `groups`; `identity` absent means by function name. */
export function buildCallTree(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  identity: FrameIdentity | undefined,
  scratch: TreeScratch,
): CallTree {
  dictionary.deriveCallNodes();
  const [first] = groups;
  const isPlain =
    identity === undefined &&
    groups.length === 1 &&
    first.labelValues.every((value) => value === '');
  const stackCount = dictionary.stacks.length * compactStacksShare;
  if (isPlain && first.merged.stacks.length >= stackCount) return wholeTree(dictionary, first);
  const builder = new CallTreeBuilder(dictionary, identity, scratch);
  groups.forEach((group, i) => builder.addGroup(group, i));
  const tree = builder.finish();
  accumulate(tree.cumulative, tree.parent, tree.length);
  return tree;
}

/** The dictionary's own trie with values: one pass over all of it, 3 ns a node. */
function wholeTree(dictionary: Dictionary, group: StackGroup): CallTree {
  const { callNodes, callNodeOfNode, stacks } = dictionary;
  const { length, parent, depth, key, outermost } = callNodes;
  const flat = new BigInt64Array(length);
  const touched = new Uint8Array(stacks.nodeCount);
  const { merged } = group;
  let depthMax = 0;
  for (let i = 0; i < merged.stacks.length; i += 1) {
    const leaf = stacks.leaf[merged.stacks[i]];
    const row = callNodeOfNode[leaf];
    flat[row] += merged.values[i];
    touched[leaf] = 1;
    if (depth[row] > depthMax) depthMax = depth[row];
  }
  const { nodeParent, nodeLocation } = stacks;
  for (let node = stacks.nodeCount - 1; node > 0; node -= 1) {
    touched[nodeParent[node]] |= touched[node];
  }
  touched[0] = 0;
  const cumulative = flat.slice();
  accumulate(cumulative, parent, length);
  return {
    ...{ length, parent, depth, key, outermost, flat, cumulative, depthMax },
    order: undefined,
    labelRows: new Map(),
    sources: { length: stacks.nodeCount, row: callNodeOfNode, location: nodeLocation, touched },
  };
}

/** Adds every row's value to its parent's, children first. */
function accumulate(cumulative: BigInt64Array, parent: Int32Array, length: number): void {
  for (let row = length - 1; row > 0; row -= 1) cumulative[parent[row]] += cumulative[row];
}
