// Minimap of the complete graph, even if the main graph shows only the details of a frame.
import { useMemo } from 'react';
import { Minimap, type MinimapProps } from '../canvas/minimap.tsx';
import { usePlace } from '../page/app-context.ts';
import { brightNames } from '../tree/dimming.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { useColours } from './icicle-state.ts';
import { useSearch } from './use-search.ts';

export interface WholeMinimapProps extends MinimapProps {
  /** Answer without details of a zoomed frame. */
  readonly whole: AnsweredTree;
}

/** The minimap. */
export function WholeMinimap({ scene, whole, onView }: WholeMinimapProps) {
  return scene.tree === whole ? (
    <Minimap scene={scene} onView={onView} />
  ) : (
    <MinimapOfDetail scene={scene} whole={whole} onView={onView} />
  );
}

/** Minimap for details, which do not contain the frames around the zoomed frame. */
function MinimapOfDetail({ scene, whole, onView }: WholeMinimapProps) {
  const { colour, dimmed, mine, search, searchMode } = usePlace().state;
  const texts = useMemo(() => new TreeTexts(whole), [whole]);
  const { palette, hueOfName } = useColours(whole, whole, colour);
  const { result } = useSearch(whole, search, searchMode);
  const { view, isFlipped, hiddenDepths } = scene;
  const sceneOfWhole = useMemo(
    () => ({
      tree: whole,
      view,
      palette,
      hueOfName,
      steps: undefined,
      hit: result?.hit,
      highlightedNames: brightNames(whole.groups, { dimmed, mine }),
      zoomRow: 0,
      isFlipped,
      hiddenDepths,
      nameAt: texts.name,
    }),
    [whole, view, palette, hueOfName, result, dimmed, mine, isFlipped, hiddenDepths, texts],
  );
  return <Minimap scene={sceneOfWhole} onView={onView} />;
}
