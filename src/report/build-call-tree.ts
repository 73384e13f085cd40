// Builds the tree of calls of a query: from the dictionary's own trie, or of what is touched only.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { CallTreeBuilder } from './call-tree-builder.ts';
import type { TreeScratch } from './call-tree-builder.ts';
import { addUp } from './call-tree-draft.ts';
import { hasLabels } from './call-tree.ts';
import type { BaseValues, CallTree, StackGroup } from './call-tree.ts';
import type { FrameKeys } from './frame-keys.ts';
import { groupsAtOnce, GroupedTreeBuilder } from './grouped-tree.ts';
import type { ShownFrames } from './shown-frames.ts';
import { sourcesInPlace } from './sources-in-place.ts';
import { touchedNodes } from './touched-nodes.ts';

/** Below this share of the store's stacks, only what the query touches is walked. */
const compactStacksShare = 1 / 8;

/** Builds the tree that `groups` have of `frames`. */
export function buildCallTree(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  frames: ShownFrames,
  scratch: TreeScratch,
): CallTree {
  const [first] = groups;
  const isOne = groups.length === 1 && !hasLabels(first);
  const passes = Math.ceil(groups.length / groupsAtOnce);
  const isMost = shareOfStacks(dictionary, groups) >= compactStacksShare * passes;
  if (frames.isPlain && isMost && isOne) return wholeTree(dictionary, first, frames.keys);
  const isDiff = groups.some(({ base }) => base !== undefined);
  if (frames.isPlain && isMost) {
    const builder = new GroupedTreeBuilder(dictionary, scratch.grouped, isDiff);
    for (let i = 0; i < groups.length; i += groupsAtOnce) {
      builder.addGroups(groups.slice(i, i + groupsAtOnce), i);
    }
    return builder.finish(frames);
  }
  const builder = new CallTreeBuilder(dictionary, frames, scratch, isDiff);
  groups.forEach((group, i) => builder.addGroup(group, i));
  return builder.finish();
}

/** How many of the dictionary's stacks groups have; those that several have count for each. */
function shareOfStacks({ stacks }: Dictionary, groups: readonly StackGroup[]): number {
  let used = 0;
  for (const { merged, base } of groups) used += merged.stacks.length + (base?.stacks.length ?? 0);
  return used / stacks.length;
}

/** The dictionary's own trie with values: one pass over all of it, 3 ns a node. */
function wholeTree(dictionary: Dictionary, group: StackGroup, frames: FrameKeys): CallTree {
  dictionary.deriveCallNodes();
  const { callNodes, stacks } = dictionary;
  const { length } = callNodes;
  const own = placeValues(dictionary, group.merged);
  const other = group.base && placeValues(dictionary, group.base);
  const sides = [group.merged, ...(group.base === undefined ? [] : [group.base])];
  const touched = touchedNodes(
    stacks,
    sides.map((side) => side.stacks),
  );
  const valueColumns = own.flat.byteLength * (other === undefined ? 2 : 4);
  return {
    ...{ length, flat: own.flat, cumulative: own.cumulative },
    get parent() {
      return callNodes.parent;
    },
    get key() {
      return callNodes.key;
    },
    startNanos: undefined,
    frames,
    labelRows: new Map(),
    depthMax: Math.max(own.depthMax, other?.depthMax ?? 0),
    base: other,
    outermostRows: () => callNodes.outermostRows(),
    sources: [sourcesInPlace(dictionary, touched, 0)],
    ownBytes: valueColumns + touched.byteLength,
  };
}

/** Values by call node. */
function placeValues(
  { callNodes, callNodeOfNode, stacks }: Dictionary,
  merged: MergedStacks,
): BaseValues & { readonly depthMax: number } {
  const { length, parent, depth } = callNodes;
  const flat = new BigInt64Array(length);
  let depthMax = 0;
  for (let i = 0; i < merged.stacks.length; i += 1) {
    const row = callNodeOfNode[stacks.leaf[merged.stacks[i]]];
    flat[row] += merged.values[i];
    if (depth[row] > depthMax) depthMax = depth[row];
  }
  return { flat, cumulative: addUp(flat, parent, length), depthMax };
}
