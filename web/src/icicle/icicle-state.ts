// State of the icicle panel: the cursor, the colours, and frames that tooltips and menus belong to.
import { useEffect, useMemo, useRef, useState } from 'react';
import { assignHues, autoGrouping, darkPalette, lightPalette } from '../canvas/colours.ts';
import type { Measure } from '../format/measure.ts';
import { useTheme } from '../page/theme.ts';
import { diffSteps, isDiffTree } from '../tree/diff.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';

/** The keyboard's row; in a new answer it is the same frame, or the deepest that exists. */
export function useCursor(
  tree: Tree,
  texts: TreeTexts,
): readonly [row: number, set: (row: number) => void] {
  const [cursor, setCursor] = useState({ tree, texts, row: 0 });
  const row = useMemo(() => {
    if (cursor.tree === tree) return cursor.row;
    const path = printPath(cursor.tree, cursor.row, cursor.texts);
    return resolvePath(tree, path, texts).row;
  }, [cursor, tree, texts]);
  return [row, (next) => setCursor({ tree, texts, row: next })];
}

/** Which colour each name has. `whole`: what the choice of binaries or packages is made by. */
export function useColours(tree: Tree, whole: Tree, wished: 'auto' | 'binary' | 'package') {
  const theme = useTheme();
  const palette = theme === 'dark' ? darkPalette : lightPalette;
  return useMemo(() => {
    const mode = wished === 'auto' ? autoGrouping(whole.groups.binary) : wished;
    const grouping = tree.groups[mode];
    const hues = assignHues(grouping, palette.hues.length);
    const hueOfName = Int32Array.from(grouping.ofName, (group) => hues[group]);
    return { palette, grouping, mode, hueOfName };
  }, [tree, whole, wished, palette]);
}

/** How much each frame of a diff changed; undefined when nothing is compared. */
export function useDiffSteps(tree: AnsweredTree, measure: Measure): Int8Array | undefined {
  const counts = measure.delta && measure.sampled;
  return useMemo(() => {
    if (!isDiffTree(tree)) return undefined;
    const base = tree.baseSide?.coverage.samples ?? 0;
    return diffSteps(tree, counts ? { base, compared: tree.coverage.samples } : undefined);
  }, [tree, counts]);
}

/** Reset works wherever the focus is, but not while typing. */
export function useResetKey(reset: () => void): void {
  const latest = useRef(reset);
  latest.current = reset;
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      const [target] = event.composedPath();
      if (!(target instanceof HTMLElement) || target.closest('input, select, dialog') !== null)
        return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.key === '0') latest.current();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

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
