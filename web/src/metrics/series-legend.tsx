// Legend of the metrics graph: values at the pointer, or shares of the headline.
import { useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import type { LegendTotals } from '../answers/use-over-time.ts';
import { formatPerSecond, formatRate, type Measure } from '../format/measure.ts';
import { plural } from '../format/plural.ts';
import { usePlace } from '../page/app-context.ts';
import { useLoaded, useMedia } from '../page/hooks.ts';
import { useTheme } from '../page/theme.ts';
import { fitLegend } from './legend-fit.ts';
import { type MeasuredLegend, useMeasuredLegend } from './legend-room.ts';
import { lineColours, lineLooks } from './line-looks.ts';
import { partText } from './metrics-twin.tsx';
import type { SeriesMenuProps } from './series-menu.tsx';

interface LegendProps {
  readonly explore: Explore;
  /** True if the legend has one line (two on a phone) until it is expanded. */
  readonly isStrip: boolean;
  readonly hovered: number | undefined;
  /** Titles of hidden lines. */
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (titles: ReadonlySet<string>) => void;
  readonly onAddMatcher: (labels: ReadonlyMap<string, string>, operator: '=' | '!=') => void;
}

/** Width of an entry in pixels without title and value: line, gaps and padding. */
const entryExtra = 16 + 2 * 6 + 2 * 6 + 4;
/**
 * Number of characters reserved for a value, because values at the pointer have different lengths.
 */
const valueRoom = 11;
/** Measurements of a legend without a limit. */
const unlimited: MeasuredLegend = {
  width: Infinity,
  measureWords: () => 0,
  measureFigures: () => 0,
};

/** Legend with an entry for each line: its value at the pointer, or its share of the headline. */
export function SeriesLegend(props: LegendProps) {
  const { explore, isStrip, hovered, hidden, onAddMatcher } = props;
  const [isUnfolded, setUnfolded] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const measured = useMeasuredLegend(element);
  const isPhone = useMedia('(max-width: 719px)');
  const [opened, setOpened] = useState<SeriesMenuProps['opened']>();
  const menu = useLoaded(() => import('./series-menu.tsx'));
  const theme = useTheme();
  const { utc, selection } = usePlace().state;
  const { lines, measure, legend } = explore;
  const drawn = lines?.series ?? [];
  if (lines === undefined || drawn.length === 0) {
    return <div ref={element} className="series-legend" />;
  }
  const time = hovered === undefined ? undefined : lines.times[hovered];
  const rows = new Map(drawn.map(({ title }, i) => [title, i]));
  // The order does not change when the pointer moves over the graph.
  const isRanked =
    legend !== undefined &&
    (time === undefined || legend.series.every(({ title }) => rows.has(title)));
  const series = isRanked ? legend.series : drawn;
  const titles = series.map(({ title }) => title);
  const looks = lineLooks(titles);
  const formatValue = (i: number): string | undefined => {
    if (time === undefined) return legend && formatPart(legend, legend.shares[i], measure);
    const row = rows.get(series[i].title);
    const value = hovered === undefined || row === undefined ? null : lines.values[row][hovered];
    return value === null ? undefined : formatPerSecond(value, measure);
  };
  const parts = hovered === undefined ? [] : drawn.map((_, i) => partText(lines, i, hovered));
  const partOfBucket = parts.find((text) => text !== '') ?? '';
  const { hiddenCount } = legend ?? lines;
  const timeText = `${measure.delta ? '' : 'average '}of the ${selection === undefined ? 'range' : 'selection'}`;
  const bandText = `${plural(hiddenCount, 'smaller one')}, drawn as a band`;
  const {
    width,
    measureWords: wordsOf,
    measureFigures: figuresOf,
  } = (isStrip && measured) || unlimited;
  const valueWidth = figuresOf('0'.repeat(valueRoom));
  const { texts, count, isWhole, wholeWidth } = fitLegend(titles, {
    width,
    lines: isPhone ? 2 : 1,
    start: isPhone ? 0 : figuresOf(timeText) + 12,
    band: hiddenCount > 0 ? wordsOf(bandText) + valueWidth + 22 : 0,
    more: wordsOf(moreText(series.length + hiddenCount)) + 16,
    measureEntry: (text) => wordsOf(text) + valueWidth + entryExtra,
  });
  const isFolded = !isWhole && !isUnfolded;
  const shown = isFolded ? series.slice(0, count) : series;
  return (
    <div
      ref={element}
      className="series-legend"
      role="group"
      aria-label="Series"
      data-unfolded={isUnfolded}
      // The width does not depend on the content.
      style={isStrip && wholeWidth > 0 ? { width: wholeWidth } : undefined}
    >
      <span className="legend-time">
        {time === undefined ? timeText : clockText(time * 1e3, utc)}
        {partOfBucket}
      </span>
      {shown.map(({ title, labels }, i) => (
        <button
          type="button"
          key={title}
          className="series-entry"
          disabled={labels.size === 0}
          data-hidden={hidden.has(title)}
          title={labels.size === 0 ? title : `Show only ${title}; right click: hide, exclude`}
          onClick={() => onAddMatcher(labels, '=')}
          onContextMenu={(event) => {
            event.preventDefault();
            const { left, bottom } = event.currentTarget.getBoundingClientRect();
            // A key event has no position.
            const [x, y] = event.clientX > 0 ? [event.clientX, event.clientY] : [left, bottom];
            setOpened({ title, labels, x, y });
          }}
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
          <span className="series-value">{formatValue(i) ?? '–'}</span>
        </button>
      ))}
      {menu && opened && (
        <menu.SeriesMenu {...props} opened={opened} onClose={() => setOpened(undefined)} />
      )}
      {hiddenCount > 0 && !isFolded && (
        <span className="series-entry">
          <span className="series-title">{bandText}</span>
          {time === undefined && legend !== undefined && (
            <span className="series-value">
              {formatPart(legend, legend.hiddenShare, measure) ?? '–'}
            </span>
          )}
        </span>
      )}
      {!isWhole && (
        <button
          type="button"
          className="series-entry series-more"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Fewer' : moreText(series.length + hiddenCount - count)}
        </button>
      )}
    </div>
  );
}

function moreText(count: number): string {
  return `+ ${count} more`;
}

/** Formats a part of the headline in its unit. */
function formatPart({ total, coverage }: LegendTotals, share: number, measure: Measure) {
  return formatRate(BigInt(Math.round(Number(total) * share)), measure, coverage);
}

export function clockText(millis: number, utc: boolean): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...(utc ? { timeZone: 'UTC' } : {}),
  }).format(millis);
}
