// Finding the frame that a path of names leads to.
import type { CallTree, StackGroup } from './call-tree.ts';

/**
 * The rows from the root down to the frame that `names` lead to, or as far as they lead. Where
 * several paths have these names, because frames are grouped by more, the one with most value.
 *
 * A frame is called as by FrameKeys.text, a row of labels `job=api, pod=x`. Rows without a value,
 * such as those of stacks that are not in the selection, lead nowhere.
 *
 * `reached`: zeros by tree row, and left so.
 */
export function rowsOfPath(
  tree: CallTree,
  groups: readonly StackGroup[],
  labelNames: readonly string[],
  names: readonly string[],
  reached: Int32Array,
): number[] {
  if (names.length === 0) return [0];
  const { length, parent, key, frames, labelRows, cumulative, base } = tree;
  const textOf = (row: number): string => {
    const group = labelRows.get(row);
    return group === undefined ? frames.text(key[row]) : labelText(groups[group], labelNames);
  };
  // 1 + how many names lead to a row, 0 = it is not on the way.
  reached[0] = 1;
  const marked = [0];
  let end = 0;
  for (let row = 1; row < length; row += 1) {
    const above = reached[parent[row]];
    if (above === 0 || above > names.length || textOf(row) !== names[above - 1]) continue;
    if (cumulative[row] === 0n && (base?.cumulative[row] ?? 0n) === 0n) continue;
    reached[row] = above + 1;
    marked.push(row);
    const isWider = reached[row] === reached[end] && cumulative[row] > cumulative[end];
    if (reached[row] > reached[end] || isWider) end = row;
  }
  for (const row of marked) reached[row] = 0;
  const path: number[] = [];
  for (let row = end; row !== 0; row = parent[row]) path.push(row);
  return [0, ...path.reverse()];
}

function labelText({ labelValues }: StackGroup, names: readonly string[]): string {
  const labels = names.map((name, i) => `${name}=${labelValues[i]}`);
  return labels.filter((_, i) => labelValues[i] !== '').join(', ');
}
