// Builds the tree of groups that have much of the dictionary: in passes over its tries, for all
// groups at once.
import { grown, withRoom } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { CallTreeDraft } from './call-tree-draft.ts';
import { type CallTree, hasLabels, type StackGroup } from './call-tree.ts';
import { ownCalls } from './shown-calls.ts';
import type { ShownFrames } from './shown-frames.ts';
import { sourcesInPlace } from './sources-in-place.ts';

/** A node has a bit for each group that touches it. */
export const groupsAtOnce = 32;

/**
 * From this share of the calls on, one group of each has its row in the place that the call has
 * among the dictionary's: rows that nobody has are a smaller price than to number them.
 */
const inPlaceCallsShare = 1 / 2;

/** Memory that such trees are built with, kept between queries. */
export class GroupedScratch {
  /** By call node and by location trie node: bits of the groups at hand. */
  callBits = new Int32Array(1);
  nodeBits = new Int32Array(1);
  /** By call node: the first of its rows that lie beside each other, in the order of the groups. */
  firstRow = new Int32Array(1);
  /** Location trie nodes that rows are merged from which are not in place, last ones first. */
  otherNodes = new Int32Array(1);

  /** Clears the bits of all nodes. */
  begin({ stacks, callNodes }: Dictionary): void {
    this.callBits = grown(this.callBits, callNodes.length).fill(0, 0, callNodes.length);
    this.nodeBits = grown(this.nodeBits, stacks.nodeCount).fill(0, 0, stacks.nodeCount);
    this.firstRow = grown(this.firstRow, callNodes.length);
    this.otherNodes = grown(this.otherNodes, stacks.nodeCount);
  }
}

/** One tree in the making, by function name. */
export class GroupedTreeBuilder {
  #length = 1;
  #parent = new Int32Array(1);
  #key = new Uint32Array(1);
  readonly #draft: CallTreeDraft;
  readonly #dictionary: Dictionary;
  readonly #scratch: GroupedScratch;

  constructor(dictionary: Dictionary, scratch: GroupedScratch, isDiff: boolean) {
    this.#dictionary = dictionary;
    this.#scratch = scratch;
    this.#draft = new CallTreeDraft(isDiff);
    dictionary.deriveCallNodes();
  }

  /** Adds at most `groupsAtOnce` groups, the first of which is number `firstIndex`. */
  addGroups(groups: readonly StackGroup[], firstIndex: number): void {
    const draft = this.#draft;
    const { callNodes } = this.#dictionary;
    this.#scratch.begin(this.#dictionary);
    const { callBits } = this.#scratch;
    const tops = groups.map((group, i) => this.#addLabels(group, firstIndex + i));
    groups.forEach(({ merged, base }, i) => {
      this.#mark(merged, 1 << i);
      if (base !== undefined) this.#mark(base, 1 << i);
    });
    giveUp(callBits, callNodes.parent, callNodes.length);
    const places = this.#addCalls(tops, countSpread(callBits, callNodes.length));
    this.#addSources(places);
    draft.reserveValues(this.#length);
    groups.forEach(({ merged, base }, i) => {
      this.#addValues(merged, draft.flat, 1 << i, tops[i], places);
      if (base !== undefined) this.#addValues(base, draft.baseFlat, 1 << i, tops[i], places);
    });
  }

  /** The row that the group's rows hang under. */
  #addLabels(group: StackGroup, index: number): number {
    if (!hasLabels(group)) return 0;
    const row = this.#length;
    this.#parent = withRoom(this.#parent, row, 1);
    this.#key = withRoom(this.#key, row, 1);
    this.#draft.labelRows.set(row, index);
    this.#length = row + 1;
    return row;
  }

  #mark({ stacks }: MergedStacks, bit: number): void {
    const { callNodeOfNode, stacks: table } = this.#dictionary;
    const { callBits, nodeBits } = this.#scratch;
    const { leaf } = table;
    for (let i = 0; i < stacks.length; i += 1) {
      const node = leaf[stacks[i]];
      nodeBits[node] |= bit;
      callBits[callNodeOfNode[node]] |= bit;
    }
  }

