// A frame that something on the screen belongs to, found again in the next answer.
import { useMemo } from 'react';
import type { Tree } from '../tree/tree.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';

/** A frame and where on the screen something belongs to it. */
export interface PlacedFrame {
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** The row that a frame has in `tree`; undefined when it has none. */
export function useRowOf(
  frame: PlacedFrame | undefined,
  tree: Tree,
  texts: TreeTexts,
): number | undefined {
  return useMemo(() => {
    if (frame === undefined || frame.tree === tree) return frame?.row;
    const path = printPath(frame.tree, frame.row, frame.texts);
    const { row, missing } = resolvePath(tree, path, texts);
    return missing === 0 ? row : undefined;
  }, [frame, tree, texts]);
}
