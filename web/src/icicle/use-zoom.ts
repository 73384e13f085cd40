// Provides movements in the graph: to a frame, a search match, or a range.
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Scene } from '../canvas/frame-painter.ts';
import { clampView, equalViews, type View, wholeView } from '../canvas/view.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import type { SearchResult } from '../tree/search.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import { frameAround } from '../tree/walk.ts';
import { printPath } from '../tree/zoom-path.ts';

/** Width of the view as a multiple of the width of a narrow match. */
const contextWidth = 20;
/** Share of the view below which a match is too narrow to see. */
const matchShareMin = 0.002;
/** Time without movement after which the details of a view are loaded. */
const restMillis = 250;

/** Graph to move in. */
interface ZoomParts {
  readonly scene: Pick<Scene, 'tree' | 'view' | 'zoomRow'>;
  readonly texts: TreeTexts;
  readonly result: SearchResult | undefined;
  readonly setCursor: (row: number) => void;
  /** Scrolls to a frame. */
  readonly reveal: (row: number) => void;
  /** Announces an action to screen readers. */
  readonly say: (text: string) => void;
  readonly describeRow: (row: number) => string;
}

/** Returns functions for moving, and the number of the current match. */
export function useZoom(parts: ZoomParts) {
  const { scene, texts, result, setCursor, reveal, say, describeRow: sentenceOf } = parts;
  const { tree, view, zoomRow } = scene;
  const { url } = useApp();
  const { state } = usePlace();
  const [matchIndex, setMatchIndex] = useState<number>();
  useEffect(() => setMatchIndex(undefined), [result]);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const zoomToView = useRef(() => {});
  useEffect(() => () => clearTimeout(rest.current), []);

  const zoomTo = (row: number) => {
    setCursor(row);
    url.change({ zoom: printPath(tree, row, texts), view: undefined }, 'step');
    say(`Zoomed to ${sentenceOf(row)}`);
  };
  const zoomOut = () => {
    if (state.view !== undefined) url.change({ view: undefined }, 'step');
    else if (zoomRow > 0) zoomTo(tree.parent[zoomRow]);
  };
  const zoomAround = (row: number) => {
    const width = Math.min(1, tree.width[row] * contextWidth);
    const next = clampView(tree.x[row] + tree.width[row] / 2 - width / 2, width);
    url.change({ view: [next.from, next.to] }, 'adjust');
  };
  const goToMatch = (step: 1 | -1) => {
    const rows = result?.rows;
    if (rows === undefined || rows.length === 0) return;
    const from = matchIndex ?? (step === 1 ? -1 : 0);
    const next = (from + step + rows.length) % rows.length;
    const row = rows[next];
    setMatchIndex(next);
    setCursor(row);
    reveal(row);
    if (state.graph === 'tree' || state.graph === 'chart') return;
    const share = tree.width[row] / (view.to - view.from);
    if (share < matchShareMin || !isInView(tree, row, view)) zoomAround(row);
    say(`Match ${next + 1} of ${rows.length}: ${sentenceOf(row)}`);
  };
  // Zooming to the frame around a view also loads its trimmed frames.
  const pathAround = (next: View) => printPath(tree, frameAround(tree, next), texts);
  zoomToView.current = () => {
    if (state.view !== undefined) url.change({ zoom: pathAround(view) }, 'adjust');
  };
  // Details may contain a narrower frame around the view, which may have its own details.
  const zoomDeeper = useEffectEvent(() => {
    if (state.view === undefined) return;
    const zoom = pathAround(view);
    if (zoom.length > state.zoom.length) url.change({ zoom }, 'adjust');
  });
  useEffect(() => zoomDeeper(), [tree]);
  const showView = (next: View, isRange = false) => {
    const free = equalViews(next, wholeView) ? undefined : ([next.from, next.to] as const);
    clearTimeout(rest.current);
    if (isRange) {
      url.change({ view: free, zoom: pathAround(next) }, 'step');
      return;
    }
    url.change(free === undefined ? { view: free, zoom: '' } : { view: free }, 'adjust');
    rest.current = setTimeout(() => zoomToView.current(), restMillis);
  };
  return { matchIndex, zoomTo, zoomOut, goToMatch, showView };
}

function isInView(tree: Tree, row: number, view: View): boolean {
  return tree.x[row] < view.to && tree.x[row] + tree.width[row] > view.from;
}
