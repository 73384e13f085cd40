// The metrics graph with its headline, legend, selection and states.
import { useState } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import { formatPerSecond, formatRate, formatSamples, type Measure } from '../format/measure.ts';
import { fitTexts } from '../format/fit-names.ts';
import { isDiff, withIncrease } from '../language/query-text.ts';
import { friendlyName } from '../format/profile-type.ts';
import { formatSignificant, groupDigits } from '../format/numbers.ts';
import { lineColours, lineLooks } from './line-looks.ts';
import { MetricsGraph, pointSpan } from './metrics-graph.tsx';
import { MetricsTwin } from './metrics-twin.tsx';
import { Icon } from '../parts/icon.tsx';
import { useTheme } from '../page/theme.ts';
import { describeRange, fixedRange } from '../url/time-range.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { Explore, LegendTotals } from '../answers/use-explore.ts';

interface MetricsPanelProps {
  readonly explore: Explore;
  /** "1.84 cores", of the selection. */
  readonly headline: string;
  readonly onAddMatcher: (labels: ReadonlyMap<string, string>) => void;
  /** Compares with the time before, or no longer. */
  readonly onCompare: () => void;
}

/** Shows when things happened; choosing a time decides what the icicle is about. */
export function MetricsPanel(props: MetricsPanelProps) {
  const { explore, headline, onAddMatcher, onCompare } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const theme = useTheme();
  const { graph, metrics, measure, span, stepMillis } = explore;
  const [hovered, setHovered] = useState<number>();
  const isCompared = isDiff(explore.query);
  const isEmpty = graph !== undefined && graph.times.length === 0;

  return (
    <section
      className="panel metrics-panel"
      aria-label="Profiles over time"
      aria-busy={metrics.pending !== undefined}
      data-quiet={metrics.pending?.isQuiet === true ? '' : undefined}
      data-query={metrics.valueKey}
    >
      <div className="panel-head">
        <h2 className="headline">
          <span className="headline-value">{headline}</span>
          <span className="headline-what">{friendlyName(explore.profileType)}</span>
          <Samples explore={explore} />
          <Coverage explore={explore} />
        </h2>
        <SinceStart explore={explore} />
        <div className="spacer" />
        {state.selection !== undefined && (
          <span className="chip selected-span">
            <span className="chip-text">
              {describeRange(fixedRange(state.selection.from, state.selection.to), state.utc)}
            </span>
            <button
              type="button"
              aria-label="Clear the selection"
              onClick={() => url.change({ selection: undefined }, 'step')}
            >
              <Icon name="close" />
            </button>
          </span>
        )}
        {isCompared && <span className="hint">A comparison has no graph over time.</span>}
        <button
          type="button"
          className="button quiet"
          title="Compares with as long a time right before (v)"
          onClick={onCompare}
        >
          {isCompared ? 'Stop comparing' : 'Compare'}
        </button>
        {!isCompared && (
          <button
            type="button"
            className="button quiet"
            aria-expanded={!state.hideMetrics}
            onClick={() => url.change({ hideMetrics: !state.hideMetrics }, 'adjust')}
          >
            <Icon name={state.hideMetrics ? 'down' : 'up'} />
            {state.hideMetrics ? 'Show graph' : 'Hide'}
          </button>
        )}
      </div>
      {!state.hideMetrics && !isCompared && (
        <>
          <div className="metrics-body">
            {graph !== undefined && (
              <MetricsTwin
                data={graph}
                measure={measure}
                timeText={(millis) => clockText(millis, state.utc)}
                cursor={hovered !== undefined && hovered < graph.times.length ? hovered : undefined}
                onCursor={setHovered}
                onChoose={(index) => {
                  const selection = pointSpan(graph.times[index], stepMillis);
                  url.change({ selection }, 'step');
                }}
              >
                <MetricsGraph
                  cursor={hovered}
                  data={graph}
                  span={span}
                  stepMillis={stepMillis}
                  selection={state.selection}
                  theme={theme}
                  utc={state.utc}
                  height={innerWidth < 720 ? 112 : 160}
                  measure={measure}
                  onSelect={(selection) => url.change({ selection }, 'step')}
                  onHover={setHovered}
                />
              </MetricsTwin>
            )}
            <PanelState resource={metrics} what="the graph over time" />
            {isEmpty && (
              <p className="panel-message">
                No {friendlyName(explore.profileType)} profiles of this query in this range.
              </p>
            )}
          </div>
          <Legend explore={explore} hovered={hovered} onAddMatcher={onAddMatcher} />
        </>
      )}
    </section>
  );
}

