// The callers of a sandwich: every way to the function, as a graph on its head.
import { type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { refreshingOf } from '../answers/refreshing.ts';
import { useDetail } from '../answers/use-detail.ts';
import { type Explore, scaleOf, trimPercent } from '../answers/use-explore.ts';
import { Icicle, type IcicleHandle } from '../canvas/icicle.tsx';
import { rowHeightCss, type Scene } from '../canvas/painter.ts';
import { equalViews, type View, wholeView } from '../canvas/view.ts';
import { formatRate } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import type { Gesture } from '../language/gestures.ts';
import { callersQuery, editCallers, sandwichOf, withoutSandwich } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { Store, useStore } from '../page/store.ts';
import { ContextMenu, keyOf, type MenuAction, opensMenu } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import { fileOfFrame, linesEntry } from '../parts/lines-entry.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import '../styles/callers.css';
import { ownCode } from '../tree/kind.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { depthCount, depthOf, type Tree } from '../tree/tree.ts';
import { walk } from '../tree/walk.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';
import type { FrameContext } from './frame-facts.ts';
import { PointedTooltip } from './frame-tooltip.tsx';
import {
  frameGestures,
  highlightedNameOf,
  namesOf,
  type PlacedFrame,
  type PointedFrame,
  useColours,
  useCursor,
  useDiffSteps,
  viewOf,
} from './icicle-state.ts';
import { useSearch } from './use-search.ts';

interface CallersGraphProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  /** The function whose callers are shown. */
  readonly callee: string;
  /** The tree of what it calls, which decides what colours mean. */
  readonly grouping: Tree;
  readonly handle: RefObject<IcicleHandle | null>;
  /** Takes the frame that is pointed at, or that has the focus. */
  readonly onDetail: (
    frame: { readonly context: FrameContext; readonly row: number } | undefined,
  ) => void;
  /** Called when the cursor leaves the graph on the side of the callee. */
  readonly onLeave: () => void;
}

/** Returns the function of a final `sandwich`. */
export function calleeOf(query: string): string | undefined {
  return sandwichOf(query);
}

/** Stands on the side of the root; asks for all callers, and in detail for those that are zoomed to. */
export function CallersGraph(props: CallersGraphProps) {
  const { explore, callee } = props;
  const { base, trees } = useApp();
  const { state } = usePlace();
  const { selectedSpan: span, measure } = explore;
  const query = callersQuery(explore.query) ?? explore.query;
  const { order, callersZoom } = state;
  const scale = scaleOf(query, state.scale, measure);
  const refreshing = refreshingOf({ ...explore, query }, state, explore.isQuiet);
  const asked = { base, query, span, order, scale };
  const load = (zoomPath: readonly string[], asking: Parameters<typeof trees.load>[1]) =>
    trees.load({ ...asked, rootTrimPercent: trimPercent(), zoomPath }, asking);
  const whole = useResource(
    JSON.stringify(['callers', query, span, order, scale]),
    (asking) => load([], asking),
    refreshing(order, scale),
  );
  const { value: tree, pending } = useDetail(
    whole,
    callersZoom,
    load,
    refreshing(order, scale, callersZoom),
  );
  const depths = tree === undefined ? 0 : depthCount(tree) - hiddenDepths(tree);
  return (
    <section
      className="callers-graph"
      aria-label={`Callers of ${callee}`}
      aria-busy={pending !== undefined}
      style={{ flex: `0 0 ${Math.max(1, depths) * rowHeightCss}px` }}
    >
      {tree !== undefined && depths === 0 && (
        <p className="hint">Nothing calls {callee}: its stacks begin with it.</p>
      )}
      {tree !== undefined && depths > 0 && <AnsweredCallers {...props} tree={tree} />}
    </section>
  );
}

/** The root and the callee, which the other graph shows; rows of labels stay. */
function hiddenDepths(tree: Tree): number {
  return tree.childCount[0] === 1 ? 2 : 1;
}

