// Keeps the frame under the pointer, the frame whose menu is open, and the pinned frame of a graph.
import { useState } from 'react';
import { Store, useStore } from '../page/store.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import type { FrameContext } from './frame-facts.ts';
import { type PlacedFrame, type PointedFrame, useFrameRow } from './icicle-state.ts';

/** A pinned frame, with facts to show while later answers do not contain it. */
interface PinnedFrame extends PlacedFrame {
  readonly context: FrameContext;
}

/** Frames of one graph, and their setters. */
export type Pointing = ReturnType<typeof usePointing>;

/** Returns the frames, and the rows in `tree` of the menu's frame and of the pinned frame. */
export function usePointing(tree: Tree, texts: TreeTexts) {
  const [pointed] = useState(() => new Store<PointedFrame | undefined>(undefined));
  const pointedNow = useStore(pointed);
  const hover = pointedNow?.tree === tree ? pointedNow.hit : undefined;
  const [menu, setMenu] = useState<PlacedFrame>();
  const [pinned, setPinned] = useState<PinnedFrame>();
  const menuRow = useFrameRow(menu, tree, texts);
  const pinnedRow = useFrameRow(pinned, tree, texts);
  return { pointed, hover, menu, menuRow, setMenu, pinned, pinnedRow, setPinned };
}