  /**
   * Adds the rows of calls: one for each group that a call has. Those that are in place come last,
   * as they may hang under others, which never hang under them.
   */
  #addCalls(tops: readonly number[], calls: Spread): Places {
    const { callNodes } = this.#dictionary;
    const length = this.#length;
    const isInPlace = calls.nodes >= callNodes.length * inPlaceCallsShare;
    const others = isInPlace ? calls.bits - calls.nodes : calls.bits;
    const count = isInPlace ? others + callNodes.length - 1 : others;
    this.#parent = withRoom(this.#parent, length, count);
    this.#key = withRoom(this.#key, length, count);
    this.#length = length + count;
    const parent = this.#parent;
    const key = this.#key;
    const shift = length + others - 1;
    const { callBits, nodeBits, firstRow, otherNodes } = this.#scratch;
    const inPlace = isInPlace ? 1 : 0;
    const places = { callBits, nodeBits, firstRow, otherNodes, inPlace, shift };
    if (isInPlace) key.set(callNodes.key.subarray(1, callNodes.length), shift + 1);
    placeCalls(callNodes, places, tops, { parent, key }, length);
    return places;
  }

  /** Notes the nodes, of all groups, that rows are merged from. */
  #addSources(places: Places): void {
    const dictionary = this.#dictionary;
    const draft = this.#draft;
    const touched = new Uint8Array(dictionary.stacks.nodeCount);
    const others = spreadNodes(dictionary, places, touched);
    if (places.inPlace === 1) {
      const calls = ownCalls(dictionary);
      draft.sourcesInPlace.push(
        sourcesInPlace(dictionary, calls, touched, places.shift, undefined),
      );
    }
    draft.reserveSources(others.bits);
    listSources(dictionary, places, others.nodes, draft);
    draft.sourceCount += others.bits;
  }

  #addValues(
    { stacks, values }: MergedStacks,
    flat: BigInt64Array,
    bit: number,
    top: number,
    places: Places,
  ): void {
    const { callNodeOfNode, callNodes, stacks: table } = this.#dictionary;
    const { leaf } = table;
    const topDepth = top === 0 ? 0 : 1;
    let { depthMax } = this.#draft;
    for (let i = 0; i < stacks.length; i += 1) {
      const call = callNodeOfNode[leaf[stacks[i]]];
      const row = call === 0 ? top : rowOf(places, call, bit);
      flat[row] += values[i];
      const depth = callNodes.depth[call] + topDepth;
      if (depth > depthMax) depthMax = depth;
    }
    this.#draft.depthMax = depthMax;
  }

  finish(frames: ShownFrames): CallTree {
    const length = this.#length;
    const parent = this.#parent;
    const key = this.#key;
    return this.#draft.finish({ length, parent, key }, frames);
  }
}

/** Where the rows of the groups at hand are. */
interface Places {
  readonly callBits: Int32Array;
  readonly nodeBits: Int32Array;
  readonly firstRow: Int32Array;
  readonly otherNodes: Int32Array;
  /** How many groups of a call have their row where the call is, `shift` further: 1 or 0. */
  readonly inPlace: number;
  readonly shift: number;
}

/** Nodes that any group has, and how many groups they have together. */
interface Spread {
  readonly nodes: number;
  readonly bits: number;
}

/**
 * Gives every node's bits to its parent, too. Of nodes nothing is asked here, as branches would
 * cost more than the rest: 600,000 nodes take 0.9 ms, with what else there is to do 3.
 */
function giveUp(bits: Int32Array, parent: Int32Array, length: number): void {
  for (let node = length - 1; node > 0; node -= 1) bits[parent[node]] |= bits[node];
}

/** What there is but at the root. */
function countSpread(bits: Int32Array, length: number): Spread {
  let nodes = 0;
  let more = 0;
  for (let node = 1; node < length; node += 1) {
    const own = bits[node];
    if (own !== 0) nodes += 1;
    if ((own & (own - 1)) !== 0) more += countBits(own) - 1;
  }
  return { nodes, bits: nodes + more };
}

/** The row that the group of `bit`, which is one of the call's, has for it. */
function rowOf({ callBits, firstRow, inPlace, shift }: Places, call: number, bit: number): number {
  const before = callBits[call] & (bit - 1);
  // Of most calls one group alone has any.
  if (before === 0) return inPlace === 1 ? call + shift : firstRow[call];
  return firstRow[call] + countBits(before) - inPlace;
}

