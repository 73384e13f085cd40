// The icicle with everything around it: trail, search, ruler, detail line, legend, states.
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { Icicle, type IcicleHandle } from '../canvas/icicle.tsx';
import type { MinimapProps } from '../canvas/minimap.tsx';
import type { Scene } from '../canvas/painter.ts';
import { noteScene } from '../canvas/shown-scene.ts';
import { frameSentence } from '../canvas/twin.tsx';
import { clampView, equalViews, type View, wholeView } from '../canvas/view.ts';
import { formatRate } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { searchStage, stackGestures } from '../language/gestures.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded, useSideWords } from '../page/hooks.ts';
import { useEscape } from '../page/keys.ts';
import { Store, useStore } from '../page/store.ts';
import { ContextMenu, keyOf, type MenuAction, opensMenu } from '../parts/context-menu.tsx';
import { FunctionName } from '../parts/function-name.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import type { NoDataProps } from '../states/no-data.tsx';
import { PanelState } from '../states/panel-state.tsx';
import { ownCode } from '../tree/kind.ts';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { depthCount, type GroupMode, pathTo, type Tree } from '../tree/tree.ts';
import { frameAround } from '../tree/walk.ts';
import { printPath, resolvePath } from '../tree/zoom-path.ts';
import { fixedRange } from '../url/time-range.ts';
import type { CallTreeProps } from './call-tree.tsx';
import { ColourLegend, DiffLegend } from './colour-legend.tsx';
import { DetailLine } from './frame-detail.tsx';
import { type FrameContext, selfWord } from './frame-facts.ts';
import type { FlameChartPanelProps } from './flame-chart.tsx';
import { HitRuler } from './hit-ruler.tsx';
import {
  frameEntries,
  frameGestures,
  highlightedNameOf,
  namesOf,
  type PlacedFrame,
  type PointedFrame,
  useColours,
  useCursor,
  useDiffSteps,
  useResetKey,
  useRowOf,
  viewOf,
} from './icicle-state.ts';
import { IcicleToolbar } from './icicle-toolbar.tsx';
import { groupShares } from './self-shares.ts';
import type { DetailedFrame } from './side-graph.tsx';
import { useSearch } from './use-search.ts';

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
  const { state, route } = usePlace();
  const callers = useLoaded(() => import('./callers-graph.tsx'));
  const texts = useMemo(() => new TreeTexts(tree), [tree]);
  const search = useSearch(tree, state.search, state.searchMode);
  const [matchIndex, setMatchIndex] = useState<number>();
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
  const zoomed = useMemo(() => resolvePath(tree, state.zoom, texts), [tree, texts, state.zoom]);
  const [cursor, setCursor] = useCursor(tree, texts);
  const whole = explore.whole ?? tree;
  const { palette, grouping, mode, hueOfName } = useColours(tree, whole, state.colour);

  const steps = useDiffSteps(tree, explore.measure);
  const shares = useShares(explore, whole, mode);

  useEffect(() => setMatchIndex(undefined), [search.result]);
  // The cursor follows when Back, a link or the list has zoomed, or details have come.
  useEffect(() => setCursor(zoomed.row), [state.zoom, zoomed.missing]);

  const view = useMemo(() => viewOf(tree, zoomed.row, state.view), [tree, zoomed.row, state.view]);
  const highlightedNames = useMemo(() => {
    if (highlightedGroup !== undefined) return namesOf(grouping, highlightedGroup);
    return state.mine ? namesOf(tree.groups.kind, ownCode) : undefined;
  }, [tree, grouping, highlightedGroup, state.mine]);
  const hit = search.result?.hit;
  const scene: Scene = useMemo(
    () => ({
      tree,
      view,
      palette,
      hueOfName,
      steps,
      hit,
      highlightedNames,
      zoomRow: zoomed.row,
      isFlipped: state.graph === 'flame',
      hiddenDepths: callee === undefined ? 0 : 1,
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
      zoomed.row,
      state.graph,
      texts,
      callee,
    ],
  );
  useEffect(() => noteScene(scene), [scene]);
  const rateOf = (value: bigint) => formatRate(value, explore.measure, explore.coverage);
  const { before: baseWord } = useSideWords(explore.query);
  const context: FrameContext = {
    tree,
    texts,
    measure: explore.measure,
    coverage: explore.coverage,
    baseSide: tree.baseSide,
    baseWord,
    zoomRow: zoomed.row,
    isInverted: explore.isInverted,
  };

  const sentenceOf = (row: number) => frameSentence(tree, texts, row, rateOf, selfWord(context));
  const zoomTo = (row: number) => {
    setCursor(row);
    url.change({ zoom: printPath(tree, row, texts), view: undefined }, 'step');
    setSpoken(`Zoomed to ${sentenceOf(row)}`);
  };
  const reset = () => zoomTo(0);
  const zoomOut = () => {
    if (state.view !== undefined) url.change({ view: undefined }, 'step');
    else if (zoomed.row > 0) zoomTo(tree.parent[zoomed.row]);
  };
  const goToMatch = (step: 1 | -1) => {
    const rows = search.result?.rows;
    if (rows === undefined || rows.length === 0) return;
    const from = matchIndex ?? (step === 1 ? -1 : 0);
    const next = (from + step + rows.length) % rows.length;
    setMatchIndex(next);
    setCursor(rows[next]);
    handle.current?.reveal(rows[next]);
    const wide = tree.width[rows[next]] / (view.to - view.from);
    if (state.graph === 'tree' || state.graph === 'chart') return;
    if (wide < 0.002 || !isInView(tree, rows[next], view)) zoomAroundRow(rows[next]);
    setSpoken(`Match ${next + 1} of ${rows.length}: ${sentenceOf(rows[next])}`);
  };
  const zoomAroundRow = (row: number) => {
    const width = Math.min(1, tree.width[row] * 20);
    const next = clampView(tree.x[row] + tree.width[row] / 2 - width / 2, width);
    url.change({ view: [next.from, next.to] }, 'adjust');
  };
  const showView = (next: View, isRange = false) => {
    // Zooming to the frame around a range brings what the server left out of the range.
    const zoom = isRange ? printPath(tree, frameAround(tree, next), texts) : '';
    const free = equalViews(next, wholeView) ? undefined : ([next.from, next.to] as const);
    url.change({ view: free, zoom }, isRange ? 'step' : 'adjust');
  };
  const copy = async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setSpoken(`Copied ${what}`);
    } catch {
      setSpoken('The browser does not allow copying here');
    }
  };
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
  const linkTo = (row: number): string => {
    // The link names range and profile type, so it shows the same at any time.
    const there = {
      ...state,
      ...fixedRange(explore.span.from, explore.span.to),
      query: explore.query,
      zoom: printPath(tree, row, texts),
      view: undefined,
    };
    return new URL(url.hrefOf(route, there), location.href).href;
  };
  const stackOf = (row: number) => pathTo(tree, row).slice(1).map(nameOf).join('\n');
  const groupsOf = (row: number): MenuAction[][] => [
    [
      ...frameEntries({ tree, texts, row }, url, zoomTo),
      { key: 't', label: 'Pin the details', run: () => togglePin(row) },
    ],
    frameGestures(tree, texts, row).map(edits.entryOf),
    [...stackGestures.map(edits.entryOf), edits.split],
    [
      { key: 'y', label: 'Copy name', run: () => void copy(nameOf(row), 'name') },
      { key: 'Y', label: 'Copy stack', run: () => void copy(stackOf(row), 'stack') },
      { key: 'L', label: 'Copy link to this frame', run: () => void copy(linkTo(row), 'link') },
    ],
  ];
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
      {...{ explore, edits, callee }}
      grouping={whole}
      handle={callersHandle}
      onDetail={setAside}
      onLeave={() => handle.current?.focus()}
    />
  );
  const whatIsShown = `${explore.profileType}, ${rateOf(tree.total) ?? ''}, ${tree.count} frames`;

  return (
    <>
      <IcicleToolbar
        tree={tree}
        texts={texts}
        zoomRow={zoomed.row}
        missing={zoomed.missing}
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
        <LoadedFlameChart {...{ explore, edits }} grouping={whole} onDetail={setAside} />
      ) : state.graph === 'tree' ? (
        <LoadedCallTree
          {...{ context, palette, cursor, hit, handle, onKey }}
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
              if (row === zoomed.row && state.view === undefined) zoomOut();
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
      {tree.total === 0n && <NoDataLater explore={explore} tree={tree} onQuery={onQuery} />}
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
          <DiffLegend palette={palette} baseWord={baseWord} measure={explore.measure} />
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

/** The call tree, which is loaded when it is first shown. */
function LoadedCallTree(props: CallTreeProps) {
  const loaded = useLoaded(() => import('./call-tree.tsx'));
  return loaded === undefined ? <div className="icicle-empty" /> : <loaded.CallTree {...props} />;
}

/** The flame chart, which is loaded when it is first shown. */
function LoadedFlameChart(props: FlameChartPanelProps) {
  const loaded = useLoaded(() => import('./flame-chart.tsx'));
  return loaded ? <loaded.FlameChartPanel {...props} /> : <div className="icicle-empty" />;
}

/** The minimap, which is loaded with the first zoom. */
function LoadedMinimap(props: MinimapProps) {
  const loaded = useLoaded(() => import('../canvas/minimap.tsx'));
  return loaded && <loaded.Minimap {...props} />;
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

/**
 * The explanation of an empty answer, which is loaded with the first one, because they are rare.
 */
function NoDataLater(props: NoDataProps) {
  const noData = useLoaded(() => import('../states/no-data.tsx'));
  return noData && <noData.NoData {...props} />;
}

function StatusLine({ tree, millis }: { readonly tree: Tree; readonly millis: number }) {
  const share = tree.total > 0n ? Number(tree.trimmed) / Number(tree.total) : 0;
  return (
    <span className="status-line hint">
      {share > 0 && <span>{formatPercent(share)} cut: frames too narrow to see</span>}
      <span className="wide-only">
        {tree.count - 1} frames, {depthCount(tree) - 1} deep
      </span>
      <span className="wide-only">
        {Math.round(millis)}
        {'\u202f'}ms
      </span>
    </span>
  );
}

function isInView(tree: Tree, row: number, view: View): boolean {
  return tree.x[row] < view.to && tree.x[row] + tree.width[row] > view.from;
}
