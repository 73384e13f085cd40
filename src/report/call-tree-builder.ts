// Builds a call tree of just what a query touches, walking up from its stacks.
import { grown } from '../model/column.ts';
import { markOutermost } from '../model/call-node-table.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { HashIndex, mixHash } from '../model/hash-index.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { CallTree, StackGroup } from './call-tree.ts';
import type { FrameIdentity } from './frame-identity.ts';
import { createFrameKeys } from './frame-keys.ts';
import { PathNodes } from './path-nodes.ts';

/**
 * Memory that trees are built with, kept between queries. It is as large as the store's tries, but
 * a build reads and writes only what its query touches.
 */
export class TreeScratch {
  /** By location trie node and by call node: tree row, where the group at hand touches them. */
  nodeRow = new Int32Array(1);
  callRow = new Int32Array(1);
  readonly paths = new PathNodes();

  fit({ stacks, callNodes }: Dictionary): void {
    this.nodeRow = grown(this.nodeRow, stacks.nodeCount);
    this.callRow = grown(this.callRow, callNodes.length);
  }
}

/** One tree in the making; see CallTree for the columns. */
export class CallTreeBuilder {
  private length = 1;
  private parent: Int32Array;
  private key: Uint32Array;
  private flat: BigInt64Array;
  /** Of a diff's base; empty without one. */
  private baseFlat: BigInt64Array;
  private depthMax = 0;
  private readonly labelRows = new Map<number, number>();
  private sourceCount = 0;
  private sourceRow: Int32Array;
  private sourceLocation: Int32Array;

  /** Children by parent and key; used with an identity only. */
  private readonly index = new HashIndex(1024);

  private readonly dictionary: Dictionary;
  private readonly identity: FrameIdentity | undefined;
  private readonly scratch: TreeScratch;

  /** `rowsExpected`: about how many there will be; growing to many takes longer than filling. */
  constructor(
    dictionary: Dictionary,
    identity: FrameIdentity | undefined,
    scratch: TreeScratch,
    isDiff: boolean,
    rowsExpected: number,
  ) {
    this.dictionary = dictionary;
    this.identity = identity;
    this.scratch = scratch;
    scratch.fit(dictionary);
    const rows = Math.max(1024, rowsExpected);
    this.parent = new Int32Array(rows);
    this.key = new Uint32Array(rows);
    this.flat = new BigInt64Array(rows);
    this.baseFlat = new BigInt64Array(isDiff ? rows : 0);
    this.sourceRow = new Int32Array(rows);
    this.sourceLocation = new Int32Array(rows);
  }

  /** Adds the stacks of a group, under a row of its own if it has labels. */
  addGroup(group: StackGroup, groupIndex: number): void {
    let base = 0;
    if (group.labelValues.some((value) => value !== '')) {
      base = this.addRow(0, 0);
      this.labelRows.set(base, groupIndex);
    }
    const sides = group.base === undefined ? [group.merged] : [group.merged, group.base];
    if (this.identity === undefined) this.addCalls(sides, base);
    this.addNodes(sides, base);
    this.addValues(group.merged, this.flat, base);
    if (group.base !== undefined) this.addValues(group.base, this.baseFlat, base);
  }

  /** By function name: adds the rows of all stacks, those of the dictionary's own trie. */
  private addCalls(sides: readonly MergedStacks[], base: number): void {
    const { dictionary } = this;
    const { callRow, paths } = this.scratch;
    const { callNodes, callNodeOfNode } = dictionary;
    const ends = this.leavesOf(sides).map((node) => callNodeOfNode[node]);
    paths.collect(callNodes.parent, callNodes.length, ends);
    const { nodes: calls, count } = paths;
    this.reserve(count);
    const { parent, key, length } = this;
    callRow[0] = base;
    for (let i = 0; i < count; i += 1) {
      const call = calls[count - 1 - i];
      parent[length + i] = callRow[callNodes.parent[call]];
      key[length + i] = callNodes.key[call];
      callRow[call] = length + i;
    }
    this.length += count;
  }