function AnsweredCallers(props: CallersGraphProps & { readonly tree: AnsweredTree }) {
  const { explore, edits, callee, grouping, handle, onDetail, onLeave, tree } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const texts = useMemo(() => new TreeTexts(tree), [tree]);
  const hidden = hiddenDepths(tree);
  const [free, setFree] = useState<{ readonly zoom: string; readonly view: View }>();
  const [pointed] = useState(() => new Store<PointedFrame | undefined>(undefined));
  const hover = useStore(pointed)?.hit;
  const [menu, setMenu] = useState<PlacedFrame>();
  const [at, setCursor] = useCursor(tree, texts);
  const cursor = depthOf(tree, at) < hidden ? nearest(tree, at, hidden) : at;
  const { row: zoomRow } = useMemo(
    () => resolvePath(tree, state.callersZoom, texts),
    [tree, texts, state.callersZoom],
  );
  const { palette, hueOfName } = useColours(tree, grouping, state.colour);
  const steps = useDiffSteps(tree, explore.measure);
  const { result } = useSearch(tree, state.search, state.searchMode);
  const view = free?.zoom === state.callersZoom ? free.view : viewOf(tree, zoomRow, undefined);
  const scene: Scene = {
    ...{ tree, view, palette, hueOfName, steps, zoomRow },
    hit: result?.hit,
    highlightedNames: useMemo(
      () => (state.mine ? namesOf(tree.groups.kind, ownCode) : undefined),
      [tree, state.mine],
    ),
    // On the other side of the callee than what it calls.
    isFlipped: state.graph !== 'flame',
    hiddenDepths: hidden,
    nameAt: texts.name,
  };
  const context: FrameContext = {
    ...{ tree, texts, zoomRow },
    measure: explore.measure,
    coverage: explore.coverage,
    baseSide: tree.baseSide,
    isInverted: true,
  };
  const zoomTo = (row: number) => {
    setCursor(row);
    setFree(undefined);
    const callersZoom = depthOf(tree, row) < hidden ? '' : printPath(tree, row, texts);
    url.change({ callersZoom }, 'step');
  };
  const zoomOut = () => {
    if (free !== undefined) setFree(undefined);
    else if (zoomRow > 0) zoomTo(tree.parent[zoomRow]);
  };
  const nameOf = (row: number) => texts.name(tree.name[row]);
  const ofCaller = ({ edit, ...gesture }: Gesture): MenuAction =>
    edits.entryOf({
      ...gesture,
      edit: (query, stages) => editCallers(query, (rest) => edit(rest, stages)),
    });
  const groupsOf = (row: number): MenuAction[][] => [
    [
      { key: 'Enter', label: 'Zoom here', run: () => zoomTo(row) },
      {
        key: 'w',
        label: 'Highlight this function everywhere',
        run: () => {
          const name = nameOf(row);
          url.change({ highlighted: state.highlighted === name ? '' : name }, 'adjust');
        },
      },
      {
        key: '*',
        label: 'Search this name',
        run: () => url.change({ search: nameOf(row), searchMode: 'text' }, 'adjust'),
      },
      ...linesEntry(fileOfFrame(tree, texts, row), url),
    ],
    frameGestures(tree, texts, row).map(ofCaller),
  ];
  const openMenu = (row: number, x: number, y: number) => {
    pointed.set(undefined);
    setCursor(row);
    setMenu({ tree, texts, row, x, y });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (opensMenu(event)) {
      const box = handle.current?.boxOf(cursor);
      openMenu(cursor, box?.x ?? 0, box?.bottom ?? 0);
      return true;
    }
    if (event.key === 'Backspace') zoomOut();
    else {
      const key = keyOf(event);
      const action = groupsOf(cursor)
        .flat()
        .find((entry) => entry.key === key || entry.key === event.key);
      if (action === undefined) return false;
      action.run();
    }
    return true;
  };
  const rateOf = (value: bigint) => formatRate(value, explore.measure, explore.coverage);
  // The sandwich has cut its callers off: they are in the stacks before it.
  const before = { ...explore, query: withoutSandwich(explore.query) };
  const cut = tree.total > 0n ? Number(tree.trimmed) / Number(tree.total) : 0;
  const menuRow = menu?.tree === tree ? menu.row : undefined;
  return (
    <div
      className="callers-answer"
      onFocus={() => onDetail({ context, row: cursor })}
      onBlur={() => onDetail(undefined)}
    >
      <Icicle
        scene={scene}
        texts={texts}
        label={`Callers of ${callee}, ${tree.count - 1} frames${
          cut > 0 ? `, ${formatPercent(cut)} cut` : ''
        }`}
        cursor={cursor}
        hover={hover?.row}
        highlighted={highlightedNameOf(texts, state.highlighted, hover, tree)}
        rateOf={rateOf}
        selfWord="outermost"
        handle={handle}
        onCursor={(row) => {
          if (depthOf(tree, row) < hidden) return onLeave();
          setCursor(row);
          onDetail({ context, row });
        }}
        onHover={(hit, x) => {
          pointed.set(hit && { tree, texts, row: hit.row, hit, x, y: 0 });
          onDetail(hit && { context, row: hit.row });
        }}
        onClick={({ row }, isTouch) => {
          setCursor(row);
          if (isTouch && row !== cursor) return;
          if (row === zoomRow && free === undefined) zoomOut();
          else zoomTo(row);
        }}
        onMenu={({ row }, x, y) => openMenu(row, x, y)}
        onView={(next) =>
          setFree(equalViews(next, wholeView) ? undefined : { zoom: state.callersZoom, view: next })
        }
        onKey={onKey}
      />
      {menu === undefined && (
        <PointedTooltip {...{ store: pointed, context, handle }} explore={before} />
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
            handle.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** The widest row below `row` that is drawn. */
function nearest(tree: Tree, row: number, hidden: number): number {
  let at = row;
  while (depthOf(tree, at) < hidden) {
    const next = walk(tree, at, 'down');
    if (next === at) return at;
    at = next;
  }
  return at;
}
