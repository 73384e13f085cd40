// The icicle with everything around it: trail, search, ruler, detail line, legend, states.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { useApp, usePlace } from '../app-context.ts';
import { formatRate } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import type { Hit } from '../icicle/hit-test.ts';
import { Icicle } from '../icicle/icicle.tsx';
import type { IcicleHandle } from '../icicle/icicle.tsx';
import type { Scene } from '../icicle/painter.ts';
import { depthCount, pathTo } from '../icicle/tree.ts';
import type { Tree } from '../icicle/tree.ts';
import type { AnsweredTree } from '../icicle/tree-messages.ts';
import { TreeTexts } from '../icicle/tree-texts.ts';
import { frameSentence } from '../icicle/twin.tsx';
import { clampView, wholeView } from '../icicle/view.ts';
import type { View } from '../icicle/view.ts';
import { printPath, resolvePath } from '../icicle/zoom-path.ts';
import { useEscape } from '../parts/escape.ts';
import { Store, useStore } from '../parts/store.ts';
import { ColourLegend } from './colour-legend.tsx';
import { DiffLegend } from './diff-legend.tsx';
import { DetailLine, FrameTooltip, PinnedDetails } from './frame-detail.tsx';
import type { FrameContext } from './frame-detail.tsx';
import { FrameMenu } from './frame-menu.tsx';
import type { FrameAction } from './frame-menu.tsx';
import { useColours, useCursor, useDiffSteps, useResetKey } from './graph-state.ts';
import { GraphToolbar } from './graph-toolbar.tsx';
import { HitRuler } from './hit-ruler.tsx';
import { NoData } from './no-data.tsx';
import { PanelState } from './panel-state.tsx';
import type { Explore } from './use-explore.ts';
import { useSearch } from './use-search.ts';

interface PointedFrame {
  readonly hit: Hit;
  readonly x: number;
}

