// Collects the trie nodes on the paths from the root to given nodes.
import { grown } from '../../model/column.ts';
import type { StackTable } from '../../model/stack-table.ts';

/**
 * Maximum number of trie nodes per end up to which reading all nodes is faster than using a bit
 * set.
 */
const nodesPerEndMax = 32;

/**
 * Collects nodes in time proportional to their number, for a trie of any size; reuses its memory.
 *
 * The nodes are in a bit set. The loop removes the largest node and adds its parent, which is
 * smaller, so nodes are visited in order and memory is read sequentially.
 */
export class PathNodes {
  /**
   * The first `count` elements are the collected nodes in descending order, so each parent comes
   * after its children.
   */
  nodes = new Int32Array(1024);
  count = 0;
  /** One bit per node, and one bit per word of node bits; all 0 except while collecting. */
  #words = new Int32Array(0);
  #summary = new Int32Array(0);
  /** 1 for each node to be collected; all 0 except while collecting. */
  #marks = new Uint8Array(0);

  /** Collects the nodes on the paths to `ends`, without the root. */
  collect(parent: Int32Array, length: number, ends: Int32Array): void {
    if (ends.length * nodesPerEndMax >= length) this.#collectMost(parent, length, ends);
    else this.#collectFew(parent, length, ends);
  }

  #collectMost(parent: Int32Array, length: number, ends: Int32Array): void {
    this.#marks = grown(this.#marks, length);
    this.nodes = grown(this.nodes, length);
    const { nodes } = this;
    const marks = this.#marks;
    for (let i = 0; i < ends.length; i += 1) marks[ends[i]] = 1;
    let count = 0;
    for (let node = length - 1; node > 0; node -= 1) {
      if (marks[node] === 0) continue;
      marks[node] = 0;
      marks[parent[node]] = 1;
      nodes[count] = node;
      count += 1;
    }
    marks[0] = 0;
    this.count = count;
  }

  #collectFew(parent: Int32Array, length: number, ends: Int32Array): void {
    this.#words = grown(this.#words, (length >>> 5) + 1);
    this.#summary = grown(this.#summary, (length >>> 10) + 1);
    const words = this.#words;
    const summary = this.#summary;
    for (let i = 0; i < ends.length; i += 1) {
      words[ends[i] >>> 5] |= 1 << ends[i];
      summary[ends[i] >>> 10] |= 1 << (ends[i] >>> 5);
    }
    let { nodes } = this;
    let count = 0;
    for (let top = length >>> 10; top >= 0; top -= 1) {
      while (summary[top] !== 0) {
        const at = top * 32 + 31 - Math.clz32(summary[top]);
        while (words[at] !== 0) {
          const node = at * 32 + 31 - Math.clz32(words[at]);
          words[at] &= ~(1 << node);
          if (node === 0) break;
          // Inlined, because calling a function for each of a million nodes would double the time.
          if (count === nodes.length) nodes = grown(nodes, count + 1);
          nodes[count] = node;
          count += 1;
          const above = parent[node];
          words[above >>> 5] |= 1 << above;
          summary[above >>> 10] |= 1 << (above >>> 5);
        }
        summary[top] &= ~(1 << at);
      }
    }
    this.nodes = nodes;
    this.count = count;
  }
}

/** Sets `touched` to 1 for the trie nodes on the paths of the stacks in `lists`; -1 = no stack. */
export function touchedNodes(
  { leaf, nodeCount, nodeParent }: StackTable,
  lists: readonly (Int32Array | Uint32Array)[],
  touched: Uint8Array = new Uint8Array(nodeCount),
): Uint8Array {
  touched.fill(0, 0, nodeCount);
  for (const list of lists) {
    for (let i = 0; i < list.length; i += 1) if (list[i] > 0) touched[leaf[list[i]]] = 1;
  }
  for (let node = nodeCount - 1; node > 0; node -= 1) touched[nodeParent[node]] |= touched[node];
  touched[0] = 0;
  return touched;
}
