// What the server left out below a zoomed frame, shown where the frame stands in the whole.
import { pathTo } from './tree.ts';
import type { Tree } from './tree.ts';
import type { TreeTexts } from './tree-texts.ts';
import { resolvePath } from './zoom-path.ts';

/** Names of the frames from below the root to the zoomed one; empty when nothing is zoomed to. */
export function zoomNames(tree: Tree, zoom: string, texts: TreeTexts): string[] {
  const { row } = resolvePath(tree, zoom, texts);
  return pathTo(tree, row)
    .slice(1)
    .map((step) => texts.name(tree.name[step]));
}

/**
 * A tree of the frames `names` and all below the last of them, moved to where that frame stands in
 * `whole`, so that a view of one is a view of the other. Undefined when a frame is not in both.
 *
 * `zoomedFrames`: how many of the names the tree has; they are its first rows below the root.
 */
export function placeDetail<T extends Tree>(
  detail: T,
  zoomedFrames: number,
  whole: Tree,
  zoom: string,
  texts: TreeTexts,
): T | undefined {
  const path = pathTo(whole, resolvePath(whole, zoom, texts).row);
  const last = path.length - 1;
  if (zoomedFrames !== last || detail.count <= last) return undefined;
  const x = detail.x.map((at, row) =>
    row <= last ? whole.x[path[row]] : at + whole.x[path[last]],
  );
  return { ...detail, x };
}
