// The icicle in full detail below the zoomed frame, where the server trimmed the whole one.
import { useMemo, useRef } from 'react';
import { isIdle, type Refreshing, type Resource, useResource } from '../page/use-resource.ts';
import type { Asking } from '../rpc/asking.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import { placeDetail, zoomNames } from '../tree/zoom-path.ts';
import { key } from './refreshing.ts';

/** Returns the whole icicle, or the untrimmed frames below the zoomed one once they are loaded. */
export function useDetail(
  whole: Resource<AnsweredTree>,
  zoom: string,
  load: (zoomPath: readonly string[], asking: Asking) => Promise<AnsweredTree>,
  refreshing: Refreshing,
): Resource<AnsweredTree> {
  const { value: tree, valueKey } = whole;
  const texts = useMemo(() => tree && new TreeTexts(tree), [tree]);
  const names = useMemo(
    () => (tree && texts && hasDetail(tree) ? zoomNames(tree, zoom, texts) : []),
    [tree, texts, zoom],
  );
  const detailKey = names.length === 0 ? undefined : key('detail', valueKey, names);
  const detail = useResource(detailKey, (asking) => load(names, asking), refreshing);
  const found = detail.valueKey === detailKey ? detail.value : undefined;
  const placed = useMemo(
    () => found && tree && texts && placeDetail(found, found.zoomedFrames, tree, zoom, texts),
    [found, tree, texts, zoom],
  );
  // While newer details are loading, the last ones stay.
  const shown = useRef<{ readonly topic: string; readonly tree: AnsweredTree } | undefined>(
    undefined,
  );
  const isComing = detailKey !== undefined && found === undefined && detail.pending !== undefined;
  const before = shown.current?.topic === refreshing.topic ? shown.current.tree : undefined;
  const value = placed ?? (isComing ? before : undefined) ?? tree;
  if (placed !== undefined) shown.current = { topic: refreshing.topic, tree: placed };
  if (!isIdle(whole)) return { ...whole, value };
  const { pending, cancelledAfter, cancel, repeat } = detail;
  return { ...whole, value, pending, cancelledAfter, cancel, repeat };
}

/** Details do not fit a diff, where the width of a frame depends on everything below it. */
function hasDetail(tree: Tree): boolean {
  return tree.trimmed > 0n && tree.base === undefined;
}