  /** Notes which nodes rows are merged from; with an identity, also adds the rows. */
  private addNodes(sides: readonly MergedStacks[], base: number): void {
    const { dictionary, identity } = this;
    const { nodeRow, callRow, paths } = this.scratch;
    const { callNodeOfNode } = dictionary;
    const { nodeParent, nodeLocation, nodeCount } = dictionary.stacks;
    paths.collect(nodeParent, nodeCount, this.leavesOf(sides));
    const { nodes, count } = paths;
    this.sourceRow = grown(this.sourceRow, this.sourceCount + count);
    this.sourceLocation = grown(this.sourceLocation, this.sourceCount + count);
    const { sourceRow, sourceLocation, sourceCount } = this;
    nodeRow[0] = base;
    for (let i = 0; i < count; i += 1) {
      const node = nodes[count - 1 - i];
      const location = nodeLocation[node];
      const row =
        identity === undefined
          ? callRow[callNodeOfNode[node]]
          : this.addFrames(location, nodeRow[nodeParent[node]], identity);
      nodeRow[node] = row;
      sourceRow[sourceCount + i] = row;
      sourceLocation[sourceCount + i] = location;
    }
    this.sourceCount += count;
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

  private addValues({ stacks, values }: MergedStacks, flat: BigInt64Array, base: number): void {
    const { dictionary } = this;
    const { nodeRow } = this.scratch;
    const { leaf } = dictionary.stacks;
    const { depth } = dictionary.callNodes;
    const labelDepth = base === 0 ? 0 : 1;
    for (let i = 0; i < stacks.length; i += 1) {
      const node = leaf[stacks[i]];
      flat[nodeRow[node]] += values[i];
      const frames = depth[dictionary.callNodeOfNode[node]] + labelDepth;
      if (frames > this.depthMax) this.depthMax = frames;
    }
  }

  finish(): CallTree {
    const { length, parent, key, flat, depthMax, labelRows, sourceRow, sourceLocation } = this;
    const valueBytes = (flat.length + length) * (this.baseFlat.length === 0 ? 8 : 16);
    const rowBytes = [parent, key, sourceRow, sourceLocation].map(({ byteLength }) => byteLength);
    return {
      ...{ length, parent, key, flat, depthMax, labelRows },
      cumulative: flat.slice(0, length),
      startNanos: undefined,
      frames: this.identity ?? createFrameKeys(this.dictionary),
      base:
        this.baseFlat.length === 0
          ? undefined
          : { flat: this.baseFlat, cumulative: this.baseFlat.slice(0, length) },
      sources: {
        length: this.sourceCount,
        row: sourceRow,
        location: sourceLocation,
        touched: undefined,
      },
      ownBytes: rowBytes.reduce((sum, bytes) => sum + bytes, valueBytes),
      outermostRows: () => {
        const marks = new Uint8Array(length);
        markOutermost({ parent, key }, marks, 1, length);
        return marks;
      },
    };
  }

  /** By another identity: children are found by hash. */
  private addFrames(location: number, callerRow: number, identity: FrameIdentity): number {
    const { lineStart } = this.dictionary.locations;
    const first = lineStart[location];
    const end = lineStart[location + 1];
    if (first === end) return this.child(callerRow, identity.keyOf(location, -1));
    let row = callerRow;
    for (let line = end - 1; line >= first; line -= 1) {
      row = this.child(row, identity.keyOf(location, line));
    }
    return row;
  }

  private child(parent: number, key: number): number {
    const { index } = this;
    const hash = mixHash(mixHash(0x51ed270b, parent), key);
    const { slots, mask } = index.at(hash);
    let slot = hash & mask;
    for (let row = slots[slot]; row !== 0; row = slots[slot]) {
      if (this.key[row] === key && this.parent[row] === parent) return row;
      slot = (slot + 1) & mask;
    }
    const row = this.addRow(parent, key);
    index.insert(slot, hash, row);
    return row;
  }

  private addRow(parent: number, key: number): number {
    const row = this.length;
    if (row >= this.parent.length) this.reserve(1);
    this.parent[row] = parent;
    this.key[row] = key;
    this.length = row + 1;
    return row;
  }

  private reserve(count: number): void {
    const rows = this.length + count;
    this.parent = grown(this.parent, rows);
    this.key = grown(this.key, rows);
    this.flat = grown(this.flat, rows);
    if (this.baseFlat.length > 0) this.baseFlat = grown(this.baseFlat, rows);
  }
}
