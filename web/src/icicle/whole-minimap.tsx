// Minimap of the complete graph, even if the main graph shows only the details of a frame.
import { useMemo } from 'react';
import { Minimap, type MinimapProps } from '../canvas/minimap.tsx';
import type { Scene } from '../canvas/frame-painter.ts';
import { usePlace } from '../page/app-context.ts';
import { brightNames } from '../tree/dimming.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { useColours } from './icicle-state.ts';
import { useSearch } from './use-search.ts';

export interface WholeMinimapProps extends Pick<MinimapProps, 'onView'> {
  /** Scene of the main graph. */
  readonly scene: Scene;
  /** Answer without details of a zoomed frame. */
  readonly whole: AnsweredTree;
}

/**
 * The minimap. It is painted again only if the complete graph or its colours change, not when the
 * main graph moves. It shows the complete graph, because details lack the frames around the zoomed
 * frame.
 */
export function WholeMinimap({ scene, whole, onView }: WholeMinimapProps) {
  const { colour, dimmed, mine, search, searchMode } = usePlace().state;
  const isDetail = scene.tree !== whole;
  const { palette, hueOfName } = useColours(whole, whole, colour);
  const { result } = useSearch(isDetail ? whole : undefined, search, searchMode);
  const bright = useMemo(
    () => (isDetail ? brightNames(whole.groups, { dimmed, mine }) : undefined),
    [isDetail, whole, dimmed, mine],
  );
  const steps = isDetail ? undefined : scene.steps;
  const hit = isDetail ? result?.hit : scene.hit;
  const highlightedNames = isDetail ? bright : scene.highlightedNames;
  const { isFlipped } = scene;
  const drawn = useMemo(
    () => ({ tree: whole, palette, hueOfName, steps, hit, highlightedNames, isFlipped }),
    [whole, palette, hueOfName, steps, hit, highlightedNames, isFlipped],
  );
  return <Minimap drawn={drawn} view={scene.view} onView={onView} />;
}
