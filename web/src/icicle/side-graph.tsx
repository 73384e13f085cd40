// Graph next to the main graph, with its own cursor, search, menu and keys: callers, or a lane of
// the flame chart.
import { type KeyboardEvent, type Ref, type RefObject, useMemo, useRef } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { Icicle, type IcicleHandle } from '../canvas/icicle.tsx';
import type { Scene } from '../canvas/frame-painter.ts';
import type { View } from '../canvas/view.ts';
import { formatRate } from '../format/measure.ts';
import type { Gesture } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded, useSideWords } from '../page/hooks.ts';
import { ContextMenu, keyName, type MenuAction, opensMenu } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import { brightNames } from '../tree/dimming.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { findDepth, type Tree } from '../tree/tree.ts';
import { walk } from '../tree/walk.ts';
import { type FrameContext, selfWord } from './frame-facts.ts';
import {
  frameEntries,
  frameGestures,
  findHighlightedName,
  useColours,
  useCursor,
  useStableScene,
} from './icicle-state.ts';
import { type Pointing, usePointing } from './use-pointing.ts';

/** A frame for the line with details. */
export interface DetailedFrame {
  readonly context: FrameContext;
  readonly row: number;
}

interface SideGraphProps {
  readonly explore: Explore;
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly label: string;
  /** Tree that determines the colours. */
  readonly grouping: Tree;
  readonly hit: Uint8Array | undefined;
  readonly steps: Int8Array | undefined;
  readonly baseSide: AnswerSide | undefined;
  readonly view: View;
  readonly zoomRow: number;
  readonly isFlipped: boolean;
  readonly isInverted: boolean;
  readonly hiddenDepths: number;
  readonly handle?: Ref<IcicleHandle>;
  readonly toEntry: (gesture: Gesture) => MenuAction;
  readonly onZoom: (row: number) => void;
  readonly onZoomOut: () => void;
  readonly onView: (view: View) => void;
  readonly onDetail: (frame: DetailedFrame | undefined) => void;
  /** Called when the cursor moves to a hidden level. */
  readonly onLeave: () => void;
}

/**
 * The graph, which fills its container. A click zooms in; a click on the zoomed frame zooms out.
 */
export function SideGraph(props: SideGraphProps) {
  const { explore, tree, texts, zoomRow, hiddenDepths, onDetail } = props;
  const { state } = usePlace();
  const tooltip = useLoaded(() => import('./frame-tooltip.tsx'));
  const own = useRef<IcicleHandle>(null);
  const pointing = usePointing(tree, texts);
  const { pointed, hover } = pointing;
  const [at, setCursor] = useCursor(tree, texts);
  const cursor = drawnBelow(tree, at, hiddenDepths);
  const scene = useSideScene(props);
  const { before: baseWord } = useSideWords(explore.query);
  const context: FrameContext = {
    tree,
    texts,
    zoomRow,
    baseWord,
    steps: props.steps,
    measure: explore.measure,
    coverage: explore.coverage,
    baseSide: props.baseSide,
    isInverted: props.isInverted,
  };
  const actions = useSideActions(props, pointing, own, cursor, setCursor);
  const setHandle = (found: IcicleHandle | null): void => {
    own.current = found;
    const { handle } = props;
    if (typeof handle === 'function') handle(found);
    else if (handle) handle.current = found;
  };
  return (
    <div
      className="side-graph"
      onFocus={() => onDetail({ context, row: cursor })}
      onBlur={() => onDetail(undefined)}
    >
      <Icicle
        scene={scene}
        texts={texts}
        label={props.label}
        cursor={cursor}
        hover={hover?.row}
        highlighted={findHighlightedName(texts, state.highlighted, hover, tree)}
        formatRate={(value) => formatRate(value, explore.measure, explore.coverage)}
        selfWord={selfWord(context)}
        handle={setHandle}
        onCursor={(row) => {
          if (findDepth(tree, row) < hiddenDepths) return props.onLeave();
          setCursor(row);
          onDetail({ context, row });
        }}
        onHover={(found, x) => {
          pointed.set(found && { tree, texts, row: found.row, hit: found, x, y: 0 });
          onDetail(found && { context, row: found.row });
        }}
        onClick={({ row }, isTouch) => {
          setCursor(row);
          // The first tap describes a frame; the second tap zooms to it.
          if (isTouch && row !== cursor) return;
          if (row === zoomRow) props.onZoomOut();
          else actions.zoomTo(row);
        }}
        onMenu={({ row }, x, y) => actions.openMenu(row, x, y)}
        onView={props.onView}
        onKey={actions.onKey}
      />
      {pointing.menu === undefined && tooltip && (
        <tooltip.PointedTooltip store={pointed} handle={own} context={context} explore={explore} />
      )}
      <SideMenu {...props} pointing={pointing} menuGroups={actions.groupsOf} own={own} />
    </div>
  );
}

