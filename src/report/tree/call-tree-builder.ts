// Builds a call tree only from the stacks of some groups, however large the dictionary is.
import { CallTrie } from '../../model/call-trie.ts';
import type { ColumnMemory } from '../../model/column-memory.ts';
import { grown, withCapacity } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { PathNodes } from '../stacks/path-nodes.ts';
import { addedUp, type CallTree, hasLabels, type StackGroup } from './call-tree.ts';
import { addShown, type DerivedCalls, ShownCalls } from './shown-calls.ts';
import { noFrame, severalFrames, type ShownFrames } from './shown-frames.ts';

/**
 * Memory for building trees, which later queries reuse. It is as large as the tries of the store,
 * but a query reads and writes only the nodes that it needs.
 */
export class TreeScratch {
  /** Tree row of each location trie node in the current group. */
  nodeRow = new Int32Array(1);
  /** Tree row of each derived call in the current group. */
  callRow = new Int32Array(1);
  /** Results of `ShownFrames.of` for the nodes of the current group, in the order of `paths`. */
  shown = new Uint32Array(1);
  readonly paths = new PathNodes();
  /**
   * Number of rows and sources per stack in the last tree. The trees of a refreshed page are
   * similar, so their columns get the right size immediately. Growing columns would take a third of
   * the time, and create garbage.
   */
  perStack = { rows: 0, sources: 0 };
  #marks = new Int32Array(0);
  /**
   * For each dictionary, the frames that the last report with filters or groups showed. Reusing
   * them saves 150 of 180 ms in the next such report on 50,000 stacks.
   */
  readonly #frames = new WeakMap<Dictionary, { readonly key: string; readonly of: ShownFrames }>();
  readonly #calls = new WeakMap<ShownFrames, ShownCalls>();

  /** Returns an array of zeros for marks by row. The caller must reset it to zeros. */
  marks(rowCount: number): Int32Array {
    this.#marks = grown(this.#marks, rowCount);
    return this.#marks;
  }

  /**
   * Returns the frames for `asked`, which is plain data. Reuses the last frames if they were built
   * for equal data.
   */
  reuseFrames(dictionary: Dictionary, asked: unknown, make: () => ShownFrames): ShownFrames {
    const key = JSON.stringify(asked, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const kept = this.#frames.get(dictionary);
    if (kept?.key === key) return kept.of;
    const of = make();
    this.#frames.set(dictionary, { key, of });
    return of;
  }

  /** Returns all calls of `frames` if they have been derived already, or if `derives` is true. */
  reuseCalls(
    dictionary: Dictionary,
    frames: ShownFrames,
    derives: boolean,
  ): ShownCalls | undefined {
    const known = this.#calls.get(frames);
    if (known === undefined && !derives) return undefined;
    const calls = known ?? new ShownCalls(dictionary, frames);
    this.#calls.set(frames, calls);
    calls.derive();
    return calls;
  }
}

/** Factor for trees that have a little more rows per stack than the last tree. */
const spareFactor = 1.25;

/** A tree under construction; see CallTree for the columns. */
export class CallTreeBuilder {
  readonly #rows: CallTrie;
  #flat = new BigInt64Array(0);
  /** Values of a diff's base; empty without a base. */
  #baseFlat = new BigInt64Array(0);
  #depthMax = 0;
  readonly #labelRows = new Map<number, number>();
  #sourceCount = 0;
  #sourceRow = new Int32Array(0);
  #sourceLocation = new Int32Array(0);
  readonly #dictionary: Dictionary;
  readonly #frames: ShownFrames;
  readonly #calls: DerivedCalls | undefined;
  readonly #scratch: TreeScratch;
  readonly #isDiff: boolean;
  readonly #memory: ColumnMemory;
  readonly #stackCount: number;

  /**
   * Starts a tree of `stackCount` stacks, which is valid until `memory` is reused. If the derived
   * `calls` of all nodes are given, calls need not be looked up.
   */
  constructor(
    dictionary: Dictionary,
    frames: ShownFrames,
    calls: DerivedCalls | undefined,
    scratch: TreeScratch,
    isDiff: boolean,
    stackCount: number,
    memory: ColumnMemory,
  ) {
    this.#rows = new CallTrie(memory);
    this.#memory = memory;
    this.#stackCount = stackCount;
    this.#dictionary = dictionary;
    this.#frames = frames;
    this.#calls = calls;
    this.#scratch = scratch;
    this.#isDiff = isDiff;
    scratch.nodeRow = grown(scratch.nodeRow, dictionary.stacks.nodeCount);
    scratch.callRow = grown(scratch.callRow, calls?.rows.length ?? 0);
  }

