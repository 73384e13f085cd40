// Flame chart: the x axis is time, and each series of profiles has a lane.
import { useMemo } from 'react';
import { describeRefresh } from '../answers/refreshing.ts';
import { type Explore, trimPercent } from '../answers/use-explore.ts';
import { rowHeightCss } from '../canvas/frame-painter.ts';
import { equalViews, type View, wholeView } from '../canvas/view.ts';
import {
  type Coverage,
  formatCoverage,
  formatRate,
  formatTotal,
  unknownCoverage,
} from '../format/measure.ts';
import { formatNanos } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { isDiff } from '../language/query-text.ts';
import { withoutTimes } from '../language/comparison.ts';
import { listStages } from '../language/stages.ts';
import { timeAxisTexts } from '../metrics/axis.ts';
import { clockText } from '../metrics/series-legend.tsx';
import { useApp, usePlace } from '../page/app-context.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import { useResource } from '../page/use-resource.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { getJson } from '../rpc/json.ts';
import type { MetricsSeries } from '../rpc/messages.gen.ts';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import '../styles/flame-chart.css';
import type { ChartLane, FlameChart } from '../tree/tree-messages.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { depthCount, type Tree } from '../tree/tree.ts';
import { type DetailedFrame, SideGraph } from './side-graph.tsx';
import { useSearch } from './use-search.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

export interface FlameChartPanelProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  /** Tree that determines the colours. */
  readonly grouping: Tree;
  readonly onDetail: (frame: DetailedFrame | undefined) => void;
}

/** Labels of threads and processes, whose values have lanes by default. */
export const threadLabels = ['thread_id', 'thread', 'tid', 'thread_name', 'pid'];
/** Maximum number of labels that are offered for lanes. */
const laneLabelsMax = 6;
/** Maximum number of visible levels in a lane, if there are several lanes. */
const laneDepthsMax = 14;
const ticks = 6;

/** The panel. It requests single profiles instead of their sum. */
export function FlameChartPanel(props: FlameChartPanelProps) {
  const { explore } = props;
  const { base, trees, api } = useApp();
  const { state } = usePlace();
  const { query, selectedSpan: span } = explore;
  const labels = useLaneLabels(explore);
  const chosen = state.lane;
  const laneLabels = useMemo(() => labels && chooseLaneLabels(labels, chosen), [labels, chosen]);
  const asks = laneLabels !== undefined && !isDiff(query);
  const own = useOwnPrefixes(query);
  const key = asks ? JSON.stringify(['chart', query, span, laneLabels, own]) : undefined;
  const chart = useResource(
    key,
    async (asking) => {
      const sumBy = laneLabels ?? [];
      const rootTrimPercent = trimPercent();
      const stepMillis = span.to - span.from + 1;
      const [drawn, times] = await Promise.all([
        trees.chart({ base, query, span, laneLabels: sumBy, rootTrimPercent, own }, asking),
        api.queryRange({ query, span, stepMillis, sumBy }, { signal: asking.signal }),
      ]);
      return { ...drawn, coverages: collectCoverages(times.series) };
    },
    describeRefresh(explore, state, explore.isQuiet)('chart', chosen),
  );
  const answer = isDiff(query) ? undefined : chart.value;
  return (
    <div className="flame-chart" aria-busy={chart.pending !== undefined}>
      {isDiff(query) && (
        <p className="panel-message static">
          A comparison has two times, so it has no flame chart: choose another view.
        </p>
      )}
      {answer !== undefined && (
        <>
          <Incomplete warnings={answer.warnings} told={explore.warnings} />
          <Lanes
            {...props}
            explore={{ ...explore, coverage: answer.coverage }}
            chart={answer}
            labels={labels ?? []}
          />
        </>
      )}
      <PanelState resource={chart} what="the flame chart" />
    </div>
  );
}

export interface LaneLabel {
  readonly name: string;
  readonly isOfSamples: boolean;
  /** Number of values; 0 if unknown. */
  readonly values: number;
}

