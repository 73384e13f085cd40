// Loads the icicle in full detail below the zoomed frame, if the server trimmed the whole graph.
import { useEffect, useMemo, useRef, useState } from 'react';
import { isIdle, type Refreshing, type Resource, useResource } from '../page/use-resource.ts';
import type { Asking } from '../rpc/asking.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';
import { placeDetail, zoomNames } from '../tree/zoom-path.ts';
import { key } from './refreshing.ts';

const noNames: readonly string[] = [];

/**
 * Returns the whole icicle, or the untrimmed frames below the zoomed one once they are loaded.
 * Frames far below half a pixel of the whole graph are reached through details of details.
 */
export function useDetail(
  whole: Resource<AnsweredTree>,
  zoom: string,
  load: (zoomPath: readonly string[], asking: Asking) => Promise<AnsweredTree>,
  refreshing: Refreshing,
): Resource<AnsweredTree> {
  const { value: tree, valueKey } = whole;
  // Details of a frame above the zoomed one, if the whole does not have that frame.
  const [above, setAbove] = useState<Details>();
  const source = useMemo(
    () => tree && deepest(tree, above?.valueKey === valueKey ? above?.tree : undefined, zoom),
    [tree, above, valueKey, zoom],
  );
  const names = source?.names ?? noNames;
  const detailKey = names.length === 0 ? undefined : key('detail', valueKey, names);
  const detail = useResource(detailKey, (asking) => load(names, asking), refreshing);
  const found = detail.valueKey === detailKey ? detail.value : undefined;
  const placed = useMemo(
    () =>
      found && source && placeDetail(found, found.zoomedFrames, source.tree, zoom, source.texts),
    [found, source, zoom],
  );
  const isOnTheWay = useMemo(() => leadsTo(placed, zoom, names.length + 1), [placed, zoom, names]);
  useEffect(() => {
    if (placed !== undefined && isOnTheWay) setAbove({ valueKey, tree: placed });
  }, [placed, isOnTheWay, valueKey]);
  // While newer details are loading, the previous ones stay.
  const shown = useRef<{ readonly topic: string; readonly tree: AnsweredTree } | undefined>(
    undefined,
  );
  const isComing = detailKey !== undefined && found === undefined && detail.pending !== undefined;
  const before = shown.current?.topic === refreshing.topic ? shown.current.tree : undefined;
  const value = (isComing || isOnTheWay ? before : undefined) ?? placed ?? source?.tree ?? tree;
  if (placed !== undefined && !isOnTheWay)
    shown.current = { topic: refreshing.topic, tree: placed };
  if (!isIdle(whole)) return { ...whole, value };
  const { pending, cancelledAfter, cancel, repeat } = detail;
  return { ...whole, value, pending, cancelledAfter, cancel, repeat };
}

/** Details, and the key of the whole icicle that they belong to. */
interface Details {
  readonly valueKey: string | undefined;
  readonly tree: AnsweredTree;
}

/** A tree that the details are placed in, and the names that lead to the zoomed frame there. */
interface Source {
  readonly tree: AnsweredTree;
  readonly texts: TreeTexts;
  readonly names: readonly string[];
}

/**
 * Follows the zoom path in the whole and in details, and returns the position that is further down.
 */
function deepest(
  whole: AnsweredTree,
  details: AnsweredTree | undefined,
  zoom: string,
): Source | undefined {
  if (!hasDetail(whole)) return undefined;
  const [first, second] = [whole, ...(details === undefined ? [] : [details])].map((tree) => {
    const texts = new TreeTexts(tree);
    return { tree, texts, names: zoomNames(tree, zoom, texts) };
  });
  return second !== undefined && second.names.length > first.names.length ? second : first;
}

/** Returns true if the zoom path has at least this number of levels in a tree. */
function leadsTo(tree: Tree | undefined, zoom: string, levels: number): boolean {
  return tree !== undefined && zoomNames(tree, zoom, new TreeTexts(tree)).length >= levels;
}

/**
 * Returns true if a tree was trimmed and may have details. A diff may not: the width of its frames
 * depends on everything below them.
 */
function hasDetail(tree: Tree): boolean {
  return tree.trimmed > 0n && tree.base === undefined;
}
