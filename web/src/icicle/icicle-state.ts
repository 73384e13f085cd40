// State of the icicle panel: the cursor, the colours, and frames that tooltips and menus belong to.
import { useEffect, useMemo, useRef, useState } from 'react';
import { assignHues, autoGrouping, darkPalette, lightPalette } from '../canvas/colours.ts';
import type { Measure } from '../format/measure.ts';
import { isTyping } from '../page/keys.ts';
import { useTheme } from '../page/theme.ts';
import { diffSteps, isDiffTree } from '../tree/diff.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import type { GroupMode, Tree } from '../tree/tree.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';

/** Row of the keyboard's cursor; in a new answer the same frame, or its deepest ancestor. */
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

/** Colour of each name. `whole` decides what 'auto' means. */
export function useColours(tree: Tree, whole: Tree, wished: 'auto' | GroupMode) {
  const theme = useTheme();
  const palette = theme === 'dark' ? darkPalette : lightPalette;
  return useMemo(() => {
    const mode = wished === 'auto' ? autoGrouping(whole.groups) : wished;
    const grouping = tree.groups[mode];
    const hues = assignHues(grouping, palette.hues.length);
    const hueOfName = Int32Array.from(grouping.ofName, (group) => hues[group]);
    return { palette, grouping, mode, hueOfName };
  }, [tree, whole, wished, palette]);
}

/** Step of each frame of a diff; undefined without a diff. */
export function useDiffSteps(tree: AnsweredTree, measure: Measure): Int8Array | undefined {
  const counts = measure.delta && measure.sampled;
  return useMemo(() => {
    if (!isDiffTree(tree)) return undefined;
    const base = tree.baseSide?.coverage.samples ?? 0;
    return diffSteps(tree, counts ? { base, compared: tree.coverage.samples } : undefined);
  }, [tree, counts]);
}

/** Resets the zoom with `0`, wherever the focus is, except while typing. */
export function useResetKey(reset: () => void): void {
  const latest = useRef(reset);
  latest.current = reset;
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (isTyping(event) || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
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

/** Row of a frame in `tree`; undefined when it is not there. */
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
