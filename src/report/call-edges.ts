// Calls between the frames of a tree, as edges between frame numbers.
import { grown } from '../model/column.ts';
import { HashIndex, mixHash } from '../model/hash-index.ts';
import type { CallTree } from './tree/call-tree.ts';

/** Distinct pairs of caller and callee; columns may be longer than `length`. */
export interface CallEdges {
  readonly length: number;
  readonly caller: Int32Array;
  readonly callee: Int32Array;
  /** Sum of the stacks that contain the call; each stack counts once. */
  readonly cumulative: BigInt64Array;
  /** Values of the base of a diff; zeros without a base. */
  readonly baseCumulative: BigInt64Array;
  /**
   * 1 if at least one call is direct; 0 if there are hidden frames between caller and callee in all
   * calls.
   */
  readonly isDirect: Uint8Array;
}

/**
 * Collects the calls of a tree. For each tree row, `target` is its frame number plus 1, or 0 for a
 * hidden frame. The callees of a hidden frame count as callees of the nearest visible caller.
 */
export function collectEdges(tree: CallTree, target: Int32Array): CallEdges {
  const edges = new EdgeTable();
  const { length, parent, cumulative, base } = tree;
  const outermost = tree.outermostRows();
  // The nearest visible caller; 0 = none.
  const callerRow = new Int32Array(length);
  for (let row = 1; row < length; row += 1) {
    const above = parent[row];
    const caller = target[above] === 0 ? callerRow[above] : above;
    callerRow[row] = caller;
    if (caller === 0 || target[row] === 0) continue;
    const edge = edges.intern(target[caller] - 1, target[row] - 1);
    if (caller === above) edges.isDirect[edge] = 1;
    const isRepeated = outermost[row] === 0 && isWithinItself(row, callerRow, target);
    if (isRepeated) continue;
    edges.cumulative[edge] += cumulative[row];
    if (base !== undefined) edges.baseCumulative[edge] += base.cumulative[row];
  }
  return edges;
}

/**
 * Returns true if a call is nested in a call of the same pair, whose value already includes it.
 */
function isWithinItself(row: number, callerRow: Int32Array, target: Int32Array): boolean {
  const caller = callerRow[row];
  for (let above = caller; callerRow[above] !== 0; above = callerRow[above]) {
    if (target[above] === target[row] && target[callerRow[above]] === target[caller]) return true;
  }
  return false;
}

class EdgeTable implements CallEdges {
  length = 0;
  caller = new Int32Array(1024);
  callee = new Int32Array(1024);
  cumulative = new BigInt64Array(1024);
  baseCumulative = new BigInt64Array(1024);
  isDirect = new Uint8Array(1024);
  readonly #index = new HashIndex(1024);

  intern(caller: number, callee: number): number {
    const index = this.#index;
    const hash = mixHash(mixHash(0x2545f491, caller), callee);
    const { slots, mask } = index.at(hash);
    let at = hash & mask;
    for (let row = slots[at]; row !== 0; row = slots[at]) {
      if (this.caller[row - 1] === caller && this.callee[row - 1] === callee) return row - 1;
      at = (at + 1) & mask;
    }
    const edge = this.length;
    this.length = edge + 1;
    if (edge >= this.caller.length) this.#grow(edge + 1);
    this.caller[edge] = caller;
    this.callee[edge] = callee;
    index.insert(at, hash, edge + 1);
    return edge;
  }

  #grow(length: number): void {
    this.caller = grown(this.caller, length);
    this.callee = grown(this.callee, length);
    this.cumulative = grown(this.cumulative, length);
    this.baseCumulative = grown(this.baseCumulative, length);
    this.isDirect = grown(this.isDirect, length);
  }
}