/** Returns the drawn graph. */
function useSideScene(props: SideGraphProps): Scene {
  const { tree, texts, grouping, view, hit, steps, zoomRow, isFlipped, hiddenDepths } = props;
  const { colour, mine, dimmed } = usePlace().state;
  const { palette, hueOfName } = useColours(tree, grouping, colour);
  const highlightedNames = useMemo(
    () => brightNames(tree.groups, { dimmed, mine }),
    [tree, dimmed, mine],
  );
  return useStableScene({
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
}

/** Returns the graph's movements, its menu, and the shortcuts. */
function useSideActions(
  props: SideGraphProps,
  pointing: Pointing,
  own: RefObject<IcicleHandle | null>,
  cursor: number,
  setCursor: (row: number) => void,
) {
  const { tree, texts } = props;
  const { url } = useApp();
  const zoomTo = (row: number) => {
    setCursor(row);
    props.onZoom(row);
  };
  const menuGroups = (row: number): MenuAction[][] => [
    frameEntries({ tree, texts, row }, url, zoomTo),
    frameGestures(tree, texts, row).map(props.toEntry),
  ];
  const openMenu = (row: number, x: number, y: number) => {
    pointing.pointed.set(undefined);
    setCursor(row);
    pointing.setMenu({ tree, texts, row, x, y });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = keyName(event);
    const entries = menuGroups(cursor).flat();
    const action = entries.find((entry) => entry.key === key || entry.key === event.key);
    if (opensMenu(event)) {
      const box = own.current?.rowBox(cursor);
      openMenu(cursor, box?.x ?? 0, box?.bottom ?? 0);
    } else if (event.key === 'Backspace') props.onZoomOut();
    else if (action === undefined) return false;
    else action.run();
    return true;
  };
  return { zoomTo, groupsOf: menuGroups, openMenu, onKey };
}

interface SideMenuProps extends Pick<SideGraphProps, 'tree' | 'texts'> {
  readonly pointing: Pointing;
  readonly menuGroups: (row: number) => MenuAction[][];
  readonly own: RefObject<IcicleHandle | null>;
}

/** Menu of a frame; a new answer closes it. */
function SideMenu({ tree, texts, pointing, menuGroups: groupsOf, own }: SideMenuProps) {
  const { menu, setMenu } = pointing;
  if (menu?.tree !== tree) return null;
  const name = texts.name(tree.name[menu.row]);
  return (
    <ContextMenu
      title={name}
      heading={<FunctionName name={name} wraps />}
      groups={groupsOf(menu.row)}
      x={menu.x}
      y={menu.y}
      onClose={() => {
        setMenu(undefined);
        own.current?.focus();
      }}
    />
  );
}

/** Returns the row itself, or the widest visible frame below it. */
function drawnBelow(tree: Tree, row: number, hiddenDepths: number): number {
  let at = row;
  while (findDepth(tree, at) < hiddenDepths) {
    const next = walk(tree, at, 'down');
    if (next === at) return at;
    at = next;
  }
  return at;
}
