// Call graph: one node per function, one edge per pair of caller and callee.
import type { Dictionary } from '../model/dictionary.ts';
import { type BaseRatio, subtractBase } from './base-ratio.ts';
import { type CallEdges, collectEdges } from './call-edges.ts';
import { describeTop, slotsByFlat, type Top } from './top.ts';
import type { CallTree } from './tree/call-tree.ts';
import { FrameSums } from './frame-sums.ts';

/** Nodes in the order of Top; callers and callees of edges are row numbers. */
export interface CallGraph {
  readonly nodes: Top;
  readonly edges: CallEdges;
  /** `edges.cumulative` minus the base; undefined without a base. */
  readonly edgeDiff: BigInt64Array | undefined;
}

/** Nodes with less than the total divided by this number may be omitted. */
const hiddenBelowPart = 200n;

/**
 * Builds the graph of a tree by function name. Omits small nodes that only pass calls on: nodes
 * with less than 0.5 % of the total (in a diff, on both sides), one caller and at least one callee,
 * not counting recursive calls. Indirect edges then connect the caller with the callees.
 *
 * Source of the rule: Parca's CALLGRAPH.
 */
export function buildCallGraph(
  dictionary: Dictionary,
  tree: CallTree,
  ratio: BaseRatio,
): CallGraph {
  const sums = new FrameSums(tree);
  const isHidden = findHidden(sums, collectEdges(tree, sums.target), tree);
  const slots = slotsByFlat(tree, sums).filter((slot) => isHidden[slot] === 0);
  const targetOfSlot = new Int32Array(sums.length);
  slots.forEach((slot, row) => {
    targetOfSlot[slot] = row + 1;
  });
  const target = sums.target.map((slot) => (slot === 0 ? 0 : targetOfSlot[slot - 1]));
  const edges = collectEdges(tree, target);
  const [own, base] = [edges.cumulative, edges.baseCumulative];
  return {
    nodes: describeTop(dictionary, tree, sums, slots, ratio),
    edges,
    edgeDiff: tree.base === undefined ? undefined : subtractBase(own, base, ratio),
  };
}

/** Returns 1 for each frame to omit. */
function findHidden(sums: FrameSums, edges: CallEdges, tree: CallTree): Uint8Array {
  const callerCount = new Int32Array(sums.length);
  const calleeCount = new Int32Array(sums.length);
  for (let edge = 0; edge < edges.length; edge += 1) {
    if (edges.caller[edge] === edges.callee[edge]) continue;
    callerCount[edges.callee[edge]] += 1;
    calleeCount[edges.caller[edge]] += 1;
  }
  const isSmall = (value: bigint, total: bigint): boolean =>
    value === 0n || value * hiddenBelowPart < total;
  const isHidden = new Uint8Array(sums.length);
  for (let slot = 0; slot < sums.length; slot += 1) {
    const isPassing = callerCount[slot] === 1 && calleeCount[slot] > 0;
    if (!isPassing || !isSmall(sums.cumulative[slot], tree.cumulative[0])) continue;
    const base = tree.base?.cumulative[0] ?? 0n;
    if (isSmall(sums.base.cumulative[slot], base)) isHidden[slot] = 1;
  }
  return isHidden;
}
