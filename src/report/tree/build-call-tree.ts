// Builds the tree of calls of a query: from the dictionary's own trie, or of what is touched only.
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { touchedNodes } from '../stacks/touched-nodes.ts';
import { CallTreeBuilder, type TreeScratch } from './call-tree-builder.ts';
import { addUp } from './call-tree-draft.ts';
import { type BaseValues, type CallTree, hasLabels, type StackGroup } from './call-tree.ts';
import { GroupedTreeBuilder, groupsAtOnce } from './grouped-tree.ts';
import { type CallsInPlace, ownCalls } from './shown-calls.ts';
import type { ShownFrames } from './shown-frames.ts';
import { sourcesInPlace } from './sources-in-place.ts';

/** Below this share of the store's stacks, only what the query touches is walked. */
const compactStacksShare = 1 / 8;

/** From this share on all calls of other frames than the plain ones are derived, for later trees. */
const derivedStacksShare = 1 / 2;

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
  const share = shareOfStacks(dictionary, groups);
  const isMost = share >= compactStacksShare * passes;
  if (isMost && isOne) {
    if (frames.isPlain) return wholeTree(dictionary, first, ownCalls(dictionary), frames);
    const calls = scratch.callsOf(dictionary, frames, share >= derivedStacksShare);
    if (calls !== undefined) return wholeTree(dictionary, first, calls, frames);
  }
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

/** A trie as it is with values: one pass over all of it, 3 ns a node. */
function wholeTree(
  dictionary: Dictionary,
  { merged, base }: StackGroup,
  calls: CallsInPlace,
  frames: ShownFrames,
): CallTree {
  const { rows } = calls;
  const own = placeValues(dictionary, calls, merged);
  const other = base && placeValues(dictionary, calls, base);
  const sides = [merged, ...(base === undefined ? [] : [base])];
  const touched = touchedNodes(
    dictionary.stacks,
    sides.map((side) => side.stacks),
  );
  const { isShown } = calls;
  if (isShown) for (let node = 0; node < touched.length; node += 1) touched[node] &= isShown[node];
  const valueColumns = own.flat.byteLength * (other === undefined ? 2 : 4);
  return {
    ...{ length: rows.length, flat: own.flat, cumulative: own.cumulative },
    get parent() {
      return rows.parent;
    },
    get key() {
      return rows.key;
    },
    startNanos: undefined,
    frames: frames.keys,
    labelRows: new Map(),
    depthMax: Math.max(own.depthMax, other?.depthMax ?? 0),
    base: other,
    outermostRows: () => rows.outermostRows(),
    sources: [sourcesInPlace(dictionary, calls, touched, 0, frames.lines)],
    ownBytes: valueColumns + touched.byteLength + calls.usedBytes,
  };
}

/** Values by row. */
function placeValues(
  { stacks: { leaf } }: Dictionary,
  { rows: { length, parent, depth }, rowOfNode }: CallsInPlace,
  { stacks, values }: MergedStacks,
): BaseValues & { readonly depthMax: number } {
  const flat = new BigInt64Array(length);
  let depthMax = 0;
  for (let i = 0; i < stacks.length; i += 1) {
    const row = rowOfNode[leaf[stacks[i]]];
    flat[row] += values[i];
    if (depth[row] > depthMax) depthMax = depth[row];
  }
  return { flat, cumulative: addUp(flat, parent, length), depthMax };
}