/** Returns the labels with several values in the range; undefined until they are loaded. */
export function useLaneLabels({ query, selectedSpan }: Explore): readonly LaneLabel[] | undefined {
  const { base } = useApp();
  const [first] = listStages(query);
  // Requests for labels do not accept queries with times.
  const selector = withoutTimes(
    first === undefined ? query : query.slice(0, first.from).replace(/\s*\|\s*$/, ''),
  );
  const key = isDiff(query) ? undefined : JSON.stringify(['lane labels', selector, selectedSpan]);
  const { value } = useResource(key, async (asking) => {
    const parameters = new URLSearchParams({ query: selector, ...timeBounds(selectedSpan) });
    const json = (await getJson(base, 'labels', parameters, asking)) as { labels: LaneLabel[] };
    return json.labels.filter(({ values, isOfSamples }) => values > 1 || isOfSamples);
  });
  return value;
}

/** Returns the chosen label or a label of threads, and all labels with several values. */
function chooseLaneLabels(labels: readonly LaneLabel[], chosen: string): string[] {
  const names = labels.map(({ name }) => name);
  const first = chosen === '' ? threadLabels.find((name) => names.includes(name)) : chosen;
  const ofSeries = labels.filter((label) => !label.isOfSamples).map(({ name }) => name);
  return [...new Set([...(first === undefined ? [] : [first]), ...ofSeries])].slice(
    0,
    laneLabelsMax,
  );
}

/** A chart, and the time that each lane's profiles cover, by the key of its title. */
interface TimedChart extends FlameChart {
  readonly coverages: ReadonlyMap<string, Coverage>;
}

/** Returns the labels of a title in a fixed order, because the query's labels may come first. */
function laneKey(title: string): string {
  return title.split(', ').sort().join(', ');
}

/** Returns the covered times of series by the keys of their lanes. */
function collectCoverages(series: readonly MetricsSeries[]): Map<string, Coverage> {
  return new Map(
    series.map(({ labelset, coveredNanos, snapshots }) => {
      const labels = (labelset?.labels ?? []).filter(({ value }) => value !== '');
      const title = labels.map(({ name, value }) => `${name}=${value}`).join(', ');
      const seconds = Number(coveredNanos) / 1e9;
      return [laneKey(title), { ...unknownCoverage, seconds, snapshots }];
    }),
  );
}

interface LanesProps extends FlameChartPanelProps {
  readonly chart: TimedChart;
  readonly labels: readonly LaneLabel[];
}

function Lanes({ explore, edits, grouping, onDetail, chart, labels }: LanesProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { lanes, from, to } = chart;
  const texts = useMemo(() => lanes[0] && new TreeTexts(lanes[0].tree), [lanes]);
  const { result } = useSearch(lanes[0]?.tree, state.search, state.searchMode);
  const view = useMemo(
    (): View => (state.view === undefined ? wholeView : { from: state.view[0], to: state.view[1] }),
    [state.view],
  );
  const show = (next: View, mode: 'step' | 'adjust') =>
    url.change({ view: equalViews(next, wholeView) ? undefined : [next.from, next.to] }, mode);
  const hasLength = lanes.some(({ tree }) => tree.width.some((width, row) => row > 0 && width > 0));
  const [left, right] = [view.from, view.to].map((at) => from + at * (to - from));
  const more = chart.laneCount - lanes.length;
  return (
    <>
      <div className="chart-head">
        <p className="hint">
          x is time, <b>{clockText(left, state.utc)}</b> to <b>{clockText(right, state.utc)}</b> (
          {formatNanos((right - left) * 1e6)}).{' '}
          {lanes.length === 1 ? 'The lane has' : 'Each lane has'} one profile after the other, where
          each ran. Within a profile, stacks stand by name, each as wide as its part of the time.
        </p>
        <select
          className="select"
          aria-label="Lanes"
          title="A lane for each"
          value={state.lane}
          onChange={({ target }) => url.change({ lane: target.value }, 'step')}
        >
          <option value="">Lane: each series</option>
          {labels.map(({ name }) => (
            <option key={name} value={name}>
              Lane: {name}
            </option>
          ))}
        </select>
      </div>
      {lanes.length > 0 && !hasLength ? (
        <p className="panel-message static">
          These profiles are of moments, without a duration, so no time can be drawn.
        </p>
      ) : (
        <>
          <TimeAxis from={left} to={right} utc={state.utc} />
          <div className="chart-lanes">
            {texts &&
              lanes.map((lane) => (
                <Lane
                  key={lane.title}
                  lane={lane}
                  coverage={chart.coverages.get(laneKey(lane.title))}
                  isOnly={lanes.length === 1}
                  explore={explore}
                  edits={edits}
                  grouping={grouping}
                  onDetail={onDetail}
                  texts={texts}
                  view={view}
                  hit={result?.hit}
                  onShow={show}
                />
              ))}
            {more > 0 && (
              <p className="hint">
                {plural(more, 'more lane')} with smaller values {more === 1 ? 'is' : 'are'} not
                drawn.
              </p>
            )}
          </div>
        </>
      )}
    </>
  );
}

