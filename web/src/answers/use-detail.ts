// Loads more frames below the zoomed frame if the server trimmed the graph.
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
 * Returns the complete graph, or the untrimmed frames below the zoomed frame once they are loaded.
 * If these are trimmed, too, further details are loaded for a frame in the details.
 */
export function useDetail(
  whole: Resource<AnsweredTree>,
  zoom: string,
  load: (zoomPath: readonly string[], asking: Asking) => Promise<AnsweredTree>,
  refreshing: Refreshing,
): Resource<AnsweredTree> {
  const { value: tree, valueKey } = whole;
  // Details of an ancestor of the zoomed frame, if the complete graph does not contain that
  // ancestor.
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
  // The previous details remain visible while newer details are loading.
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

/** Details, and the key of the graph that they belong to. */
interface Details {
  readonly valueKey: string | undefined;
  readonly tree: AnsweredTree;
}

/** A tree that contains the zoomed frame, and the path of names to it. */
interface Source {
  readonly tree: AnsweredTree;
  readonly texts: TreeTexts;
  readonly names: readonly string[];
}

/**
 * Follows the zoom path in the graph and in the details, and returns the position that is deeper.
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

/** Returns true if at least this number of levels of the zoom path exists in a tree. */
function leadsTo(tree: Tree | undefined, zoom: string, levels: number): boolean {
  return tree !== undefined && zoomNames(tree, zoom, new TreeTexts(tree)).length >= levels;
}

/**
 * Returns true if a tree was trimmed and can have details. A diff cannot, because the width of its
 * frames depends on all frames below them.
 */
function hasDetail(tree: Tree): boolean {
  return tree.trimmed > 0n && tree.base === undefined;
}
