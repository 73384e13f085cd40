// Builds the stacks of a view, which may be cut off at a function, filtered by frame, or inverted.
import { grown } from '../../model/column.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { mixHash } from '../../model/hash-index.ts';
import type { FunctionIndex, LocationIndex, NodeIndex } from '../../model/rows.ts';
import { FrameCriteriaTester, TextTester } from './frame-criteria.ts';
import { copyLocation } from './location-copies.ts';
import { dropsEmptied, type StackView } from './stack-view.ts';
import { touchedNodes } from './path-nodes.ts';

/**
 * Stacks and locations of one query in a separate dictionary, from which all reports can be built.
 * The dictionary shares the names of the store.
 *
 * Each location and each stack is rewritten once. Without a sandwich or an inversion, stacks share
 * their outer frames, and each trie node is rewritten once.
 */
export class StackRewriter {
  /** Dictionary of the rewritten stacks. */
  readonly local: Dictionary;
  readonly #dictionary: Dictionary;
  readonly #isInverted: boolean;
  readonly #frameFilters: readonly FrameCriteriaTester[];
  readonly #dropsEmptied: boolean;
  readonly #sandwich: TextTester | undefined;
  /** Rewritten row of each stack plus 2; 1 = dropped, 0 = not rewritten yet. */
  #stackRow: Uint32Array;
  /** Rewritten row of each location plus 2; 1 = no line remains, 0 = not rewritten yet. */
  #wholeRow: Uint32Array;
  /** Like `#wholeRow`, for locations that are cut at the sandwich's function. */
  #cutRow: Uint32Array;
  /** Rewritten node of each trie node plus 1; 0 = not rewritten yet. */
  #nodeRow: Uint32Array;
  readonly #keepsOrder: boolean;
  /**
   * Hash of the path to each rewritten node, which identifies a stack. If the order of frames stays
   * the same, equal paths keep separate nodes, because looking them up would take most of the time.
   */
  #pathLow = new Int32Array(1024);
  #pathHigh = new Int32Array(1024);
  #path = new Int32Array(64);

  constructor(dictionary: Dictionary, view: StackView) {
    const { sandwich } = view;
    this.#dictionary = dictionary;
    this.local = dictionary.createOverlay();
    this.#isInverted = view.isInverted;
    this.#frameFilters = view.frameFilters.map((one) => new FrameCriteriaTester(dictionary, one));
    this.#dropsEmptied = view.frameFilters.some(dropsEmptied);
    this.#sandwich =
      sandwich === '' ? undefined : new TextTester(dictionary, (text) => text === sandwich);
    this.#stackRow = new Uint32Array(dictionary.stacks.length);
    this.#wholeRow = new Uint32Array(dictionary.locations.length);
    this.#cutRow = new Uint32Array(sandwich === '' ? 0 : dictionary.locations.length);
    this.#keepsOrder = sandwich === '' && !view.isInverted;
    this.#nodeRow = new Uint32Array(this.#keepsOrder ? dictionary.stacks.nodeCount : 0);
    this.#pathLow[0] = dictionary.stacks.seedLow;
    this.#pathHigh[0] = dictionary.stacks.seedHigh;
  }

