// Builds the tree of groups that have much of the dictionary: in passes over its tries, for all
// groups at once.
import { grown, withRoom } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { CallTreeDraft } from './call-tree-draft.ts';
import { hasLabels } from './call-tree.ts';
import type { CallTree, StackGroup } from './call-tree.ts';
import type { ShownFrames } from './shown-frames.ts';

/** A node has a bit for each group that touches it. */
export const groupsAtOnce = 32;

/**
 * Memory that such trees are built with, kept between queries. A node's rows lie beside each other,
 * in the order of the groups.
 */
export class GroupedScratch {
  /** By call node and by location trie node: bits of the groups at hand. */
  callBits = new Int32Array(1);
  nodeBits = new Int32Array(1);
  /** By call node: the first of its rows. */
  firstRow = new Int32Array(1);

  /** Clears the bits of all nodes. */
  begin({ stacks, callNodes }: Dictionary): void {
    this.callBits = grown(this.callBits, callNodes.length).fill(0, 0, callNodes.length);
    this.nodeBits = grown(this.nodeBits, stacks.nodeCount).fill(0, 0, stacks.nodeCount);
    this.firstRow = grown(this.firstRow, callNodes.length);
  }
}

/** One tree in the making, by function name. */
export class GroupedTreeBuilder {
  private length = 1;
  private parent = new Int32Array(1);
  private key = new Uint32Array(1);
  private readonly draft: CallTreeDraft;
  private readonly dictionary: Dictionary;
  private readonly scratch: GroupedScratch;

  constructor(dictionary: Dictionary, scratch: GroupedScratch, isDiff: boolean) {
    this.dictionary = dictionary;
    this.scratch = scratch;
    this.draft = new CallTreeDraft(isDiff);
    dictionary.deriveCallNodes();
  }

  /** Adds at most `groupsAtOnce` groups, the first of which is number `firstIndex`. */
  addGroups(groups: readonly StackGroup[], firstIndex: number): void {
    const { draft } = this;
    const { callNodes, stacks } = this.dictionary;
    this.scratch.begin(this.dictionary);
    const { callBits, nodeBits } = this.scratch;
    const tops = groups.map((group, i) => this.addLabels(group, firstIndex + i));
    groups.forEach(({ merged, base }, i) => {
      this.mark(merged, 1 << i);
      if (base !== undefined) this.mark(base, 1 << i);
    });
    this.addCalls(tops, spreadUp(callBits, callNodes.parent, callNodes.length));
    this.addSources(spreadUp(nodeBits, stacks.nodeParent, stacks.nodeCount));
    draft.reserveValues(this.length);
    groups.forEach(({ merged, base }, i) => {
      this.addValues(merged, draft.flat, 1 << i, tops[i]);
      if (base !== undefined) this.addValues(base, draft.baseFlat, 1 << i, tops[i]);
    });
  }

  /** The row that the group's rows hang under. */
  private addLabels(group: StackGroup, index: number): number {
    if (!hasLabels(group)) return 0;
    const row = this.length;
    this.parent = withRoom(this.parent, row, 1);
    this.key = withRoom(this.key, row, 1);
    this.draft.labelRows.set(row, index);
    this.length = row + 1;
    return row;
  }

  private mark({ stacks }: MergedStacks, bit: number): void {
    const { callNodeOfNode, stacks: table } = this.dictionary;
    const { callBits, nodeBits } = this.scratch;
    const { leaf } = table;
    for (let i = 0; i < stacks.length; i += 1) {
      const node = leaf[stacks[i]];
      nodeBits[node] |= bit;
      callBits[callNodeOfNode[node]] |= bit;
    }
  }

  /** Adds `count` rows: one for each group that a call node has. */
  private addCalls(tops: readonly number[], count: number): void {
    const { callNodes } = this.dictionary;
    const { callBits, firstRow } = this.scratch;
    this.parent = withRoom(this.parent, this.length, count);
    this.key = withRoom(this.key, this.length, count);
    const { parent, key } = this;
    let row = this.length;
    for (let call = 1; call < callNodes.length; call += 1) {
      let bits = callBits[call];
      if (bits === 0) continue;
      firstRow[call] = row;
      const caller = callNodes.parent[call];
      for (; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        parent[row] =
          caller === 0
            ? tops[31 - Math.clz32(bit)]
            : firstRow[caller] + countBelow(callBits[caller], bit);
        key[row] = callNodes.key[call];
        row += 1;
      }
    }
    this.length = row;
  }

  /** Notes the `count` nodes, of all groups, that rows are merged from. */
  private addSources(count: number): void {
    const { callNodeOfNode, stacks } = this.dictionary;
    const { callBits, nodeBits, firstRow } = this.scratch;
    const { draft } = this;
    draft.reserveSources(count);
    const { sourceRow, sourceLocation } = draft;
    let at = draft.sourceCount;
    for (let node = 1; node < stacks.nodeCount; node += 1) {
      for (let bits = nodeBits[node]; bits !== 0; bits &= bits - 1) {
        const call = callNodeOfNode[node];
        sourceRow[at] = firstRow[call] + countBelow(callBits[call], bits & -bits);
        sourceLocation[at] = stacks.nodeLocation[node];
        at += 1;
      }
    }
    draft.sourceCount = at;
  }

  private addValues(
    { stacks, values }: MergedStacks,
    flat: BigInt64Array,
    bit: number,
    top: number,
  ): void {
    const { callNodeOfNode, callNodes, stacks: table } = this.dictionary;
    const { callBits, firstRow } = this.scratch;
    const { leaf } = table;
    const topDepth = top === 0 ? 0 : 1;
    let { depthMax } = this.draft;
    for (let i = 0; i < stacks.length; i += 1) {
      const call = callNodeOfNode[leaf[stacks[i]]];
      const row = call === 0 ? top : firstRow[call] + countBelow(callBits[call], bit);
      flat[row] += values[i];
      const depth = callNodes.depth[call] + topDepth;
      if (depth > depthMax) depthMax = depth;
    }
    this.draft.depthMax = depthMax;
  }

  finish(frames: ShownFrames): CallTree {
    const { length, parent, key } = this;
    return this.draft.finish({ length, parent, key }, frames);
  }
}

/** Gives every node's bits to its parent, too; returns how many there are but at the root. */
function spreadUp(bits: Int32Array, parent: Int32Array, length: number): number {
  let count = 0;
  for (let node = length - 1; node > 0; node -= 1) {
    const own = bits[node];
    if (own === 0) continue;
    bits[parent[node]] |= own;
    count += (own & (own - 1)) === 0 ? 1 : countBits(own);
  }
  return count;
}

/** How many of `bits` are lower than `bit`. */
function countBelow(bits: number, bit: number): number {
  // Of most nodes one group alone has any.
  return bits === bit ? 0 : countBits(bits & (bit - 1));
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
