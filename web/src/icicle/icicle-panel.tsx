// The icicle with everything around it: trail, search, ruler, detail line, legend, states.
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { Icicle, type IcicleHandle } from '../canvas/icicle.tsx';
import { frameSentence } from '../canvas/twin.tsx';
import { equalViews, wholeView } from '../canvas/view.ts';
import { formatRate } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { searchStage } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded, useSideWords } from '../page/hooks.ts';
import { useEscape } from '../page/keys.ts';
import { Store, useStore } from '../page/store.ts';
import { ContextMenu, keyOf, opensMenu } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { depthCount, type GroupMode, type Tree } from '../tree/tree.ts';
import { ColourLegend, DiffLegend } from './colour-legend.tsx';
import { DetailLine } from './frame-detail.tsx';
import { type FrameContext, selfWord } from './frame-facts.ts';
import { HitRuler } from './hit-ruler.tsx';
import { useFrameMenu } from './icicle-menu.ts';
import {
  highlightedNameOf,
  type PlacedFrame,
  type PointedFrame,
  useCursor,
  useResetKey,
  useRowOf,
} from './icicle-state.ts';
import { IcicleToolbar } from './icicle-toolbar.tsx';
import { LoadedCallTree, LoadedFlameChart, LoadedMinimap, LoadedNoData } from './loaded-parts.tsx';
import { groupShares } from './self-shares.ts';
import type { DetailedFrame } from './side-graph.tsx';
import { useScene } from './use-scene.ts';
import { useSearch } from './use-search.ts';
import { useZoom } from './use-zoom.ts';

/** A pinned frame, with the facts that are shown while later answers lack it. */
interface PinnedFrame extends PlacedFrame {
  readonly context: FrameContext;
}

interface IciclePanelProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly searchInput: RefObject<HTMLInputElement | null>;
  readonly onQuery: (query: string) => void;
}

/** The panel; before the first answer only its states. */
export function IciclePanel(props: IciclePanelProps) {
  const { icicle } = props.explore;
  return (
    <section
      className="panel icicle-panel"
      aria-label="Icicle graph"
      aria-busy={icicle.pending !== undefined}
      data-quiet={icicle.pending?.isQuiet === true ? '' : undefined}
      data-query={icicle.valueKey}
    >
      {icicle.value === undefined ? (
        <div className="icicle-empty" />
      ) : (
        <AnsweredIcicle {...props} tree={icicle.value} />
      )}
      <PanelState resource={icicle} what="the graph" />
    </section>
  );
}

