// Builds a call tree of just what a query touches, walking up from its stacks.
import { grown } from '../model/column.ts';
import { markOutermost } from '../model/call-node-table.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { HashIndex, mixHash } from '../model/hash-index.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { CallTree, StackGroup } from './call-tree.ts';
import type { FrameIdentity } from './frame-identity.ts';
import { createFrameKeys } from './frame-keys.ts';

/**
 * Memory that trees are built with, kept between queries; clean (all 0) outside of a build.
 * It is as large as the store's tries, but a build touches only what its query touches.
 */
export class TreeScratch {
  /** By location trie node: 1 + tree row, 0 = not seen. */
  nodeRow = new Int32Array(0);
  /** By call node: 1 + tree row, 0 = not seen. */
  callRow = new Int32Array(0);

  fit(dictionary: Dictionary): void {
    this.nodeRow = grown(this.nodeRow, dictionary.stacks.nodeCount);
    this.callRow = grown(this.callRow, dictionary.callNodes.length);
  }
}

/** One tree in the making; see CallTree for the columns. */
export class CallTreeBuilder {
  private length = 1;
  private parent = new Int32Array(1024);
  private depth = new Int32Array(1024);
  private key = new Uint32Array(1024);
  private flat = new BigInt64Array(1024);
  /** Of a diff's base; empty without one. */
  private baseFlat = new BigInt64Array(0);
  private depthMax = 0;
  private readonly labelRows = new Map<number, number>();
  private sourceCount = 0;
  private sourceRow = new Int32Array(1024);
  private sourceLocation = new Int32Array(1024);

  /** Location trie nodes and call nodes of the current group. */
  private nodes = new Int32Array(1024);
  private nodeCount = 0;
  private calls = new Int32Array(1024);
  private callCount = 0;
  /** Children by parent and key; used with an identity only. */
  private readonly index = new HashIndex(1024);

  private readonly dictionary: Dictionary;
  private readonly identity: FrameIdentity | undefined;
  private readonly scratch: TreeScratch;

  constructor(
    dictionary: Dictionary,
    identity: FrameIdentity | undefined,
    scratch: TreeScratch,
    isDiff: boolean,
  ) {
    this.dictionary = dictionary;
    this.identity = identity;
    this.scratch = scratch;
    scratch.fit(dictionary);
    if (isDiff) this.baseFlat = new BigInt64Array(1024);
  }

  /** Adds the stacks of a group, under a row of its own if it has labels. */
  addGroup(group: StackGroup, groupIndex: number): void {
    let base = 0;
    if (group.labelValues.some((value) => value !== '')) {
      base = this.addRow(0, 0);
      this.labelRows.set(base, groupIndex);
    }
    try {
      this.addStacks(group.merged, base, false);
      if (group.base !== undefined) this.addStacks(group.base, base, true);
    } finally {
      this.cleanScratch();
    }
  }

  private addStacks({ stacks, values }: MergedStacks, base: number, isBase: boolean): void {
    const { leaf } = this.dictionary.stacks;
    for (let i = 0; i < stacks.length; i += 1) {
      const row = this.rowOfNode(leaf[stacks[i]], base);
      const flat = isBase ? this.baseFlat : this.flat;
      flat[row] += values[i];
      if (this.depth[row] > this.depthMax) this.depthMax = this.depth[row];
    }
  }

  finish(): CallTree {
    const { length, parent, depth, key, depthMax, labelRows } = this;
    return {
      ...{ length, parent, depth, key, depthMax, labelRows },
      flat: this.flat,
      cumulative: this.flat.slice(0, length),
      startNanos: undefined,
      frames: this.identity ?? createFrameKeys(this.dictionary),
      base:
        this.baseFlat.length === 0
          ? undefined
          : { flat: this.baseFlat, cumulative: this.baseFlat.slice(0, length) },
      sources: {
        length: this.sourceCount,
        row: this.sourceRow,
        location: this.sourceLocation,
        touched: undefined,
      },
      outermostRows: () => {
        const marks = new Uint8Array(length);
        markOutermost({ parent, key }, marks, 1, length);
        return marks;
      },
    };
  }

  /** Tree row of a location trie node's innermost line, added with its callers when new. */
  private rowOfNode(leaf: number, base: number): number {
    const { nodeRow } = this.scratch;
    const { nodeParent } = this.dictionary.stacks;
    const first = this.nodeCount;
    let node = leaf;
    while (node !== 0 && nodeRow[node] === 0) {
      this.nodes = grown(this.nodes, this.nodeCount + 1);
      this.nodes[this.nodeCount] = node;
      this.nodeCount += 1;
      node = nodeParent[node];
    }
    let row = node === 0 ? base : nodeRow[node] - 1;
    for (let i = this.nodeCount - 1; i >= first; i -= 1) {
      row = this.addNode(this.nodes[i], row, base);
    }
    return row;
  }

  private addNode(node: number, callerRow: number, base: number): number {
    const location = this.dictionary.stacks.nodeLocation[node];
    const row =
      this.identity === undefined
        ? this.rowOfCall(this.dictionary.callNodeOfNode[node], base)
        : this.addFrames(location, callerRow, this.identity);
    this.scratch.nodeRow[node] = row + 1;
    const source = this.sourceCount;
    this.sourceRow = grown(this.sourceRow, source + 1);
    this.sourceLocation = grown(this.sourceLocation, source + 1);
    this.sourceRow[source] = row;
    this.sourceLocation[source] = location;
    this.sourceCount = source + 1;
    return row;
  }

  /** By function name: the rows are those of the dictionary's own trie. */
  private rowOfCall(leaf: number, base: number): number {
    const { callRow } = this.scratch;
    const { callNodes } = this.dictionary;
    const first = this.callCount;
    let call = leaf;
    while (call !== 0 && callRow[call] === 0) {
      this.calls = grown(this.calls, this.callCount + 1);
      this.calls[this.callCount] = call;
      this.callCount += 1;
      call = callNodes.parent[call];
    }
    let row = call === 0 ? base : callRow[call] - 1;
    for (let i = this.callCount - 1; i >= first; i -= 1) {
      call = this.calls[i];
      row = this.addRow(row, callNodes.key[call]);
      callRow[call] = row + 1;
    }
    return row;
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
    if (row >= this.parent.length) this.grow(row + 1);
    this.parent[row] = parent;
    this.key[row] = key;
    this.depth[row] = this.depth[parent] + 1;
    this.length = row + 1;
    return row;
  }

  private grow(rows: number): void {
    this.parent = grown(this.parent, rows);
    this.key = grown(this.key, rows);
    this.depth = grown(this.depth, rows);
    this.flat = grown(this.flat, rows);
    if (this.baseFlat.length > 0) this.baseFlat = grown(this.baseFlat, rows);
  }

  private cleanScratch(): void {
    const { nodeRow, callRow } = this.scratch;
    for (let i = 0; i < this.nodeCount; i += 1) nodeRow[this.nodes[i]] = 0;
    for (let i = 0; i < this.callCount; i += 1) callRow[this.calls[i]] = 0;
    this.nodeCount = 0;
    this.callCount = 0;
  }
}
