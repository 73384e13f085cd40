// Finds the expanded rows of a call tree, and keeps them expanded when new data arrives.
import { findDepth, pathTo, type Tree } from './tree.ts';
import { type PathTexts, printPath, resolvePath } from './zoom-path.ts';

/** Frames with visible callees. */
export type OpenRows = ReadonlySet<number>;

/** Depth to which a hot path is expanded. */
const hotDepthMax = 60;
/** Smallest share of its caller with which the widest callee continues the hot path. */
const hotShareMin = 0.2;

/**
 * Returns the rows below `top` in reading order, largest sibling first; only expanded rows have
 * visible callees.
 */
export function callRows(tree: Tree, top: number, open: OpenRows): Int32Array {
  const rows: number[] = [];
  const waiting = [top];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row);
    if (open.has(row)) waiting.push(...listCallees(tree, row).reverse());
  }
  return Int32Array.from(rows);
}

function listCallees({ firstChild, childCount, width }: Tree, row: number): number[] {
  const callees = Array.from({ length: childCount[row] }, (_, i) => firstChild[row] + i);
  return callees.sort((a, b) => width[b] - width[a] || a - b);
}

/**
 * Returns the path from `top` along the widest callees, as long as they have a large share of their
 * caller.
 */
export function hotPath(tree: Tree, top: number): number[] {
  const path: number[] = [];
  let row = top;
  while (path.length < hotDepthMax && tree.childCount[row] > 0) {
    path.push(row);
    const [widest] = listCallees(tree, row);
    if (tree.width[widest] < tree.width[row] * hotShareMin) break;
    row = widest;
  }
  return path;
}

/** Returns the collapsed callers of a row. */
export function closedAbove(tree: Tree, row: number, open: OpenRows): number[] {
  return pathTo(tree, row)
    .slice(0, -1)
    .filter((caller) => !open.has(caller));
}

/** Finds the expanded rows of a tree in another tree. */
export function carryOpen(
  from: Tree,
  open: OpenRows,
  fromTexts: PathTexts,
  to: Tree,
  toTexts: PathTexts,
): Set<number> {
  const found = new Set<number>();
  for (const row of open) {
    const { row: there, missing } = resolvePath(to, printPath(from, row, fromTexts), toTexts);
    if (missing === 0) found.add(there);
  }
  return found;
}

/** Returns the level of a row below `top`, starting at 1. */
export function countLevels(tree: Tree, top: number, row: number): number {
  return findDepth(tree, row) - findDepth(tree, top) + 1;
}
