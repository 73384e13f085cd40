// Metrics graph with headline, legend, selection and states.
import { type ReactNode, useState } from 'react';
import { pointSpan } from '../answers/metrics-data.ts';
import { chosenScale } from '../answers/scale.ts';
import type { Explore } from '../answers/use-explore.ts';
import { formatCoverage, formatSamples, type Measure } from '../format/measure.ts';
import { friendlyName } from '../../../src/model/friendly-type.ts';
import { plural } from '../format/plural.ts';
import { hasTimes, isDiff, withIncrease } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import { useTheme } from '../page/theme.ts';
import { ContextMenu } from '../parts/context-menu.tsx';
import { Icon } from '../parts/icon.tsx';
import { localBase } from '../rpc/local.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { AnsweredTree } from '../tree/tree-messages.ts';
import { withMark } from '../url/marks.ts';
import { fixedRange } from '../url/time-range.ts';
import type * as MetricsGraphModule from './metrics-graph.tsx';
import { MetricsTwin } from './metrics-twin.tsx';
import { SelectedSpan } from './selected-span.tsx';
import { clockText, SeriesLegend } from './series-legend.tsx';

/** Height in pixels of the graph next to the headline. */
const stripHeight = 44;

const none: ReadonlySet<string> = new Set();

interface MetricsPanelProps {
  readonly explore: Explore;
  /** Value of the selection, such as "1.84 cores". */
  readonly headline: string;
  readonly onAddMatcher: (labels: ReadonlyMap<string, string>, operator: '=' | '!=') => void;
  /** Button that starts a comparison, and the view that replaces the graph in a comparison. */
  readonly compareMenu: ReactNode;
  readonly sides: ReactNode;
  /** Marks over the lines of the graph. */
  readonly markers: ReactNode;
  /** Ends the comparison. */
  readonly onStopComparing: () => void;
}

/** The panel with values over time. The flame graph shows the selected time. */
export function MetricsPanel(props: MetricsPanelProps) {
  const { explore, headline, onAddMatcher, compareMenu, sides, markers, onStopComparing } = props;
  const { metrics } = explore;
  const plot = useLoaded(() => import('./metrics-graph.tsx'));
  const [hidden, setHidden] = useState<ReadonlySet<string>>(none);
  const cursor = useTimeCursor(explore);
  const isCompared = isDiff(explore.query);
  const isTall = usePlace().state.tallMetrics;
  const graph = (
    <GraphBody explore={explore} plot={plot} hidden={hidden} cursor={cursor} markers={markers} />
  );
  const legend = (
    <SeriesLegend
      explore={explore}
      isStrip={!isTall}
      hovered={cursor.hovered}
      hidden={hidden}
      onHide={setHidden}
      onAddMatcher={onAddMatcher}
    />
  );
  return (
    <section
      className={`panel metrics-panel ${isTall ? '' : 'strip'}`}
      aria-label="Profiles over time"
      aria-busy={metrics.pending !== undefined}
      data-quiet={metrics.pending?.isQuiet === true ? '' : undefined}
      data-query={metrics.valueKey}
    >
      <div className="panel-head">
        <div className="head-texts">
          <h2 className="headline">
            <span className="headline-value">{headline}</span>
            <span className="headline-what">{friendlyName(explore.profileType)}</span>
            {explore.isWithoutCpu && (
              <span className="hint" role="status">
                no CPU time yet: it comes with the first CPU profile, after some seconds
              </span>
            )}
            <Samples explore={explore} />
            <Coverage explore={explore} />
          </h2>
          {!isTall && !isCompared && legend}
        </div>
        <SinceStart explore={explore} />
        {isTall || isCompared ? <div className="spacer" /> : graph}
        <SelectedSpan place="graph" />
        {isCompared && <ScaleSwitch measure={explore.measure} found={explore.whole?.scale} />}
        {compareMenu}
        {isCompared ? (
          <button type="button" className="button quiet" title="(v)" onClick={onStopComparing}>
            Stop comparing
          </button>
        ) : (
          <FoldButton isTall={isTall} />
        )}
      </div>
      {isCompared ? (
        sides
      ) : (
        <>
          {isTall && graph}
          {isTall && legend}
        </>
      )}
    </section>
  );
}

