// Makes the scene of the graph from the answer and the options in the URL.
import { useEffect, useMemo } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import type { Scene } from '../canvas/frame-painter.ts';
import { noteScene } from '../canvas/shown-scene.ts';
import { usePlace } from '../page/app-context.ts';
import { brightNames } from '../tree/dimming.ts';
import type { SearchResult } from '../tree/search.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import type { GroupMode } from '../tree/tree.ts';
import { resolvePath } from '../tree/zoom-path.ts';
import { findNames, useColours, useDiffSteps, useStableScene, makeView } from './icicle-state.ts';

/** Parts of a scene that are not in the URL. */
interface SceneParts {
  readonly explore: Explore;
  readonly tree: AnsweredTree;
  readonly texts: TreeTexts;
  readonly hit: SearchResult['hit'] | undefined;
  readonly highlightedGroup: string | undefined;
  /** True if the callers of the root are in a separate graph. */
  readonly hasCallers: boolean;
}

/** A scene, and the options it was created with. */
interface ChosenScene {
  readonly scene: Scene;
  /** Number of frames in the zoom path that the answer does not contain. */
  readonly missing: number;
  readonly mode: GroupMode;
}

/** Returns the scene; exported pictures show it, too. */
export function useScene(parts: SceneParts): ChosenScene {
  const { explore, tree, texts, hit, highlightedGroup, hasCallers } = parts;
  const { state } = usePlace();
  const { row: zoomRow, missing } = useMemo(
    () => resolvePath(tree, state.zoom, texts),
    [tree, texts, state.zoom],
  );
  const whole = explore.whole ?? tree;
  const { palette, grouping, mode, hueOfName } = useColours(tree, whole, state.colour);
  const steps = useDiffSteps(tree, explore.measure);
  const view = useMemo(() => makeView(tree, zoomRow, state.view), [tree, zoomRow, state.view]);
  const highlightedNames = useMemo(() => {
    if (highlightedGroup !== undefined) return findNames(grouping, highlightedGroup);
    return brightNames(tree.groups, { dimmed: state.dimmed, mine: state.mine });
  }, [tree, grouping, highlightedGroup, state.mine, state.dimmed]);
  const isFlipped = state.graph === 'flame';
  const hiddenDepths = hasCallers ? 1 : 0;
  const scene = useStableScene({
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
    nameAt: texts.name,
  });
  useEffect(() => noteScene(scene), [scene]);
  return { scene, missing, mode };
}
