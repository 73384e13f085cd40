// Model of the graph: the visible answer, its cursor, and facts about its frames.
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { frameSentence } from '../canvas/twin.tsx';
import { formatRate } from '../format/measure.ts';
import { usePlace } from '../page/app-context.ts';
import { useLoaded, useSideWords } from '../page/hooks.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import type { GroupMode, Tree } from '../tree/tree.ts';
import { type FrameContext, selfWord } from './frame-facts.ts';
import { useCursor } from './icicle-state.ts';
import { groupShares } from './self-shares.ts';
import { useScene } from './use-scene.ts';
import { useSearch } from './use-search.ts';

/** Model of one answer. */
export type IcicleModel = ReturnType<typeof useIcicle>;

/** Returns the model of an answer. */
export function useIcicle(explore: Explore, tree: AnsweredTree) {
  const { state } = usePlace();
  const callers = useLoaded(() => import('./callers-graph.tsx'));
  const callee = state.graph === 'chart' ? undefined : callers?.findCallee(explore.query);
  const texts = useMemo(() => new TreeTexts(tree), [tree]);
  const search = useSearch(tree, state.search, state.searchMode);
  const [highlightedGroup, setHighlightedGroup] = useState<string>();
  const [cursor, setCursor] = useCursor(tree, texts);
  const hit = search.result?.hit;
  const { scene, missing, mode } = useScene({
    explore,
    tree,
    texts,
    hit,
    highlightedGroup,
    hasCallers: callee !== undefined,
  });
  const { steps, zoomRow } = scene;
  const whole = explore.whole ?? tree;
  const shares = useShares(explore, whole, mode);
  const followZoom = useEffectEvent(() => {
    if (state.view === undefined) setCursor(zoomRow);
  });
  // The cursor moves if Back, a link or the list has zoomed, or if details have arrived. It does
  // not move if the wheel or a drag has changed the view.
  useEffect(() => followZoom(), [state.zoom, missing]);

  const formatRowRate = (value: bigint) => formatRate(value, explore.measure, explore.coverage);
  const { before: baseWord } = useSideWords(explore.query);
  const context: FrameContext = {
    tree,
    texts,
    measure: explore.measure,
    coverage: explore.coverage,
    baseSide: tree.baseSide,
    baseWord,
    steps,
    zoomRow,
    isInverted: explore.isInverted,
  };
  const describeRow = (row: number) =>
    frameSentence(
      { tree, texts, formatRate: formatRowRate, steps, selfWord: selfWord(context) },
      row,
    );
  const answer = { explore, tree, texts, whole, callers, callee };
  const drawn = { scene, missing, mode, shares, search, setHighlightedGroup };
  return {
    ...answer,
    ...drawn,
    cursor,
    setCursor,
    context,
    rateOf: formatRowRate,
    sentenceOf: describeRow,
  };
}

/** Returns self shares, from the function list if the graph is trimmed or inverted. */
function useShares(explore: Explore, whole: Tree, mode: GroupMode) {
  const needsTop = whole.trimmed > 0n || explore.isInverted;
  const top = needsTop ? explore.top.value : undefined;
  return useMemo(
    () => (needsTop && top === undefined ? undefined : groupShares(whole, mode, top)),
    [needsTop, top, whole, mode],
  );
}