interface GraphBodyProps {
  readonly explore: Explore;
  readonly plot: typeof MetricsGraphModule | undefined;
  readonly hidden: ReadonlySet<string>;
  readonly cursor: TimeCursor;
  readonly markers: ReactNode;
}

/** The graph with its table, marks, menu and states. */
function GraphBody({ explore, plot, hidden, cursor, markers }: GraphBodyProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const theme = useTheme();
  const { lines, metrics, measure, span, stepMillis } = explore;
  const { hovered, setHovered, choose, mark } = cursor;
  const isTall = state.tallMetrics;
  const isEmpty = lines !== undefined && lines.times.length === 0;
  return (
    <div
      className="metrics-body"
      // The drawing may have changed since the pointer entered it.
      onPointerLeave={() => setHovered(undefined)}
      onBlur={() => setHovered(undefined)}
    >
      {lines !== undefined && (
        <MetricsTwin
          data={lines}
          measure={measure}
          timeText={(millis) => clockText(millis, state.utc)}
          cursor={hovered !== undefined && hovered < lines.times.length ? hovered : undefined}
          onCursor={setHovered}
          onChoose={choose}
          onMark={mark}
          onMenu={cursor.openMenu}
        >
          {plot && (
            <plot.MetricsGraph
              cursor={hovered}
              data={lines}
              span={span}
              stepMillis={stepMillis}
              selection={state.selection}
              theme={theme}
              utc={state.utc}
              height={isTall ? (innerWidth < 720 ? 112 : 160) : stripHeight}
              isStrip={!isTall}
              measure={measure}
              hidden={hidden}
              onSelect={(selection) => url.change({ selection }, 'step')}
              onRange={({ from, to }) =>
                url.change({ ...fixedRange(from, to), selection: undefined }, 'step')
              }
              onHover={setHovered}
            />
          )}
        </MetricsTwin>
      )}
      {!isEmpty && markers}
      <TimeMenu cursor={cursor} />
      <PanelState resource={metrics} what="the graph over time" />
      {isEmpty && (
        <p className="panel-message">
          No {friendlyName(explore.profileType)} profiles of this query in this range.
        </p>
      )}
    </div>
  );
}

type TimeCursor = ReturnType<typeof useTimeCursor>;

/** Returns the time at the pointer or keyboard cursor, its menu, and its actions. */
function useTimeCursor({ lines, stepMillis }: Explore) {
  const { url } = useApp();
  const { state } = usePlace();
  const [hovered, setHovered] = useState<number>();
  const [menu, setMenu] = useState<TimeMenuPlace>();
  const timeAt = (index: number): number => lines?.times[index] ?? 0;
  const choose = (index: number) =>
    url.change({ selection: pointSpan(timeAt(index), stepMillis) }, 'step');
  const mark = (index: number) =>
    url.change({ marks: withMark(state.marks, timeAt(index) * 1e3) }, 'step');
  const openMenu = (x: number, y: number) => {
    if (hovered !== undefined) setMenu({ x, y, index: hovered });
  };
  const closeMenu = () => setMenu(undefined);
  return { hovered, setHovered, timeOf: timeAt, choose, mark, menu, openMenu, closeMenu };
}

/** A time, and the position of its menu. */
interface TimeMenuPlace {
  readonly x: number;
  readonly y: number;
  readonly index: number;
}

function TimeMenu({ cursor }: { readonly cursor: TimeCursor }) {
  const { state } = usePlace();
  const { menu, timeOf, choose, mark, closeMenu } = cursor;
  if (menu === undefined) return null;
  const time = clockText(timeOf(menu.index) * 1e3, state.utc);
  return (
    <ContextMenu
      title={time}
      heading={time}
      groups={[
        [
          { key: 'Enter', label: 'Select this time', run: () => choose(menu.index) },
          { key: 'm', label: 'Mark this time', run: () => mark(menu.index) },
        ],
      ]}
      x={menu.x}
      y={menu.y}
      onClose={closeMenu}
    />
  );
}

