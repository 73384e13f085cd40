// Builds the call tree of a query, either from the calls of the whole dictionary or only from the
// selected stacks.
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { touchedNodes } from '../stacks/path-nodes.ts';
import { CallTreeBuilder, type TreeScratch } from './call-tree-builder.ts';
import {
  addedUp,
  type BaseValues,
  type CallTree,
  hasLabels,
  type StackGroup,
} from './call-tree.ts';
import { type DerivedCalls, ownCalls } from './shown-calls.ts';
import type { ShownFrames } from './shown-frames.ts';

/** Share of the store's stacks above which the calls of the whole dictionary are used. */
const derivedCallsShare = 1 / 8;

/** Like `derivedCallsShare`, for filtered or grouped frames whose calls are not derived yet. */
const newCallsShare = 1 / 2;

/** Returns true if a tree of this number of stacks uses the calls of all stacks. */
export function derivesAllCalls({ stacks }: Dictionary, stackCount: number): boolean {
  return stackCount >= stacks.length * derivedCallsShare;
}

/**
 * Builds the tree of `groups` with a row for each call of `frames`. The tree is valid until
 * `memory` is reused.
 */
export function buildCallTree(
  dictionary: Dictionary,
  groups: readonly StackGroup[],
  frames: ShownFrames,
  scratch: TreeScratch,
  memory: ColumnMemory = ownMemory,
): CallTree {
  const stackCount = countStacks(groups);
  const share = stackCount / dictionary.stacks.length;
  const calls = share < derivedCallsShare ? undefined : allCalls();
  const [first] = groups;
  if (calls !== undefined && groups.length === 1 && !hasLabels(first)) {
    return wholeTree(dictionary, first, calls, frames, memory);
  }
  const isDiff = groups.some(({ base }) => base !== undefined);
  const builder = new CallTreeBuilder(
    dictionary,
    frames,
    calls,
    scratch,
    isDiff,
    stackCount,
    memory,
  );
  groups.forEach((group, i) => builder.addGroup(group, i));
  return builder.finish();

  function allCalls(): DerivedCalls | undefined {
    if (frames.isPlain) return ownCalls(dictionary);
    return scratch.reuseCalls(dictionary, frames, share >= newCallsShare);
  }
}

/** Returns the number of stacks of all groups; a stack counts once per group. */
function countStacks(groups: readonly StackGroup[]): number {
  let count = 0;
  for (const { merged, base } of groups) count += merged.stacks.length + (base?.stacks.length ?? 0);
  return count;
}

/**
 * Returns the tree of all calls with the values of one group. Makes one pass over all nodes, which
 * takes 3 ns per node.
 */
function wholeTree(
  dictionary: Dictionary,
  { merged, base }: StackGroup,
  calls: DerivedCalls,
  frames: ShownFrames,
  memory: ColumnMemory,
): CallTree {
  const { rows, isShown } = calls;
  const { stacks } = dictionary;
  const own = placeValues(dictionary, calls, merged, memory);
  const other = base && placeValues(dictionary, calls, base, memory);
  const sides = [merged, ...(base === undefined ? [] : [base])];
  const touched = touchedNodes(
    stacks,
    sides.map((side) => side.stacks),
    memory.take(Uint8Array, stacks.nodeCount),
  );
  const { nodeCount } = stacks;
  if (isShown) for (let node = 0; node < nodeCount; node += 1) touched[node] &= isShown[node];
  return {
    length: rows.length,
    parent: rows.parent,
    key: rows.key,
    flat: own.flat,
    cumulative: own.cumulative,
    startNanos: undefined,
    lengthNanos: undefined,
    frames: frames.keys,
    labelRows: new Map(),
    depthMax: Math.max(own.depthMax, other?.depthMax ?? 0),
    base: other,
    outermostRows: () => rows.outermostRows(),
    sources: {
      length: nodeCount,
      row: calls.rowOfNode,
      location: stacks.nodeLocation,
      touched,
      shownLines: frames.lines,
    },
  };
}

/** Values by row. */
function placeValues(
  { stacks: { leaf } }: Dictionary,
  { rows: { length, parent, depth }, rowOfNode }: DerivedCalls,
  { stacks, values }: MergedStacks,
  memory: ColumnMemory,
): BaseValues & { readonly depthMax: number } {
  const flat = memory.take(BigInt64Array, length);
  let depthMax = 0;
  for (let i = 0; i < stacks.length; i += 1) {
    const row = rowOfNode[leaf[stacks[i]]];
    flat[row] += values[i];
    if (depth[row] > depthMax) depthMax = depth[row];
  }
  return { flat, cumulative: addedUp(flat, parent, length, memory), depthMax };
}