/** A frame and where on the screen something belongs to it. */
interface Place {
  readonly tree: Tree;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

interface GraphPanelProps {
  readonly explore: Explore;
  readonly searchInput: RefObject<HTMLInputElement | null>;
  readonly onQuery: (query: string) => void;
}

/** The panel; without a first answer only its states. */
export function GraphPanel(props: GraphPanelProps) {
  const { flame } = props.explore;
  return (
    <section
      className="panel graph-panel"
      aria-label="Icicle graph"
      aria-busy={flame.pending !== undefined}
      data-query={flame.valueKey}
    >
      {flame.value === undefined ? (
        <div className="graph-empty" />
      ) : (
        <Graph {...props} tree={flame.value} />
      )}
      <PanelState resource={flame} what="the graph" />
    </section>
  );
}

function Graph(props: GraphPanelProps & { readonly tree: AnsweredTree }) {
  const { explore, tree, searchInput, onQuery } = props;
  const { url } = useApp();
  const { state, route } = usePlace();
  const texts = useMemo(() => new TreeTexts(tree), [tree]);
  const search = useSearch(tree, state.search, state.searchMode);
  const [matchIndex, setMatchIndex] = useState<number>();
  const [litGroup, setLitGroup] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const [pointed] = useState(() => new Store<PointedFrame | undefined>(undefined));
  const hover = useStore(pointed)?.hit;
  const [menu, setMenu] = useState<Place>();
  const [pinned, setPinned] = useState<Place>();
  const handle = useRef<IcicleHandle>(null);
  const zoomed = useMemo(() => resolvePath(tree, state.zoom, texts), [tree, texts, state.zoom]);
  const [cursor, setCursor] = useCursor(tree, texts);
  const { palette, grouping, mode, hues, hueOfName } = useColours(tree, state.colour);

  const steps = useDiffSteps(tree, explore.measure);

  useEffect(() => setMatchIndex(undefined), [search.result]);
  // Back, a link or the list may have zoomed: the cursor goes where the eyes are.
  useEffect(() => setCursor(zoomed.row), [state.zoom]);
  useEffect(() => pointed.set(undefined), [tree, pointed]);

  const view = useMemo(() => viewOf(tree, zoomed.row, state.view), [tree, zoomed.row, state.view]);
  const litNames = useMemo(
    () =>
      litGroup === undefined
        ? undefined
        : Uint8Array.from(grouping.ofName, (group) => Number(group === litGroup)),
    [grouping, litGroup],
  );
  const hit =
    search.result?.hit.length === tree.names.offsets.length - 1 ? search.result.hit : undefined;
  const scene: Scene = useMemo(
    () => ({
      tree,
      view,
      palette,
      hueOfName,
      steps,
      hit,
      litNames,
      zoomRow: zoomed.row,
      nameAt: texts.name,
    }),
    [tree, view, palette, hueOfName, steps, hit, litNames, zoomed.row, texts],
  );
  const rateOf = (value: bigint) => formatRate(value, explore.measure, explore.coverage);
  const context: FrameContext = {
    tree,
    texts,
    measure: explore.measure,
    coverage: explore.coverage,
    baseSide: tree.baseSide,
    zoomRow: zoomed.row,
  };

  const zoomTo = (row: number) => {
    setCursor(row);
    url.change({ zoom: printPath(tree, row, texts), view: undefined }, 'step');
    setSpoken(`Zoomed to ${frameSentence(tree, texts, row, rateOf)}`);
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
    if (wide < 0.002 || !isInView(tree, rows[next], view)) zoomAroundRow(rows[next]);
    setSpoken(
      `Match ${next + 1} of ${rows.length}: ${frameSentence(tree, texts, rows[next], rateOf)}`,
    );
  };
  const zoomAroundRow = (row: number) => {
    const width = Math.min(1, tree.width[row] * 20);
    const next = clampView(tree.x[row] + tree.width[row] / 2 - width / 2, width);
    url.change({ view: [next.from, next.to] }, 'adjust');
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
  const placeOf = (row: number): Place => {
    const box = handle.current?.boxOf(row);
    return { tree, row, x: box?.x ?? 0, y: box?.bottom ?? 0 };
  };
  const togglePin = (row: number) => {
    if (pinned !== undefined) setPinned(undefined);
    else {
      setPinned(placeOf(row));
      setSpoken(`Pinned ${frameSentence(tree, texts, row, rateOf)}`);
    }
  };
  const lightName = (name: string) => {
    url.change({ lit: state.lit === name ? '' : name }, 'adjust');
  };
  const linkTo = (row: number): string => {
    const there = { ...state, zoom: printPath(tree, row, texts), view: undefined };
    return new URL(url.hrefOf(route, there), location.href).href;
  };
  const stackOf = (row: number) => pathTo(tree, row).slice(1).map(nameOf).join('\n');
  const actionsOf = (row: number): FrameAction[] => [
    { key: 'Enter', label: 'Zoom here', run: () => zoomTo(row) },
    { key: 'w', label: 'Light this function everywhere', run: () => lightName(nameOf(row)) },
    {
      key: '*',
      label: 'Search this name',
      run: () => url.change({ search: nameOf(row), searchMode: 'text' }, 'adjust'),
    },
    { key: 't', label: 'Pin the details', run: () => togglePin(row) },
    { key: 'y', label: 'Copy name', run: () => void copy(nameOf(row), 'name') },
    { key: 'Y', label: 'Copy stack', run: () => void copy(stackOf(row), 'stack') },
    { key: '.', label: 'Copy link to this frame', run: () => void copy(linkTo(row), 'link') },
  ];
  const openMenu = (place: Place) => {
    pointed.set(undefined);
    setCursor(place.row);
    setMenu(place);
  };
  const actions: ReadonlyMap<string, () => void> = new Map([
    ...actionsOf(cursor).map(({ key, run }) => [key, run] as const),
    ['t', () => togglePin(hover?.row ?? cursor)],
    ['Backspace', zoomOut],
    ['n', () => goToMatch(1)],
    ['N', () => goToMatch(-1)],
    ['ContextMenu', () => openMenu(placeOf(cursor))],
    ['Shift+F10', () => openMenu(placeOf(cursor))],
  ]);
  useResetKey(reset);
  useEscape('open', () => {
    setPinned(undefined);
    return pinned !== undefined;
  });
  useEscape('set', () => {
    if (state.search !== '') url.change({ search: '' }, 'adjust');
    else if (state.lit !== '') url.change({ lit: '' }, 'adjust');
    else zoomOut();
    return true;
  });
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const action = actions.get(event.key === 'F10' && event.shiftKey ? 'Shift+F10' : event.key);
    action?.();
    return action !== undefined;
  };
  const detailRow = hover?.row ?? cursor;

  return (
    <>
      <GraphToolbar
        tree={tree}
        texts={texts}
        zoomRow={zoomed.row}
        missing={zoomed.missing}
        search={search}
        foundShare={explore.foundShare}
        matchIndex={matchIndex}
        onZoom={zoomTo}
        onReset={reset}
        onMatch={goToMatch}
        searchInput={searchInput}
      />
      <HitRuler tree={tree} result={hit && search.result} view={view} colour={palette.cursor} />
      <Icicle
        scene={scene}
        texts={texts}
        label={`Icicle of ${explore.profileType}, ${rateOf(tree.total) ?? ''}, ${tree.count} frames`}
        cursor={cursor}
        hover={hover?.row}
        lit={litNameOf(texts, state.lit, hover, tree)}
        rateOf={rateOf}
        handle={handle}
        onCursor={setCursor}
        onHover={(found, x) => pointed.set(found && { hit: found, x })}
        onClick={({ row }, isTouch) => {
          setCursor(row);
          // The first tap shows what a frame is, the second zooms to it.
          if (isTouch && row !== cursor) return;
          if (row === zoomed.row && state.view === undefined) zoomOut();
          else zoomTo(row);
        }}
        onMenu={({ row }, x, y) => openMenu({ tree, row, x, y })}
        onView={(next) => {
          const whole = next.from === 0 && next.to === 1;
          url.change({ view: whole ? undefined : [next.from, next.to], zoom: '' }, 'adjust');
        }}
        onKey={onKey}
      />
      {tree.total === 0n && <NoData explore={explore} tree={tree} onQuery={onQuery} />}
      <DetailLine context={context} row={detailRow} />
      <div className="graph-foot">
        {steps === undefined ? (
          <ColourLegend
            grouping={grouping}
            mode={mode}
            hues={hues}
            palette={palette}
            onLight={setLitGroup}
          />
        ) : (
          <DiffLegend palette={palette} />
        )}
        <StatusLine tree={tree} millis={explore.flame.millis} />
      </div>
      {pinned?.tree === tree ? (
        <PinnedDetails
          key={pinned.row}
          context={context}
          row={pinned.row}
          x={pinned.x}
          y={pinned.y}
          onClose={() => {
            setPinned(undefined);
            handle.current?.focus();
          }}
        />
      ) : (
        menu === undefined && <Tooltip store={pointed} context={context} handle={handle} />
      )}
      {menu?.tree === tree && (
        <FrameMenu
          key={menu.row}
          title={nameOf(menu.row)}
          actions={actionsOf(menu.row)}
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

/** The function that is lit by name, else the one under the pointer. */
function litNameOf(
  texts: TreeTexts,
  lit: string,
  hover: Hit | undefined,
  tree: Tree,
): number | undefined {
  if (lit !== '') return texts.indexOf(lit);
  return hover === undefined || hover.row === 0 ? undefined : tree.name[hover.row];
}

function Tooltip({
  store,
  context,
  handle,
}: {
  readonly store: Store<PointedFrame | undefined>;
  readonly context: FrameContext;
  readonly handle: RefObject<IcicleHandle | null>;
}) {
  const pointed = useStore(store);
  if (pointed === undefined || pointed.hit.row >= context.tree.count) return null;
  const box = handle.current?.boxOf(pointed.hit.row);
  if (box === undefined) return null;
  return (
    <FrameTooltip
      key={pointed.hit.row}
      context={context}
      hit={pointed.hit}
      box={box}
      x={pointed.x}
    />
  );
}

function StatusLine({ tree, millis }: { readonly tree: Tree; readonly millis: number }) {
  const share = tree.total > 0n ? Number(tree.trimmed) / Number(tree.total) : 0;
  return (
    <span className="status-line hint">
      {share > 0 && <span>{formatPercent(share)} cut: frames too narrow to see</span>}
      <span>
        {tree.count - 1} frames, {depthCount(tree) - 1} deep
      </span>
      <span>
        {Math.round(millis)}
        {'\u202f'}ms
      </span>
    </span>
  );
}

function isInView(tree: Tree, row: number, view: View): boolean {
  return tree.x[row] < view.to && tree.x[row] + tree.width[row] > view.from;
}

function viewOf(tree: Tree, row: number, free: readonly [number, number] | undefined): View {
  if (free !== undefined) return { from: free[0], to: free[1] };
  if (row <= 0 || tree.width[row] <= 0) return wholeView;
  return clampView(tree.x[row], tree.width[row]);
}