interface LaneProps extends FlameChartPanelProps {
  readonly lane: ChartLane;
  /** Time that the lane's profiles cover; undefined if unknown. */
  readonly coverage: Coverage | undefined;
  /** True for a single lane, which fills the available height. */
  readonly isOnly: boolean;
  readonly texts: TreeTexts;
  readonly view: View;
  readonly hit: Uint8Array | undefined;
  readonly onShow: (view: View, mode: 'step' | 'adjust') => void;
}

function Lane(props: LaneProps) {
  const { explore, edits, grouping, onDetail, lane, coverage, isOnly, texts, view, hit, onShow } =
    props;
  const { tree, title } = lane;
  const value = tree.cumulative[0];
  const depths = depthCount(tree) - 1;
  const height = Math.min(laneDepthsMax, Math.max(1, depths)) * rowHeightCss;
  const viewOfRow = (row: number): View => ({
    from: Math.max(0, tree.x[row]),
    to: Math.min(1, tree.x[row] + tree.width[row]),
  });
  const what = title === '' ? 'all profiles' : title;
  const { measure, selectedSpan } = explore;
  const rate = coverage && formatRate(value, measure, coverage);
  const valueText = rate ?? formatTotal(value, measure);
  const seconds = (selectedSpan.to - selectedSpan.from) / 1_000;
  const coverageText = coverage && formatCoverage(coverage, seconds);
  return (
    <section className="chart-lane" aria-label={what} style={isOnly ? { flex: 1 } : {}}>
      <p className="chart-lane-title">
        <span>{what}</span> <b>{valueText}</b>
        {coverageText !== undefined && <span className="hint"> {coverageText}</span>}
      </p>
      <div className="chart-lane-graph" style={isOnly ? { flex: 1 } : { height: `${height}px` }}>
        <SideGraph
          explore={explore}
          grouping={grouping}
          tree={tree}
          texts={texts}
          hit={hit}
          onDetail={onDetail}
          view={view}
          label={`Flame chart of ${what}, ${valueText}, ${plural(tree.count - 1, 'frame')}`}
          steps={undefined}
          baseSide={undefined}
          zoomRow={0}
          isFlipped={false}
          isInverted={explore.isInverted}
          hiddenDepths={1}
          toEntry={edits.toEntry}
          onZoom={(row) => {
            const next = viewOfRow(row);
            // A click on the frame that fills the view zooms out.
            onShow(equalViews(next, view) ? wholeView : next, 'step');
          }}
          onZoomOut={() => onShow(wholeView, 'step')}
          onView={(next) => onShow(next, 'adjust')}
          onLeave={() => undefined}
        />
      </div>
    </section>
  );
}

interface TimeAxisProps {
  readonly from: number;
  readonly to: number;
  readonly utc: boolean;
}

/** Shows times at equal distances; the ends are in the sentence above. */
function TimeAxis({ from, to, utc }: TimeAxisProps) {
  const step = (to - from) / ticks / 1e3;
  const times = Array.from({ length: ticks }, (_, i) => from / 1e3 + i * step);
  // Times of day are shown without fractions of a second.
  const isShort = step < 1;
  const texts = isShort
    ? times.map((_, i) => `+${formatNanos(i * step * 1e9)}`)
    : timeAxisTexts(times, step, utc);
  return (
    <div className="chart-axis" aria-hidden="true">
      {texts.map((text, i) => (
        <span key={times[i]} style={{ left: `${(i / ticks) * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}
