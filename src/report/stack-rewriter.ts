// Makes the stacks that a view shows: cut at a function, with frames left out, turned around.
import type { Dictionary } from '../model/dictionary.ts';
import { grown } from '../model/column.ts';
import type { FunctionIndex, LocationIndex, MappingIndex, NodeIndex } from '../model/rows.ts';
import { FrameCriteriaTester, TextTester } from './frame-criteria.ts';
import type { FrameCriteria } from './frame-criteria.ts';
import type { StackView } from './stack-view.ts';

/**
 * Stacks and locations of one query, in a dictionary of their own over the store's names, so that
 * everything that reads a dictionary can be built from them.
 *
 * A location is rewritten once, however many stacks it is in, and so is a stack. Without a
 * sandwich and an inversion stacks keep sharing their outer frames, and each node of the trie is
 * rewritten once.
 */
export class StackRewriter {
  /** What rewritten stacks are rows of. */
  readonly local: Dictionary;
  private readonly dictionary: Dictionary;
  private readonly isInverted: boolean;
  private readonly frameFilters: readonly FrameCriteriaTester[];
  private readonly dropsEmptied: boolean;
  private readonly sandwich: TextTester | undefined;
  /** By stack, 0 = not seen: 2 + its rewritten row, 1 = dropped. */
  private stackRow: Uint32Array;
  /** By location, 0 = not seen: 2 + its rewritten row, 1 = nothing is left. */
  private wholeRow: Uint32Array;
  /** The same for locations cut at the sandwich's function. */
  private cutRow: Uint32Array;
  /** By trie node, 0 = not seen: 1 + its rewritten node. */
  private nodeRow: Uint32Array;
  private readonly keepsOrder: boolean;
  /** By rewritten node: the rewritten stack that ends there, 0 = none. */
  private stackOfNode = new Uint32Array(1024);
  private path = new Int32Array(64);

  constructor(dictionary: Dictionary, view: StackView) {
    const { sandwich } = view;
    this.dictionary = dictionary;
    this.local = dictionary.createOverlay();
    this.isInverted = view.isInverted;
    this.frameFilters = view.frameFilters.map((one) => new FrameCriteriaTester(dictionary, one));
    this.dropsEmptied = view.frameFilters.some(dropsEmptied);
    this.sandwich =
      sandwich === '' ? undefined : new TextTester(dictionary, (text) => text === sandwich);
    this.stackRow = new Uint32Array(dictionary.stacks.length);
    this.wholeRow = new Uint32Array(dictionary.locations.length);
    this.cutRow = new Uint32Array(sandwich === '' ? 0 : dictionary.locations.length);
    this.keepsOrder = sandwich === '' && !view.isInverted;
    this.nodeRow = new Uint32Array(this.keepsOrder ? dictionary.stacks.nodeCount : 0);
  }

  /** The stack of `local` that is shown for a stack of the dictionary; -1 = none. */
  rewrite(stack: number): number {
    this.reserve();
    const seen = this.stackRow[stack];
    if (seen !== 0) return seen - 2;
    const leaf = this.dictionary.stacks.leaf[stack];
    const node = this.keepsOrder ? this.sharedNode(leaf) : this.nodeOfFrames(leaf);
    const isDropped = node === -1 || (node === 0 && this.dropsEmptied);
    const row = isDropped ? -1 : this.localStack(node);
    this.stackRow[stack] = row + 2;
    return row;
  }

  /** The dictionary of an earlier view grows while it is used. */
  private reserve(): void {
    const { stacks, locations } = this.dictionary;
    this.stackRow = grown(this.stackRow, stacks.length);
    this.wholeRow = grown(this.wholeRow, locations.length);
    if (this.sandwich !== undefined) this.cutRow = grown(this.cutRow, locations.length);
    if (this.keepsOrder) this.nodeRow = grown(this.nodeRow, stacks.nodeCount);
  }

  private localStack(node: number): number {
    if (node === 0) return 0;
    this.stackOfNode = grown(this.stackOfNode, node + 1);
    if (this.stackOfNode[node] === 0) {
      this.stackOfNode[node] = this.local.stacks.addLeaf(node, ~node, node as NodeIndex);
    }
    return this.stackOfNode[node];
  }

