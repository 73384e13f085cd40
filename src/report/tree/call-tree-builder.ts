// Builds a call tree of just what a query touches: frame by frame, by what tells siblings apart.
import { CallTrie } from '../../model/call-trie.ts';
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { KeptByDictionary } from '../stacks/kept-by-dictionary.ts';
import { CallTreeDraft } from './call-tree-draft.ts';
import { type CallTree, hasLabels, type StackGroup } from './call-tree.ts';
import { GroupedScratch } from './grouped-tree.ts';
import { PathNodes } from './path-nodes.ts';
import { addShown, ShownCalls } from './shown-calls.ts';
import { noFrame, severalFrames, type ShownFrames } from './shown-frames.ts';

/**
 * Memory that trees are built with, kept between queries. It is as large as the store's tries, but
 * a build reads and writes only what its query touches.
 */
export class TreeScratch {
  /** By location trie node: tree row, where the group at hand touches it. */
  nodeRow = new Int32Array(1);
  /** What `ShownFrames.of` says of each node of the group at hand, in the order of `paths`. */
  shown = new Uint32Array(1);
  readonly paths = new PathNodes();
  readonly grouped = new GroupedScratch();
  /** Those of the last question about each dictionary. */
  readonly frames = new KeptByDictionary<ShownFrames>(1);
  readonly #calls = new WeakMap<ShownFrames, ShownCalls>();

  fit({ stacks }: Dictionary): void {
    this.nodeRow = grown(this.nodeRow, stacks.nodeCount);
  }

  /** All calls of `frames`, where they are derived already, or `derives` says so. */
  callsOf(dictionary: Dictionary, frames: ShownFrames, derives: boolean): ShownCalls | undefined {
    const known = this.#calls.get(frames);
    if (known === undefined && !derives) return undefined;
    const calls = known ?? new ShownCalls(dictionary, frames);
    this.#calls.set(frames, calls);
    calls.derive();
    return calls;
  }
}

/** One tree in the making. */
export class CallTreeBuilder {
  readonly #rows = new CallTrie();
  readonly #draft: CallTreeDraft;
  readonly #dictionary: Dictionary;
  readonly #frames: ShownFrames;
  readonly #scratch: TreeScratch;

  constructor(dictionary: Dictionary, frames: ShownFrames, scratch: TreeScratch, isDiff: boolean) {
    this.#dictionary = dictionary;
    this.#frames = frames;
    this.#scratch = scratch;
    this.#draft = new CallTreeDraft(isDiff);
    scratch.fit(dictionary);
  }

  /** Adds the stacks of a group, under a row of its own if it has labels. */
  addGroup(group: StackGroup, groupIndex: number): void {
    const rows = this.#rows;
    const draft = this.#draft;
    let top = 0;
    if (hasLabels(group)) {
      top = rows.add(0, 0);
      draft.labelRows.set(top, groupIndex);
    }
    const { merged, base } = group;
    this.#addNodes(base === undefined ? [merged] : [merged, base], top);
    draft.reserveValues(rows.length);
    this.#addValues(merged, draft.flat);
    if (base !== undefined) this.#addValues(base, draft.baseFlat);
  }

  /** Adds the rows of all nodes of stacks, and notes which nodes they are merged from. */
  #addNodes(sides: readonly MergedStacks[], top: number): void {
    const dictionary = this.#dictionary;
    const frames = this.#frames;
    const { stacks } = dictionary;
    const { nodeParent, nodeLocation } = stacks;
    const { paths } = this.#scratch;
    paths.collect(nodeParent, stacks.nodeCount, this.#leavesOf(sides));
    const { nodes, count } = paths;
    this.#reserve();
    const rows = this.#rows;
    const draft = this.#draft;
    const { sourceRow, sourceLocation } = draft;
    const { nodeRow, shown } = this.#scratch;
    let at = draft.sourceCount;
    nodeRow[0] = top;
    for (let i = count - 1; i >= 0; i -= 1) {
      const node = nodes[i];
      let row = nodeRow[nodeParent[node]];
      if (shown[i] !== noFrame) {
        const location = nodeLocation[node];
        row = addShown(rows, dictionary, frames, location, shown[i], row);
        sourceRow[at] = row;
        sourceLocation[at] = location;
        at += 1;
      }
      nodeRow[node] = row;
    }
    draft.sourceCount = at;
  }

  /** Asks about the frames of the collected nodes, and makes room for them. */
  #reserve(): void {
    const scratch = this.#scratch;
    const frames = this.#frames;
    const { nodes, count } = scratch.paths;
    const { nodeLocation } = this.#dictionary.stacks;
    const { lineStart } = this.#dictionary.locations;
    scratch.shown = grown(scratch.shown, count);
    frames.prepare(count);
    const { shown } = scratch;
    let [rowCount, nodeCount] = [0, 0];
    for (let i = 0; i < count; i += 1) {
      const location = nodeLocation[nodes[i]];
      shown[i] = frames.of(location);
      if (shown[i] === noFrame) continue;
      nodeCount += 1;
      rowCount += shown[i] === severalFrames ? lineStart[location + 1] - lineStart[location] : 1;
    }
    this.#rows.reserve(rowCount);
    this.#draft.reserveSources(nodeCount);
  }

  #leavesOf(sides: readonly MergedStacks[]): Int32Array {
    const { leaf } = this.#dictionary.stacks;
    const leaves = new Int32Array(sides.reduce((sum, { stacks }) => sum + stacks.length, 0));
    let count = 0;
    for (const { stacks } of sides) {
      for (let i = 0; i < stacks.length; i += 1, count += 1) leaves[count] = leaf[stacks[i]];
    }
    return leaves;
  }

  #addValues({ stacks, values }: MergedStacks, flat: BigInt64Array): void {
    const { nodeRow } = this.#scratch;
    const { leaf } = this.#dictionary.stacks;
    const { depth } = this.#rows;
    let { depthMax } = this.#draft;
    for (let i = 0; i < stacks.length; i += 1) {
      const row = nodeRow[leaf[stacks[i]]];
      flat[row] += values[i];
      if (depth[row] > depthMax) depthMax = depth[row];
    }
    this.#draft.depthMax = depthMax;
  }

  finish(): CallTree {
    return this.#draft.finish(this.#rows, this.#frames);
  }
}
