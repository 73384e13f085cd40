// A graph next to the main one, with its cursor, search, menu and keys: callers, lanes of time.
import { type KeyboardEvent, type Ref, useMemo, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { Icicle, type IcicleHandle } from '../canvas/icicle.tsx';
import type { Scene } from '../canvas/painter.ts';
import type { View } from '../canvas/view.ts';
import { formatRate } from '../format/measure.ts';
import type { Gesture } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded, useSideWords } from '../page/hooks.ts';
import { Store, useStore } from '../page/store.ts';
import { ContextMenu, keyOf, type MenuAction, opensMenu } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import { ownCode } from '../tree/kind.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { depthOf, type Tree } from '../tree/tree.ts';
import { walk } from '../tree/walk.ts';
import { type FrameContext, selfWord } from './frame-facts.ts';
import {
  frameEntries,
  frameGestures,
  highlightedNameOf,
  namesOf,
  type PlacedFrame,
  type PointedFrame,
  useColours,
  useCursor,
} from './icicle-state.ts';

/** A frame for the line of details. */
export interface DetailedFrame {
  readonly context: FrameContext;
  readonly row: number;
}

interface SideGraphProps {
  readonly explore: Explore;
  readonly tree: Tree;
  readonly texts: TreeTexts;
  readonly label: string;
  /** The tree that decides what colours mean. */
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
  readonly entryOf: (gesture: Gesture) => MenuAction;
  readonly onZoom: (row: number) => void;
  readonly onZoomOut: () => void;
  readonly onView: (view: View) => void;
  readonly onDetail: (frame: DetailedFrame | undefined) => void;
  /** Called when the cursor goes to a depth that is not drawn. */
  readonly onLeave: () => void;
}

/** The graph, which fills its container. A click zooms in; on the zoomed frame it zooms out. */
export function SideGraph(props: SideGraphProps) {
  const { explore, tree, texts, grouping, view, zoomRow, hiddenDepths, onDetail } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const tooltip = useLoaded(() => import('./frame-tooltip.tsx'));
  const own = useRef<IcicleHandle>(null);
  const [pointed] = useState(() => new Store<PointedFrame | undefined>(undefined));
  const hover = useStore(pointed)?.hit;
  const [menu, setMenu] = useState<PlacedFrame>();
  const [at, setCursor] = useCursor(tree, texts);
  const cursor = drawnBelow(tree, at, hiddenDepths);
  const { palette, hueOfName } = useColours(tree, grouping, state.colour);
  const highlightedNames = useMemo(
    () => (state.mine ? namesOf(tree.groups.kind, ownCode) : undefined),
    [tree, state.mine],
  );
  const { hit, steps, isFlipped } = props;
  const scene: Scene = useMemo(
    () => ({
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
    }),
    [
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
      texts,
    ],
  );
  const { before: baseWord } = useSideWords(explore.query);
  const context: FrameContext = {
    tree,
    texts,
    zoomRow,
    baseWord,
    steps,
    measure: explore.measure,
    coverage: explore.coverage,
    baseSide: props.baseSide,
    isInverted: props.isInverted,
  };
  const nameOf = (row: number) => texts.name(tree.name[row]);
  const zoomTo = (row: number) => {
    setCursor(row);
    props.onZoom(row);
  };
  const groupsOf = (row: number): MenuAction[][] => [
    frameEntries({ tree, texts, row }, url, zoomTo),
    frameGestures(tree, texts, row).map(props.entryOf),
  ];
  const openMenu = (row: number, x: number, y: number) => {
    pointed.set(undefined);
    setCursor(row);
    setMenu({ tree, texts, row, x, y });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const key = keyOf(event);
    const entries = groupsOf(cursor).flat();
    const action = entries.find((entry) => entry.key === key || entry.key === event.key);
    if (opensMenu(event)) {
      const box = own.current?.boxOf(cursor);
      openMenu(cursor, box?.x ?? 0, box?.bottom ?? 0);
    } else if (event.key === 'Backspace') props.onZoomOut();
    else if (action === undefined) return false;
    else action.run();
    return true;
  };
  const menuRow = menu?.tree === tree ? menu.row : undefined;
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
        highlighted={highlightedNameOf(texts, state.highlighted, hover, tree)}
        rateOf={(value) => formatRate(value, explore.measure, explore.coverage)}
        selfWord={selfWord(context)}
        handle={setHandle}
        onCursor={(row) => {
          if (depthOf(tree, row) < hiddenDepths) return props.onLeave();
          setCursor(row);
          onDetail({ context, row });
        }}
        onHover={(found, x) => {
          pointed.set(found && { tree, texts, row: found.row, hit: found, x, y: 0 });
          onDetail(found && { context, row: found.row });
        }}
        onClick={({ row }, isTouch) => {
          setCursor(row);
          // The first tap shows what a frame is, the second zooms to it.
          if (isTouch && row !== cursor) return;
          if (row === zoomRow) props.onZoomOut();
          else zoomTo(row);
        }}
        onMenu={({ row }, x, y) => openMenu(row, x, y)}
        onView={props.onView}
        onKey={onKey}
      />
      {menu === undefined && tooltip && (
        <tooltip.PointedTooltip store={pointed} handle={own} context={context} explore={explore} />
      )}
      {menu !== undefined && menuRow !== undefined && (
        <ContextMenu
          title={nameOf(menuRow)}
          heading={<FunctionName name={nameOf(menuRow)} wraps />}
          groups={groupsOf(menuRow)}
          x={menu.x}
          y={menu.y}
          onClose={() => {
            setMenu(undefined);
            own.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Returns the row, or the widest frame below it that is drawn. */
function drawnBelow(tree: Tree, row: number, hiddenDepths: number): number {
  let at = row;
  while (depthOf(tree, at) < hiddenDepths) {
    const next = walk(tree, at, 'down');
    if (next === at) return at;
    at = next;
  }
  return at;
}
