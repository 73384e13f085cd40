// State of the graph panel: cursor, colours, and frames of tooltips and menus.
import { unknownGroup } from '../../../src/model/group-names.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { assignHues, autoGrouping, darkPalette, lightPalette } from '../canvas/colours.ts';
import type { Hit } from '../canvas/hit-test.ts';
import type { Scene } from '../canvas/frame-painter.ts';
import { clampView, type View, wholeView } from '../canvas/view.ts';
import type { Measure } from '../format/measure.ts';
import { binaryGestures, functionGestures, type Gesture } from '../language/gestures.ts';
import { isTyping } from '../page/keys.ts';
import { useTheme } from '../page/theme.ts';
import type { MenuAction } from '../parts/context-menu.tsx';
import { fileOfFrame, linesEntry } from '../parts/lines-entry.ts';
import { usersEntry } from '../parts/users-entry.ts';
import { answerSteps } from '../tree/answer-steps.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { type Grouping, type GroupMode, labelFlag, type Tree } from '../tree/tree.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';
import type { UrlStore } from '../url/url-store.ts';

/**
 * Returns the row of the keyboard cursor. In a new answer, this is the same frame or its deepest
 * existing ancestor.
 */
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

/** Returns the colour of each name. `whole` determines the meaning of 'auto'. */
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

/** Returns the colour step of each frame in a diff; undefined without a diff. */
export function useDiffSteps(tree: AnsweredTree, measure: Measure): Int8Array | undefined {
  const counts = measure.delta && measure.sampled;
  return useMemo(() => answerSteps(tree, counts), [tree, counts]);
}

/** Resets the zoom with the key `0`, regardless of the focus, except while typing. */
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

/** The frame under the pointer. */
export interface PointedFrame extends PlacedFrame {
  readonly hit: Hit;
}

/** A frame, and the screen position of its overlay. */
export interface PlacedFrame {
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** Returns the row of a frame in `tree`; undefined if `tree` does not contain it. */
export function useFrameRow(
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

/**
 * Returns the menu entries of a frame that are common to all graphs and do not change the query.
 */
export function frameEntries(
  { tree, texts, row }: Pick<PlacedFrame, 'tree' | 'texts' | 'row'>,
  url: UrlStore,
  zoomTo: (row: number) => void,
): MenuAction[] {
  const name = texts.name(tree.name[row]);
  const { highlighted } = url.get().state;
  return [
    { key: 'Enter', label: 'Zoom here', run: () => zoomTo(row) },
    {
      key: 'w',
      label: 'Highlight this function everywhere',
      run: () => url.change({ highlighted: highlighted === name ? '' : name }, 'adjust'),
    },
    {
      key: '*',
      label: 'Search this name',
      run: () => url.change({ search: name, searchMode: 'text' }, 'adjust'),
    },
    ...linesEntry(fileOfFrame(tree, texts, row), url),
    ...(row > 0 && (tree.flags[row] & labelFlag) === 0 ? usersEntry(name, url) : []),
  ];
}

/** Returns the gestures for a frame; none for the root and label rows. */
export function frameGestures(tree: Tree, texts: TreeTexts, row: number): Gesture[] {
  const name = texts.name(tree.name[row]);
  const isFunction = row > 0 && (tree.flags[row] & labelFlag) === 0 && name !== unknownGroup;
  if (!isFunction) return [];
  const ofBinary = binaryGestures(texts.string(tree.binary[row]));
  return [...functionGestures(name), ...ofBinary.filter(({ key }) => 'HC'.includes(key))];
}

/** Returns 1 for each name in a group. */
export function findNames({ ofName, texts }: Grouping, text: string): Uint8Array {
  return Uint8Array.from(ofName, (group) => Number(texts[group] === text));
}

/** Returns the name of the highlighted function, or else the function under the pointer. */
export function findHighlightedName(
  texts: TreeTexts,
  highlighted: string,
  hover: Hit | undefined,
  tree: Tree,
): number | undefined {
  if (highlighted !== '') return texts.indexOf(highlighted);
  return hover === undefined || hover.row === 0 ? undefined : tree.name[hover.row];
}

/** Returns the visible part of the width: a free view, or else the zoomed frame. */
export function makeView(
  tree: Tree,
  row: number,
  free: readonly [number, number] | undefined,
): View {
  if (free !== undefined) return { from: free[0], to: free[1] };
  if (row <= 0 || tree.width[row] <= 0) return wholeView;
  return clampView(tree.x[row], tree.width[row]);
}

/** Returns the same scene object as long as its parts are equal. */
export function useStableScene(scene: Scene): Scene {
  const { tree, view, palette, hueOfName, steps, hit, highlightedNames } = scene;
  const { zoomRow, isFlipped, hiddenDepths, nameAt } = scene;
  return useMemo(
    () => ({
      tree,
      view,
      palette,
      hueOfName,
      steps,
      hit,
      highlightedNames,
      zoomRow,
      isFlipped,
      hiddenDepths,
      nameAt,
    }),
    [
      tree,
      view,
      palette,
      hueOfName,
      steps,
      hit,
      highlightedNames,
      zoomRow,
      isFlipped,
      hiddenDepths,
      nameAt,
    ],
  );
}
