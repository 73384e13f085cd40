// Moves the keyboard cursor in the graph.
import { findDepth, noRow, type Tree } from './tree.ts';

export type Move = 'up' | 'down' | 'left' | 'right' | 'root' | 'leaf';

/** Returns the row after a move; the same row if there is none in that direction. */
export function walk(tree: Tree, row: number, move: Move): number {
  if (move === 'root') return 0;
  if (move === 'up') return tree.parent[row] === noRow ? row : tree.parent[row];
  if (move === 'down') return widestChild(tree, row) ?? row;
  if (move === 'leaf') return widestLeaf(tree, row);
  const depth = findDepth(tree, row);
  const next = move === 'left' ? row - 1 : row + 1;
  const isInside = next >= tree.depthStart[depth] && next < tree.depthStart[depth + 1];
  return isInside ? next : row;
}

function widestChild(tree: Tree, row: number): number | undefined {
  let widest: number | undefined;
  const first = tree.firstChild[row];
  for (let child = first; child < first + tree.childCount[row]; child++) {
    if (widest === undefined || tree.width[child] > tree.width[widest]) widest = child;
  }
  return widest;
}

function widestLeaf(tree: Tree, row: number): number {
  let leaf = row;
  for (let next = widestChild(tree, leaf); next !== undefined; next = widestChild(tree, leaf)) {
    leaf = next;
  }
  return leaf;
}

/** Returns the innermost frame that covers a range of the width. */
export function frameAround(
  tree: Tree,
  { from, to }: { readonly from: number; readonly to: number },
): number {
  let around = 0;
  for (let depth = 1; depth < tree.depthStart.length - 1; depth++) {
    const end = tree.depthStart[depth + 1];
    let row = tree.firstChild[around];
    const last = row + tree.childCount[around];
    while (row < Math.min(last, end) && tree.x[row] + tree.width[row] < to) row++;
    if (row >= last || tree.x[row] > from) return around;
    around = row;
  }
  return around;
}