  /** Adds the stacks of a group. If the group has labels, the stacks are below a label row. */
  addGroup(group: StackGroup, groupIndex: number): void {
    const rows = this.#rows;
    let top = 0;
    if (hasLabels(group)) {
      top = rows.add(0, 0);
      this.#labelRows.set(top, groupIndex);
    }
    const { merged, base } = group;
    const leaves = this.#collectLeaves(base === undefined ? [merged] : [merged, base]);
    if (this.#calls === undefined) this.#addFrames(leaves, top);
    else this.#copyCalls(this.#calls, leaves, top);
    const { length: capacity } = rows.parent;
    this.#flat = withCapacity(this.#flat, 0, capacity, this.#memory);
    this.#addValues(merged, this.#flat);
    if (!this.#isDiff) return;
    this.#baseFlat = withCapacity(this.#baseFlat, 0, capacity, this.#memory);
    if (base !== undefined) this.#addValues(base, this.#baseFlat);
  }

  /**
   * Copies the calls on the paths to `leaves` from the trie of all calls, and adds their sources.
   */
  #copyCalls(
    { rows: all, rowOfNode, isShown }: DerivedCalls,
    leaves: Int32Array,
    top: number,
  ): void {
    const rows = this.#rows;
    const { callRow, nodeRow, paths } = this.#scratch;
    const { nodeCount, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const calls = leaves.map((leaf) => rowOfNode[leaf]);
    paths.collect(all.parent, all.length, calls);
    this.#reserveRows(paths.count);
    callRow[0] = top;
    for (let i = paths.count - 1; i >= 0; i -= 1) {
      const call = paths.nodes[i];
      callRow[call] = rows.add(callRow[all.parent[call]], all.key[call]);
    }
    paths.collect(nodeParent, nodeCount, leaves);
    this.#reserveSources(paths.count);
    nodeRow[0] = top;
    for (let i = paths.count - 1; i >= 0; i -= 1) {
      const node = paths.nodes[i];
      nodeRow[node] = callRow[rowOfNode[node]];
      if (isShown !== undefined && isShown[node] === 0) continue;
      this.#addSource(nodeRow[node], nodeLocation[node]);
    }
  }

  /** Finds or adds a call for each frame on the paths to `leaves`, and adds their sources. */
  #addFrames(leaves: Int32Array, top: number): void {
    const rows = this.#rows;
    const { nodeCount, nodeParent, nodeLocation } = this.#dictionary.stacks;
    const { paths } = this.#scratch;
    paths.collect(nodeParent, nodeCount, leaves);
    this.#reserveFrames();
    const { nodeRow, shown } = this.#scratch;
    nodeRow[0] = top;
    for (let i = paths.count - 1; i >= 0; i -= 1) {
      const node = paths.nodes[i];
      const caller = nodeRow[nodeParent[node]];
      nodeRow[node] = caller;
      if (shown[i] === noFrame) continue;
      const location = nodeLocation[node];
      const row = addShown(rows, this.#dictionary, this.#frames, location, shown[i], caller);
      nodeRow[node] = row;
      this.#addSource(row, location);
    }
  }

  /** Evaluates the frames of the collected nodes, and reserves space for their calls. */
  #reserveFrames(): void {
    const scratch = this.#scratch;
    const frames = this.#frames;
    const { nodes, count } = scratch.paths;
    const { nodeLocation } = this.#dictionary.stacks;
    const { lineStart } = this.#dictionary.locations;
    scratch.shown = grown(scratch.shown, count);
    frames.prepare(count);
    const { shown } = scratch;
    let [rowCount, sourceCount] = [0, 0];
    for (let i = 0; i < count; i += 1) {
      const location = nodeLocation[nodes[i]];
      shown[i] = frames.of(location);
      if (shown[i] === noFrame) continue;
      sourceCount += 1;
      rowCount += shown[i] === severalFrames ? lineStart[location + 1] - lineStart[location] : 1;
    }
    this.#reserveRows(rowCount);
    this.#reserveSources(sourceCount);
  }

  /**
   * Reserves space for the rows of a group. The first call reserves space for the estimated rows of
   * all groups.
   */
  #reserveRows(count: number): void {
    const rows = this.#rows;
    const isFirst = rows.length <= 2;
    rows.reserve(isFirst ? Math.max(count, this.#expected(this.#scratch.perStack.rows)) : count);
  }

  #reserveSources(count: number): void {
    const used = this.#sourceCount;
    const wanted =
      used === 0 ? Math.max(count, this.#expected(this.#scratch.perStack.sources)) : count;
    this.#sourceRow = withCapacity(this.#sourceRow, used, wanted, this.#memory);
    this.#sourceLocation = withCapacity(this.#sourceLocation, used, wanted, this.#memory);
  }

  #expected(perStack: number): number {
    return Math.ceil(this.#stackCount * perStack * spareFactor);
  }

  #addSource(row: number, location: number): void {
    this.#sourceRow[this.#sourceCount] = row;
    this.#sourceLocation[this.#sourceCount] = location;
    this.#sourceCount += 1;
  }

  #collectLeaves(sides: readonly MergedStacks[]): Int32Array {
    const { leaf } = this.#dictionary.stacks;
    const stackCount = sides.reduce((sum, { stacks }) => sum + stacks.length, 0);
    const leaves = this.#memory.take(Int32Array, stackCount);
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
    let depthMax = this.#depthMax;
    for (let i = 0; i < stacks.length; i += 1) {
      const row = nodeRow[leaf[stacks[i]]];
      flat[row] += values[i];
      if (depth[row] > depthMax) depthMax = depth[row];
    }
    this.#depthMax = depthMax;
  }

  /** Returns the tree of all groups; nothing may be added afterwards. */
  finish(): CallTree {
    const rows = this.#rows;
    const { length, parent, key } = rows;
    const { keys, lines } = this.#frames;
    const flat = this.#flat;
    if (this.#stackCount > 0) {
      const [rowsOfStack, sourcesOfStack] = [length, this.#sourceCount].map(
        (count) => count / this.#stackCount,
      );
      this.#scratch.perStack = { rows: rowsOfStack, sources: sourcesOfStack };
    }
    const cumulative = addedUp(flat, parent, length, this.#memory);
    const baseFlat = this.#baseFlat;
    const base = this.#isDiff
      ? { flat: baseFlat, cumulative: addedUp(baseFlat, parent, length, this.#memory) }
      : undefined;
    const sources = { row: this.#sourceRow, location: this.#sourceLocation, shownLines: lines };
    return {
      length,
      parent,
      key,
      flat,
      cumulative,
      base,
      frames: keys,
      depthMax: this.#depthMax,
      labelRows: this.#labelRows,
      startNanos: undefined,
      lengthNanos: undefined,
      sources: { length: this.#sourceCount, ...sources, touched: undefined },
      outermostRows: () => rows.outermostRows(),
    };
  }
}
