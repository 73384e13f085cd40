// Provides all actions in the graph: movements, the menu, and their shortcuts.
import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { IcicleHandle } from '../canvas/icicle.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useEscape } from '../page/keys.ts';
import { keyName, opensMenu } from '../parts/context-menu.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { useFrameMenu } from './icicle-menu.ts';
import { type PlacedFrame, useResetKey } from './icicle-state.ts';
import type { IcicleModel } from './use-icicle.ts';
import type { Pointing } from './use-pointing.ts';
import { useZoom } from './use-zoom.ts';

/** Actions of the panel. */
export type IcicleActions = ReturnType<typeof useIcicleActions>;

/** Returns the actions, and `spoken`: a sentence about the last action for screen readers. */
export function useIcicleActions(
  icicle: IcicleModel,
  pointing: Pointing,
  edits: StageEdits,
  handle: RefObject<IcicleHandle | null>,
) {
  const { explore, tree, texts, scene, search, context, sentenceOf } = icicle;
  const { cursor, setCursor } = icicle;
  const { url } = useApp();
  const { state } = usePlace();
  const [spoken, say] = useState('');
  const reveal = (row: number) => handle.current?.reveal(row);
  const { result } = search;
  const zoom = useZoom({ scene, texts, result, setCursor, describeRow: sentenceOf, reveal, say });
  const { zoomTo, zoomOut, goToMatch } = zoom;
  const reset = () => zoomTo(0);
  const placeFrame = (row: number): PlacedFrame => {
    const box = handle.current?.rowBox(row);
    return { tree, texts, row, x: box?.x ?? 0, y: box?.bottom ?? 0 };
  };
  const { pinned, setPinned } = pointing;
  const togglePin = (row: number) => {
    if (pinned !== undefined) setPinned(undefined);
    else {
      setPinned({ ...placeFrame(row), context });
      say(`Pinned ${sentenceOf(row)}`);
    }
  };
  const makeGroups = useFrameMenu({ explore, edits, tree, texts, zoomTo, togglePin, say });
  const openMenu = (place: PlacedFrame) => {
    pointing.pointed.set(undefined);
    setCursor(place.row);
    pointing.setMenu(place);
  };
  useResetKey(reset);
  useEscape('open', () => {
    setPinned(undefined);
    return pinned !== undefined;
  });
  useEscape('set', () => {
    if (state.search !== '') url.change({ search: '' }, 'adjust');
    else if (state.highlighted !== '') url.change({ highlighted: '' }, 'adjust');
    else zoomOut();
    return true;
  });
  const keys: ReadonlyMap<string, () => void> = new Map([
    ...makeGroups(cursor)
      .flat()
      .map(({ key, run }) => [key, run] as const),
    ['t', () => togglePin(pointing.hover?.row ?? cursor)],
    ['Backspace', zoomOut],
    ['n', () => goToMatch(1)],
    ['N', () => goToMatch(-1)],
  ]);
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const action = opensMenu(event)
      ? () => openMenu(placeFrame(cursor))
      : (keys.get(keyName(event)) ?? keys.get(event.key));
    action?.();
    return action !== undefined;
  };
  return { ...zoom, reset, groupsOf: makeGroups, openMenu, onKey, spoken };
}
