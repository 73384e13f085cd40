// Builds a call tree of just what a query touches: frame by frame, by what tells siblings apart.
import { grown } from '../model/column.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { treeOfColumns } from './built-tree.ts';
import { CallRows, withRoom } from './call-rows.ts';
import type { CallTree, StackGroup } from './call-tree.ts';
import { GroupedScratch } from './grouped-tree.ts';
import { PathNodes } from './path-nodes.ts';
import { noFrame, severalFrames, soleFrame } from './shown-frames.ts';
import type { ShownFrames } from './shown-frames.ts';

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

  fit({ stacks }: Dictionary): void {
    this.nodeRow = grown(this.nodeRow, stacks.nodeCount);
  }
}

/** One tree in the making; see CallTree for the columns. */
export class CallTreeBuilder {
  private readonly rows = new CallRows();
  private flat = new BigInt64Array(0);
  /** Of a diff's base; empty without one. */
  private baseFlat = new BigInt64Array(0);
  private depthMax = 0;
  private readonly labelRows = new Map<number, number>();
  private sourceCount = 0;
  private sourceRow = new Int32Array(0);
  private sourceLocation = new Int32Array(0);

  private readonly dictionary: Dictionary;
  private readonly frames: ShownFrames;
  private readonly scratch: TreeScratch;
  private readonly isDiff: boolean;

  constructor(dictionary: Dictionary, frames: ShownFrames, scratch: TreeScratch, isDiff: boolean) {
    this.dictionary = dictionary;
    this.frames = frames;
    this.scratch = scratch;
    this.isDiff = isDiff;
    scratch.fit(dictionary);
  }

  /** Adds the stacks of a group, under a row of its own if it has labels. */
  addGroup(group: StackGroup, groupIndex: number): void {
    const { rows, labelRows } = this;
    let base = 0;
    if (group.labelValues.some((value) => value !== '')) {
      rows.reserve(1);
      base = rows.add(0, 0);
      labelRows.set(base, groupIndex);
    }
    const sides = group.base === undefined ? [group.merged] : [group.merged, group.base];
    this.addNodes(sides, base);
    this.flat = withRoom(this.flat, 0, rows.length);
    this.addValues(group.merged, this.flat);
    if (!this.isDiff) return;
    this.baseFlat = withRoom(this.baseFlat, 0, rows.length);
    if (group.base !== undefined) this.addValues(group.base, this.baseFlat);
  }

  /** Adds the rows of all nodes of stacks, and notes which nodes they are merged from. */
  private addNodes(sides: readonly MergedStacks[], base: number): void {
    const { stacks } = this.dictionary;
    const { nodeParent, nodeLocation } = stacks;
    const { paths } = this.scratch;
    paths.collect(nodeParent, stacks.nodeCount, this.leavesOf(sides));
    const { nodes, count } = paths;
    this.reserve();
    const { sourceRow, sourceLocation, rows } = this;
    const { nodeRow, shown } = this.scratch;
    let at = this.sourceCount;
    nodeRow[0] = base;
    for (let i = count - 1; i >= 0; i -= 1) {
      const node = nodes[i];
      let row = nodeRow[nodeParent[node]];
      if (shown[i] !== noFrame) {
        const location = nodeLocation[node];
        row =
          shown[i] === severalFrames
            ? this.addFrames(location, row)
            : rows.child(row, shown[i] - soleFrame);
        sourceRow[at] = row;
        sourceLocation[at] = location;
        at += 1;
      }
      nodeRow[node] = row;
    }
    this.sourceCount = at;
  }

  /** Asks about the frames of the collected nodes, and makes room for them. */
  private reserve(): void {
    const { scratch, frames } = this;
    const { nodes, count } = scratch.paths;
    const { nodeLocation } = this.dictionary.stacks;
    const { lineStart } = this.dictionary.locations;
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
    this.rows.reserve(rowCount);
    this.sourceRow = withRoom(this.sourceRow, this.sourceCount, nodeCount);
    this.sourceLocation = withRoom(this.sourceLocation, this.sourceCount, nodeCount);
  }

  private addFrames(location: number, caller: number): number {
    const { rows } = this;
    const { keys, lines } = this.frames;
    const { lineStart } = this.dictionary.locations;
    const first = lineStart[location];
    let row = caller;
    // Lines are innermost first; the outermost inlined call is the first to be entered.
    for (let line = lineStart[location + 1] - 1; line >= first; line -= 1) {
      if (lines !== undefined && lines[line] === 0) continue;
      row = rows.child(row, keys.keyOf(location, line));
    }
    return row;
  }

  private leavesOf(sides: readonly MergedStacks[]): Int32Array {
    const { leaf } = this.dictionary.stacks;
    const leaves = new Int32Array(sides.reduce((sum, { stacks }) => sum + stacks.length, 0));
    let count = 0;
    for (const { stacks } of sides) {
      for (let i = 0; i < stacks.length; i += 1, count += 1) leaves[count] = leaf[stacks[i]];
    }
    return leaves;
  }

  private addValues({ stacks, values }: MergedStacks, flat: BigInt64Array): void {
    const { nodeRow } = this.scratch;
    const { leaf } = this.dictionary.stacks;
    const { depth } = this.rows;
    for (let i = 0; i < stacks.length; i += 1) {
      const row = nodeRow[leaf[stacks[i]]];
      flat[row] += values[i];
      if (depth[row] > this.depthMax) this.depthMax = depth[row];
    }
  }

  finish(): CallTree {
    const { flat, baseFlat, depthMax, labelRows, isDiff, frames } = this;
    const { sourceCount, sourceRow, sourceLocation } = this;
    const { length, parent, key } = this.rows;
    const columns = {
      ...{ length, parent, key, flat, baseFlat: isDiff ? baseFlat : undefined },
      ...{ depthMax, labelRows, sourceCount, sourceRow, sourceLocation },
    };
    return treeOfColumns(columns, frames);
  }
}