function FoldButton({ isTall }: { readonly isTall: boolean }) {
  const { url } = useApp();
  return (
    <button
      type="button"
      className="button quiet"
      aria-expanded={isTall}
      aria-label="Graph with axes"
      title={isTall ? 'Fold the graph' : 'Graph with axes'}
      onClick={() => url.change({ tallMetrics: !isTall }, 'adjust')}
    >
      <Icon name={isTall ? 'up' : 'down'} />
    </button>
  );
}

interface ScaleSwitchProps {
  readonly measure: Measure;
  /** Scale of the answer; undefined before the first answer. */
  readonly found: AnsweredTree['scale'] | undefined;
}

/** Switches between load, shares and amounts, for graph and list. */
function ScaleSwitch({ measure, found }: ScaleSwitchProps) {
  const { url } = useApp();
  const chosen = chosenScale(usePlace().state.scale, measure);
  // Both sides have too few functions in common to estimate the load, so shares are compared.
  const isUnknown = chosen === 'load' && found === 'total';
  const scale = isUnknown ? 'share' : chosen;
  const choices = [
    [
      'load',
      'Load',
      isUnknown
        ? 'Too few functions of both sides have enough samples to tell the load'
        : 'Scaled by load: most functions are as large on both sides, so others stand out',
    ],
    ['share', 'Shares', "Each side's total is 100 %, so load does not count"],
    ['amount', 'Amounts', 'Rates of both sides, so twice the load is twice the value'],
  ] as const;
  return (
    <span className="tabs" role="group" aria-label="Compare">
      {choices.map(([value, label, title]) => (
        <button
          type="button"
          key={value}
          title={title}
          aria-pressed={scale === value}
          onClick={() => url.change({ scale: value }, 'step')}
        >
          {label}
        </button>
      ))}
    </span>
  );
}

/** Shows "7.90 k samples, ±1.1 %": the number of samples in the headline, and the error. */
function Samples({ explore: { query, coverage, icicle, measure } }: { readonly explore: Explore }) {
  const text = formatSamples(coverage, measure);
  const profiles = icicle.value?.profileCount ?? 0;
  if (text === undefined) return null;
  return (
    <span
      className="hint"
      title={`${plural(coverage.samples, 'sample')} in ${plural(profiles, 'profile')}; ${
        coverage.period > 0
          ? 'by chance alone the value may be off by one part in the square root of n'
          : 'their profilers take samples of different weight'
      }`}
    >
      {isDiff(query) ? `${text} now` : text}
    </span>
  );
}

function Coverage({ explore }: { readonly explore: Explore }) {
  const { query, coverage, selectedSpan, measure } = explore;
  const seconds = (selectedSpan.to - selectedSpan.from) / 1_000;
  // A query that excludes times does not cover its range.
  const text = measure.delta && !hasTimes(query) ? formatCoverage(coverage, seconds) : undefined;
  if (text === undefined) return null;
  return (
    <span
      className="hint"
      title="Rates are per second of the time that profiles cover; gaps do not count."
    >
      {text}
    </span>
  );
}

/** Offers `| increase` for counters, whose totals do not depend on the range. */
function SinceStart({ explore: { query, profileType } }: { readonly explore: Explore }) {
  const { base, url } = useApp();
  const increase = withIncrease(query, profileType);
  if (increase === query || base === localBase) return null;
  return (
    <>
      <span className="hint">values count since each program started</span>
      <button
        type="button"
        className="button quiet"
        title="What was gained in the range, and rates: | increase"
        onClick={() => url.change({ query: increase }, 'step')}
      >
        Show the increase
      </button>
    </>
  );
}