/** "n 7.90 k ±1.1 %": how much the headline rests on. */
function Samples({ explore: { query, coverage, flame, measure } }: { readonly explore: Explore }) {
  const text = formatSamples(coverage, measure);
  const profiles = flame.value?.profileCount ?? 0;
  if (text === undefined) return null;
  return (
    <span
      className="hint"
      title={`${groupDigits(coverage.samples)} samples in ${groupDigits(profiles)} ${
        profiles === 1 ? 'profile' : 'profiles'
      }; ${
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
  const { coverage, graphSpan, measure } = explore;
  const seconds = (graphSpan.to - graphSpan.from) / 1_000;
  if (!measure.delta || coverage.seconds <= 0) return null;
  const share = coverage.seconds / seconds;
  if (share > 0.95) return null;
  return (
    <span
      className="hint"
      title="Rates are per second of the time that profiles cover; gaps do not count."
    >
      profiles cover {formatSignificant(Math.min(100, share * 100))}
      {'\u202f'}% of this time
    </span>
  );
}

/** Totals of counters tell nothing of the range. */
function SinceStart({ explore: { query, profileType } }: { readonly explore: Explore }) {
  const { url } = useApp();
  const increase = withIncrease(query, profileType);
  if (increase === query) return null;
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

interface LegendProps {
  readonly explore: Explore;
  readonly hovered: number | undefined;
  readonly onAddMatcher: (labels: ReadonlyMap<string, string>) => void;
}

/** Characters of a series in the legend. */
const titleRoom = 40;

/** One entry a line: its value at the pointer, else what it has of the headline. */
function Legend({ explore, hovered, onAddMatcher }: LegendProps) {
  const theme = useTheme();
  const { utc, selection } = usePlace().state;
  const { graph, measure, legend } = explore;
  const drawn = graph?.series ?? [];
  if (graph === undefined || drawn.length === 0) return <div className="series-legend" />;
  const time = hovered === undefined ? undefined : graph.times[hovered];
  const series = time === undefined ? (legend?.series ?? drawn) : drawn;
  const titles = series.map(({ title }) => title);
  const looks = lineLooks(titles);
  const texts = fitTexts(titles, titleRoom);
  const valueOf = (i: number): string | undefined => {
    if (time === undefined) return legend && partOf(legend, legend.shares[i], measure);
    const value = hovered === undefined ? null : graph.values[i][hovered];
    return value === null ? undefined : formatPerSecond(value, measure);
  };
  const { hiddenCount } = legend ?? graph;
  return (
    <div className="series-legend" role="group" aria-label="Series">
      <span className="legend-time">
        {time === undefined
          ? `${measure.delta ? '' : 'average '}of the ${selection === undefined ? 'range' : 'selection'}`
          : clockText(time * 1e3, utc)}
      </span>
      {series.map(({ title, labels }, i) => (
        <button
          type="button"
          key={title}
          className="series-entry"
          disabled={labels.size === 0}
          title={labels.size === 0 ? title : `Show only ${title}`}
          onClick={() => onAddMatcher(labels)}
        >
          <svg viewBox="0 0 16 4" width="16" height="4" aria-hidden="true">
            <path
              d="M0 2h16"
              stroke={lineColours[theme][looks[i].colour]}
              strokeWidth="3"
              strokeDasharray={looks[i].dash?.join(' ')}
            />
          </svg>
          <span className="series-title">{texts.get(title)}</span>
          <span className="series-value">{valueOf(i) ?? '–'}</span>
        </button>
      ))}
      {hiddenCount > 0 && (
        <span className="series-entry">
          <span className="series-title">{hiddenCount} smaller ones, not drawn</span>
          {time === undefined && legend !== undefined && (
            <span className="series-value">
              {partOf(legend, legend.hiddenShare, measure) ?? '–'}
            </span>
          )}
        </span>
      )}
    </div>
  );
}

/** A part of the headline in its unit. */
function partOf({ total, coverage }: LegendTotals, share: number, measure: Measure) {
  return formatRate(BigInt(Math.round(Number(total) * share)), measure, coverage);
}

function clockText(millis: number, utc: boolean): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(utc ? { timeZone: 'UTC' } : {}),
  }).format(millis);
}