  /** The rewritten node of a node whose outer frames are rewritten alike. */
  private sharedNode(leaf: number): number {
    const { nodeParent, nodeLocation } = this.dictionary.stacks;
    const { nodeRow } = this;
    let count = 0;
    let node = leaf;
    for (; node !== 0 && nodeRow[node] === 0; node = nodeParent[node]) {
      this.path = grown(this.path, count + 1);
      this.path[count] = node;
      count += 1;
    }
    let row = node === 0 ? 0 : nodeRow[node] - 1;
    for (let i = count - 1; i >= 0; i -= 1) {
      row = this.below(row, this.whole(nodeLocation[this.path[i]]));
      nodeRow[this.path[i]] = row + 1;
    }
    return row;
  }

  /** The rewritten node of a stack cut at the sandwich's function; -1 when it has none. */
  private nodeOfFrames(leaf: number): number {
    const { nodeParent, nodeLocation } = this.dictionary.stacks;
    const { isInverted, sandwich } = this;
    let count = 0;
    let cutAt = -1;
    for (let node = leaf; node !== 0; node = nodeParent[node]) {
      this.path = grown(this.path, count + 1);
      this.path[count] = nodeLocation[node];
      if (sandwich !== undefined && this.cutLine(nodeLocation[node], sandwich) !== -1) {
        cutAt = count;
        if (!isInverted) break;
      }
      count += 1;
    }
    if (sandwich !== undefined && cutAt === -1) return -1;
    const { path } = this;
    const locationAt = (i: number): number =>
      i === cutAt ? this.cut(path[i]) : this.whole(path[i]);
    let row = 0;
    if (isInverted) {
      const first = Math.max(0, cutAt);
      // Inverted, the outermost call of the function comes first and then its callers.
      for (let i = first; i < count; i += 1) row = this.below(row, locationAt(i));
    } else {
      const last = cutAt === -1 ? count - 1 : cutAt;
      for (let i = last; i >= 0; i -= 1) row = this.below(row, locationAt(i));
    }
    return row;
  }

  private below(node: number, location: number): number {
    if (location === -1) return node;
    return this.local.stacks.child(node as NodeIndex, location as LocationIndex);
  }

  /** The line where the sandwich cuts a location, -1 where it does not. */
  private cutLine(location: number, sandwich: TextTester): number {
    const { locations, functions } = this.dictionary;
    const first = locations.lineStart[location];
    const end = locations.lineStart[location + 1];
    let cut = -1;
    for (let line = first; line < end; line += 1) {
      const row = locations.lineFunction[line] as FunctionIndex;
      if (!sandwich.passes(functions.displayName(row))) continue;
      cut = line;
      if (!this.isInverted) break;
    }
    return cut;
  }

  private whole(location: number): number {
    const seen = this.wholeRow[location];
    if (seen !== 0) return seen - 2;
    const { lineStart } = this.dictionary.locations;
    const row = this.addLocation(location, lineStart[location], lineStart[location + 1]);
    this.wholeRow[location] = row + 2;
    return row;
  }

  private cut(location: number): number {
    const seen = this.cutRow[location];
    if (seen !== 0 || this.sandwich === undefined) return seen - 2;
    const { lineStart } = this.dictionary.locations;
    const line = this.cutLine(location, this.sandwich);
    const row = this.isInverted
      ? this.addLocation(location, line, lineStart[location + 1])
      : this.addLocation(location, lineStart[location], line + 1);
    this.cutRow[location] = row + 2;
    return row;
  }

  /** Adds what the frame filters leave of lines `first..end` of a location; -1 when nothing. */
  private addLocation(location: number, first: number, end: number): number {
    const { locations } = this.dictionary;
    const lines: number[] = [];
    for (let line = first; line < end; line += 1) {
      if (this.isKept(location, line)) lines.push(line);
    }
    if (first === end ? !this.isKept(location, -1) : lines.length === 0) return -1;
    const to = this.local.locations;
    const mapping = locations.mapping[location] as MappingIndex;
    const low = locations.addressLow[location];
    const high = locations.addressHigh[location];
    // Under a key that only this row has: what is equal was found by the caller.
    to.find(mapping, low, high, to.length);
    const row = to.add(mapping, low, high, to.length);
    if (this.isInverted) lines.reverse();
    for (const line of lines) {
      to.addLine(
        locations.lineFunction[line],
        locations.lineNumber[line],
        locations.lineColumn[line],
      );
      to.markInlined(locations.isInlined(location, line));
    }
    return row;
  }

  private isKept(location: number, line: number): boolean {
    return this.frameFilters.every((filter) => filter.isKept(location, line));
  }
}

/** Whether stacks go of which a frame filter leaves nothing. */
export function dropsEmptied({ anyName }: FrameCriteria): boolean {
  return anyName !== undefined;
}