function AnsweredIcicle(props: IciclePanelProps & { readonly tree: AnsweredTree }) {
  const { explore, edits, tree, searchInput, onQuery } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const callers = useLoaded(() => import('./callers-graph.tsx'));
  const texts = useMemo(() => new TreeTexts(tree), [tree]);
  const search = useSearch(tree, state.search, state.searchMode);
  const [highlightedGroup, setHighlightedGroup] = useState<string>();
  const [spoken, setSpoken] = useState('');
  const [pointed] = useState(() => new Store<PointedFrame | undefined>(undefined));
  const pointedNow = useStore(pointed);
  const hover = pointedNow?.tree === tree ? pointedNow.hit : undefined;
  const [menu, setMenu] = useState<PlacedFrame>();
  const [pinned, setPinned] = useState<PinnedFrame>();
  /** The frame under the pointer in another graph: of callers, or of a lane. */
  const [aside, setAside] = useState<DetailedFrame>();
  const menuRow = useRowOf(menu, tree, texts);
  const pinnedRow = useRowOf(pinned, tree, texts);
  const handle = useRef<IcicleHandle>(null);
  const callersHandle = useRef<IcicleHandle>(null);
  const tooltip = useLoaded(() => import('./frame-tooltip.tsx'));
  const callee = state.graph === 'chart' ? undefined : callers?.calleeOf(explore.query);
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
  const { view, palette, steps, zoomRow } = scene;
  const whole = explore.whole ?? tree;
  const shares = useShares(explore, whole, mode);
  // The cursor follows when Back, a link or the list has zoomed, or details have come.
  useEffect(() => setCursor(zoomRow), [state.zoom, missing]);

  const rateOf = (value: bigint) => formatRate(value, explore.measure, explore.coverage);
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

  const sentenceOf = (row: number) =>
    frameSentence({ tree, texts, rateOf, steps, selfWord: selfWord(context) }, row);
  const { matchIndex, zoomTo, zoomOut, goToMatch, showView } = useZoom({
    scene,
    texts,
    result: search.result,
    setCursor,
    sentenceOf,
    reveal: (row) => handle.current?.reveal(row),
    say: setSpoken,
  });
  const reset = () => zoomTo(0);
  const nameOf = (row: number) => texts.name(tree.name[row]);
  const placeOf = (row: number): PlacedFrame => {
    const box = handle.current?.boxOf(row);
    return { tree, texts, row, x: box?.x ?? 0, y: box?.bottom ?? 0 };
  };
  const togglePin = (row: number) => {
    if (pinned !== undefined) setPinned(undefined);
    else {
      setPinned({ ...placeOf(row), context });
      setSpoken(`Pinned ${sentenceOf(row)}`);
    }
  };
  const groupsOf = useFrameMenu({ explore, edits, tree, texts, zoomTo, togglePin, say: setSpoken });
  const openMenu = (place: PlacedFrame) => {
    pointed.set(undefined);
    setCursor(place.row);
    setMenu(place);
  };
  const actions: ReadonlyMap<string, () => void> = new Map([
    ...groupsOf(cursor)
      .flat()
      .map(({ key, run }) => [key, run] as const),
    ['t', () => togglePin(hover?.row ?? cursor)],
    ['Backspace', zoomOut],
    ['n', () => goToMatch(1)],
    ['N', () => goToMatch(-1)],
  ]);
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
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const action = opensMenu(event)
      ? () => openMenu(placeOf(cursor))
      : (actions.get(keyOf(event)) ?? actions.get(event.key));
    action?.();
    return action !== undefined;
  };
  const detailed = aside ?? { context, row: hover?.row ?? cursor };
  const callersGraph = callers && callee !== undefined && (
    <callers.CallersGraph
      explore={explore}
      edits={edits}
      callee={callee}
      grouping={whole}
      handle={callersHandle}
      onDetail={setAside}
      onLeave={() => handle.current?.focus()}
    />
  );
  const whatIsShown = `${explore.profileType}, ${rateOf(tree.total) ?? ''}, ${plural(tree.count, 'frame')}`;

  return (
    <>
      <IcicleToolbar
        measure={explore.measure}
        tree={tree}
        texts={texts}
        zoomRow={zoomRow}
        missing={missing}
        search={search}
        isCut={whole.trimmed > 0n}
        found={explore.found}
        matchIndex={matchIndex}
        onZoom={zoomTo}
        onReset={reset}
        onMatch={goToMatch}
        searchInput={searchInput}
        onFilter={(text, action) => {
          const stage = searchStage(text, state.searchMode, action);
          edits.apply((query, { appendStage }) => appendStage(query, stage), { search: '' });
        }}
      />
      {!scene.isFlipped && callersGraph}
      {state.graph === 'chart' ? (
        <LoadedFlameChart explore={explore} edits={edits} grouping={whole} onDetail={setAside} />
      ) : state.graph === 'tree' ? (
        <LoadedCallTree
          context={context}
          palette={palette}
          cursor={cursor}
          hit={hit}
          handle={handle}
          onKey={onKey}
          query={explore.query}
          label={`Call tree of ${whatIsShown}`}
          highlighted={highlightedNameOf(texts, state.highlighted, undefined, tree)}
          isPercent={state.unit === 'percent'}
          onCursor={setCursor}
          onZoom={zoomTo}
          onMenu={(row, x, y) => openMenu({ tree, texts, row, x, y })}
        />
      ) : (
        <>
          <HitRuler tree={tree} result={hit && search.result} view={view} colour={palette.cursor} />
          <Icicle
            scene={scene}
            texts={texts}
            label={`${scene.isFlipped ? 'Flame graph' : 'Icicle'} of ${whatIsShown}`}
            cursor={cursor}
            hover={hover?.row}
            highlighted={highlightedNameOf(texts, state.highlighted, hover, tree)}
            rateOf={rateOf}
            selfWord={selfWord(context)}
            handle={handle}
            onCursor={(row) => {
              // The row above the callee belongs to the graph of its callers.
              if (callee !== undefined && row === 0) callersHandle.current?.focus();
              else setCursor(row);
            }}
            onHover={(found, x) =>
              pointed.set(found && { tree, texts, row: found.row, hit: found, x, y: 0 })
            }
            onClick={({ row }, isTouch) => {
              setCursor(row);
              // The first tap describes a frame, the second zooms to it.
              if (isTouch && row !== cursor) return;
              if (row === zoomRow && state.view === undefined) zoomOut();
              else zoomTo(row);
            }}
            onMenu={({ row }, x, y) => openMenu({ tree, texts, row, x, y })}
            onView={showView}
            onKey={onKey}
          />
          {!equalViews(view, wholeView) && <LoadedMinimap scene={scene} onView={showView} />}
        </>
      )}
      {scene.isFlipped && callersGraph}
      {tree.total === 0n && <LoadedNoData explore={explore} tree={tree} onQuery={onQuery} />}
      <DetailLine {...detailed} />
      <div className="icicle-foot">
        {steps === undefined ? (
          <ColourLegend
            shares={shares}
            mode={mode}
            palette={palette}
            edits={edits}
            onHighlight={setHighlightedGroup}
          />
        ) : (
          <DiffLegend palette={palette} baseWord={baseWord} tree={tree} />
        )}
        <StatusLine tree={tree} millis={explore.icicle.millis} />
      </div>
      {pinned !== undefined && tooltip ? (
        <tooltip.PinnedDetails
          explore={explore}
          context={pinnedRow === undefined ? pinned.context : context}
          row={pinnedRow ?? pinned.row}
          isGone={pinnedRow === undefined}
          x={pinned.x}
          y={pinned.y}
          onClose={() => {
            setPinned(undefined);
            handle.current?.focus();
          }}
        />
      ) : (
        menuRow === undefined &&
        tooltip && (
          <tooltip.PointedTooltip
            store={pointed}
            context={context}
            explore={explore}
            handle={handle}
          />
        )
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
      <div className="visually-hidden" aria-live="polite">
        {spoken}
      </div>
    </>
  );
}

/** Returns self shares, which come from the function list if the icicle is trimmed or inverted. */
function useShares(explore: Explore, whole: Tree, mode: GroupMode) {
  const needsTop = whole.trimmed > 0n || explore.isInverted;
  const top = needsTop ? explore.top.value : undefined;
  return useMemo(
    () => (needsTop && top === undefined ? undefined : groupShares(whole, mode, top)),
    [needsTop, top, whole, mode],
  );
}

function StatusLine({ tree, millis }: { readonly tree: Tree; readonly millis: number }) {
  const share = tree.total > 0n ? Number(tree.trimmed) / Number(tree.total) : 0;
  return (
    <span className="status-line hint">
      {share > 0 && <span>{formatPercent(share)} cut: frames too narrow to see</span>}
      <span className="wide-only">
        {plural(tree.count - 1, 'frame')}, {depthCount(tree) - 1} deep
      </span>
      <span className="wide-only">
        {Math.round(millis)}
        {'\u202f'}ms
      </span>
    </span>
  );
}