/**
 * Fills the rows of calls; those that are not in place are `next` and behind it. What few calls
 * need is in functions of its own: within the loop it took as long again as all others.
 */
function placeCalls(
  { length, parent: callers, key: keys }: Dictionary['callNodes'],
  places: Places,
  tops: readonly number[],
  rows: Pick<CallTree, 'parent' | 'key'>,
  next: number,
): void {
  const { callBits, firstRow, inPlace, shift } = places;
  const { parent } = rows;
  if (inPlace === 1) {
    for (let call = 1; call < length; call += 1) parent[call + shift] = callers[call] + shift;
  }
  let row = next;
  for (let call = 1; call < length; call += 1) {
    const caller = callers[call];
    const bits = callBits[call];
    const isLikeCaller = bits === callBits[caller] && caller !== 0;
    const others = inPlace === 1 ? bits & (bits - 1) : bits;
    // Of most calls one group alone has any.
    if (isLikeCaller && others === 0) continue;
    firstRow[call] = row;
    if (isLikeCaller) {
      row = placeLikeCaller(rows, row, firstRow[caller], others, keys[call]);
      continue;
    }
    if (inPlace === 1) parent[call + shift] = bits === 0 ? 0 : rowAbove(places, tops, caller, bits);
    for (let left = others; left !== 0; left &= left - 1) {
      placeRow(rows, row, rowAbove(places, tops, caller, left), keys[call]);
      row += 1;
    }
  }
}

/** Adds a row for each of `groups`; their callers' are `above` and behind it. Returns the next. */
function placeLikeCaller(
  rows: Pick<CallTree, 'parent' | 'key'>,
  row: number,
  above: number,
  groups: number,
  key: number,
): number {
  const count = countBits(groups);
  for (let i = 0; i < count; i += 1) placeRow(rows, row + i, above + i, key);
  return row + count;
}

function placeRow(
  rows: Pick<CallTree, 'parent' | 'key'>,
  row: number,
  above: number,
  key: number,
): void {
  rows.parent[row] = above;
  rows.key[row] = key;
}

/** The row that the calls of the first group of `bits` hang under. */
function rowAbove(places: Places, tops: readonly number[], caller: number, bits: number): number {
  const bit = bits & -bits;
  return caller === 0 ? tops[31 - Math.clz32(bit)] : rowOf(places, caller, bit);
}

/** Marks nodes that rows in place are merged from, and lists those that other rows are. */
function spreadNodes(
  { callNodeOfNode, stacks: { nodeCount, nodeParent } }: Dictionary,
  { callBits, nodeBits, otherNodes, inPlace }: Places,
  touched: Uint8Array,
): Spread {
  giveUp(nodeBits, nodeParent, nodeCount);
  let nodes = 0;
  let others = 0;
  for (let node = nodeCount - 1; node > 0; node -= 1) {
    const bits = nodeBits[node];
    const all = callBits[callNodeOfNode[node]];
    const first = inPlace === 1 ? all & -all : 0;
    touched[node] = (bits & first) !== 0 ? 1 : 0;
    const left = bits & ~first;
    if (left === 0) continue;
    otherNodes[nodes] = node;
    nodes += 1;
    others += countBits(left);
  }
  return { nodes, bits: others };
}

/** Lists what rows are merged from that are not in place: so many nodes have any. */
function listSources(
  { callNodeOfNode, stacks: { nodeLocation } }: Dictionary,
  places: Places,
  count: number,
  { sourceRow, sourceLocation, sourceCount }: CallTreeDraft,
): void {
  const { callBits, nodeBits, firstRow, otherNodes, inPlace } = places;
  let at = sourceCount;
  for (let i = count - 1; i >= 0; i -= 1) {
    const node = otherNodes[i];
    const call = callNodeOfNode[node];
    const all = callBits[call];
    const isWhole = nodeBits[node] === all;
    let row = firstRow[call];
    let others = nodeBits[node] & ~(inPlace === 1 ? all & -all : 0);
    for (; others !== 0; others &= others - 1) {
      sourceRow[at] = isWhole ? row : rowOf(places, call, others & -others);
      sourceLocation[at] = nodeLocation[node];
      row += 1;
      at += 1;
    }
  }
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
