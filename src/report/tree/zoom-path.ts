// Finds the frame at a path of names.
import type { CallTree, ChildLinks, StackGroup } from './call-tree.ts';

/**
 * Returns the rows from the root to the frame at the path `names`, or as far as the path exists.
 * Several paths may have these names if frames are also grouped by other facts. Of these, uses the
 * path with the largest value.
 *
 * The name of a frame is FrameKeys.text; the name of a label row is `job=api, pod=x`. Rows without
 * a value are skipped.
 */
export function rowsOfPath(
  tree: CallTree,
  groups: readonly StackGroup[],
  labelNames: readonly string[],
  names: readonly string[],
  { first, next }: ChildLinks,
): number[] {
  const { parent, key, frames, labelRows, cumulative, base } = tree;
  const nameAt = (row: number): string => {
    const group = labelRows.get(row);
    return group === undefined ? frames.text(key[row]) : labelText(groups[group], labelNames);
  };
  const isHere = (row: number, name: string): boolean =>
    nameAt(row) === name && (cumulative[row] !== 0n || (base?.cumulative[row] ?? 0n) !== 0n);
  let reached = [0];
  for (const name of names) {
    const below: number[] = [];
    for (const row of reached) {
      for (let child = first[row]; child !== 0; child = next[child]) {
        if (isHere(child, name)) below.push(child);
      }
    }
    if (below.length === 0) break;
    reached = below;
  }
  const end = reached.reduce((widest, row) =>
    cumulative[row] > cumulative[widest] ? row : widest,
  );
  const path: number[] = [];
  for (let row = end; row !== 0; row = parent[row]) path.push(row);
  return [0, ...path.reverse()];
}

function labelText({ labelValues }: StackGroup, names: readonly string[]): string {
  const labels = names.map((name, i) => `${name}=${labelValues[i]}`);
  return labels.filter((_, i) => labelValues[i] !== '').join(', ');
}