  /** Returns the rewritten stack in `local` for a stack of the dictionary; -1 = dropped. */
  rewrite(stack: number): number {
    const seen = this.#stackRow[stack];
    if (seen > 0) return seen - 2;
    this.#reserve();
    const leaf = this.#dictionary.stacks.leaf[stack];
    const node = this.#keepsOrder ? this.#sharedNode(leaf) : this.#nodeOfFrames(leaf);
    const isDropped = node === -1 || (node === 0 && this.#dropsEmptied);
    const row = isDropped ? -1 : node === 0 ? 0 : this.#localStack(node as NodeIndex);
    this.#stackRow[stack] = row + 2;
    return row;
  }

  /**
   * Rewrites the nodes of these stacks (-1 = none) in the order of the trie, which takes a tenth of
   * the time of walking up from each stack. Does nothing if the view has a sandwich or an
   * inversion.
   */
  rewriteAll(lists: readonly Int32Array[]): void {
    if (!this.#keepsOrder) return;
    this.#reserve();
    const { stacks } = this.#dictionary;
    const { nodeCount, nodeParent, nodeLocation } = stacks;
    const nodeRow = this.#nodeRow;
    const wholeRow = this.#wholeRow;
    const isTouched = touchedNodes(stacks, lists);
    let keptCount = 0;
    for (let node = 1; node < nodeCount; node += 1) {
      if (isTouched[node] === 0) continue;
      const location = nodeLocation[node];
      if (wholeRow[location] === 0) this.#whole(location);
      if (wholeRow[location] !== 1) keptCount += 1;
    }
    this.local.stacks.reserveNodes(keptCount);
    this.#pathLow = grown(this.#pathLow, this.local.stacks.nodeCount + keptCount);
    this.#pathHigh = grown(this.#pathHigh, this.local.stacks.nodeCount + keptCount);
    nodeRow[0] = 1;
    for (let node = 1; node < nodeCount; node += 1) {
      if (isTouched[node] === 0 || nodeRow[node] !== 0) continue;
      const above = nodeRow[nodeParent[node]];
      const location = wholeRow[nodeLocation[node]] - 2;
      nodeRow[node] = location === -1 ? above : this.#added(above - 1, location) + 1;
    }
  }

  /**
   * Reserves space for new rows of the dictionary. The dictionary of an earlier view grows while it
   * is in use.
   */
  #reserve(): void {
    const { stacks, locations } = this.#dictionary;
    this.#stackRow = grown(this.#stackRow, stacks.length);
    this.#wholeRow = grown(this.#wholeRow, locations.length);
    if (this.#sandwich !== undefined) this.#cutRow = grown(this.#cutRow, locations.length);
    if (this.#keepsOrder) this.#nodeRow = grown(this.#nodeRow, stacks.nodeCount);
  }

  #localStack(node: NodeIndex): number {
    const { stacks } = this.local;
    const low = this.#keepsOrder ? this.#pathLow[node] : node;
    const high = this.#keepsOrder ? this.#pathHigh[node] : ~node;
    const known = stacks.find(low, high);
    return known === 0 ? stacks.addLeaf(low, high, node) : known;
  }

  /** Returns the rewritten node of a node whose outer frames do not depend on the stack. */
  #sharedNode(leaf: number): number {
    const { nodeParent, nodeLocation } = this.#dictionary.stacks;
    const nodeRow = this.#nodeRow;
    let count = 0;
    let node = leaf;
    for (; node !== 0 && nodeRow[node] === 0; node = nodeParent[node]) {
      this.#path = grown(this.#path, count + 1);
      this.#path[count] = node;
      count += 1;
    }
    let row = node === 0 ? 0 : nodeRow[node] - 1;
    for (let i = count - 1; i >= 0; i -= 1) {
      const location = this.#whole(nodeLocation[this.#path[i]]);
      if (location !== -1) row = this.#added(row, location);
      nodeRow[this.#path[i]] = row + 1;
    }
    return row;
  }

  /** Returns the rewritten node of a stack that is cut at the sandwich's function; -1 = dropped. */
  #nodeOfFrames(leaf: number): number {
    const { nodeParent, nodeLocation } = this.#dictionary.stacks;
    const isInverted = this.#isInverted;
    const sandwich = this.#sandwich;
    let count = 0;
    let cutAt = -1;
    for (let node = leaf; node !== 0; node = nodeParent[node]) {
      this.#path = grown(this.#path, count + 1);
      this.#path[count] = nodeLocation[node];
      if (sandwich !== undefined && this.#cutLine(nodeLocation[node], sandwich) !== -1) {
        cutAt = count;
        if (!isInverted) break;
      }
      count += 1;
    }
    if (sandwich !== undefined && cutAt === -1) return -1;
    const path = this.#path;
    const locationAt = (i: number): number =>
      i === cutAt ? this.#cut(path[i]) : this.#whole(path[i]);
    let row = 0;
    if (isInverted) {
      const first = Math.max(0, cutAt);
      // In an inverted view, the outermost call of the function comes first, then its callers.
      for (let i = first; i < count; i += 1) row = this.#below(row, locationAt(i));
    } else {
      const last = cutAt === -1 ? count - 1 : cutAt;
      for (let i = last; i >= 0; i -= 1) row = this.#below(row, locationAt(i));
    }
    return row;
  }

  /** Adds a node without looking for an equal node. */
  #added(node: number, location: number): number {
    const row = this.local.stacks.addNode(node as NodeIndex, location as LocationIndex);
    this.#pathLow = grown(this.#pathLow, row + 1);
    this.#pathHigh = grown(this.#pathHigh, row + 1);
    const low = mixHash(this.#pathLow[node], location);
    this.#pathLow[row] = low;
    this.#pathHigh[row] = mixHash(mixHash(this.#pathHigh[node], location), low);
    return row;
  }

  #below(node: number, location: number): number {
    if (location === -1) return node;
    return this.local.stacks.child(node as NodeIndex, location as LocationIndex);
  }

  /** Returns the line at which the sandwich cuts a location, or -1. */
  #cutLine(location: number, sandwich: TextTester): number {
    const { locations, functions } = this.#dictionary;
    const first = locations.lineStart[location];
    const end = locations.lineStart[location + 1];
    let cut = -1;
    for (let line = first; line < end; line += 1) {
      const row = locations.lineFunction[line] as FunctionIndex;
      if (!sandwich.passes(functions.displayName(row))) continue;
      cut = line;
      if (!this.#isInverted) break;
    }
    return cut;
  }

  #whole(location: number): number {
    const seen = this.#wholeRow[location];
    if (seen !== 0) return seen - 2;
    const { lineStart } = this.#dictionary.locations;
    const row = this.#addLocation(location, lineStart[location], lineStart[location + 1]);
    this.#wholeRow[location] = row + 2;
    return row;
  }

  #cut(location: number): number {
    const seen = this.#cutRow[location];
    if (seen !== 0 || this.#sandwich === undefined) return seen - 2;
    const { lineStart } = this.#dictionary.locations;
    const line = this.#cutLine(location, this.#sandwich);
    const row = this.#isInverted
      ? this.#addLocation(location, line, lineStart[location + 1])
      : this.#addLocation(location, lineStart[location], line + 1);
    this.#cutRow[location] = row + 2;
    return row;
  }

  /**
   * Adds the lines `first..end` of a location that pass the frame filters; returns -1 if none do.
   */
  #addLocation(location: number, first: number, end: number): number {
    if (!this.#keepsSome(location, first, end)) return -1;
    const lines: number[] = [];
    for (let line = first; line < end; line += 1) {
      if (this.#isKept(location, line)) lines.push(line);
    }
    if (this.#isInverted) lines.reverse();
    return copyLocation(this.#dictionary, this.local, location, lines);
  }

  /**
   * Returns true if any line of a location remains. This is checked first, because a view may drop
   * most locations.
   */
  #keepsSome(location: number, first: number, end: number): boolean {
    if (first === end) return this.#isKept(location, -1);
    for (let line = first; line < end; line += 1) if (this.#isKept(location, line)) return true;
    return false;
  }

  #isKept(location: number, line: number): boolean {
    for (const filter of this.#frameFilters) if (!filter.isKept(location, line)) return false;
    return true;
  }
}
