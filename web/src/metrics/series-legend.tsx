// The legend of the metrics graph: values at the pointer, else shares of the headline.
import { useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import type { LegendTotals } from '../answers/use-over-time.ts';
import { fitTexts } from '../format/fit-names.ts';
import { formatPerSecond, formatRate, type Measure } from '../format/measure.ts';
import { usePlace } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import { useTheme } from '../page/theme.ts';
import { lineColours, lineLooks } from './line-looks.ts';
import type { SeriesMenuProps } from './series-menu.tsx';

interface LegendProps {
  readonly explore: Explore;
  readonly hovered: number | undefined;
  /** Titles of lines that are not drawn. */
  readonly hidden: ReadonlySet<string>;
  readonly onHide: (titles: ReadonlySet<string>) => void;
  readonly onAddMatcher: (labels: ReadonlyMap<string, string>, operator: '=' | '!=') => void;
}

/** Most characters of a series in the legend. */
const titleRoom = 40;

/**
 * The legend, with an entry for each line: its value at the pointer, else its share of the
 * headline.
 */
export function SeriesLegend(props: LegendProps) {
  const { explore, hovered, hidden, onAddMatcher } = props;
  const [opened, setOpened] = useState<SeriesMenuProps['opened']>();
  const menu = useLoaded(() => import('./series-menu.tsx'));
  const theme = useTheme();
  const { utc, selection } = usePlace().state;
  const { lines, measure, legend } = explore;
  const drawn = lines?.series ?? [];
  if (lines === undefined || drawn.length === 0) return <div className="series-legend" />;
  const time = hovered === undefined ? undefined : lines.times[hovered];
  const series = time === undefined ? (legend?.series ?? drawn) : drawn;
  const titles = series.map(({ title }) => title);
  const looks = lineLooks(titles);
  const texts = fitTexts(titles, titleRoom);
  const valueOf = (i: number): string | undefined => {
    if (time === undefined) return legend && partOf(legend, legend.shares[i], measure);
    const value = hovered === undefined ? null : lines.values[i][hovered];
    return value === null ? undefined : formatPerSecond(value, measure);
  };
  const { hiddenCount } = legend ?? lines;
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
          data-hidden={hidden.has(title)}
          title={labels.size === 0 ? title : `Show only ${title}; right click: hide, exclude`}
          onClick={() => onAddMatcher(labels, '=')}
          onContextMenu={(event) => {
            event.preventDefault();
            const { left, bottom } = event.currentTarget.getBoundingClientRect();
            // A key has no place.
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
          <span className="series-value">{valueOf(i) ?? '–'}</span>
        </button>
      ))}
      {menu && opened && (
        <menu.SeriesMenu {...props} opened={opened} onClose={() => setOpened(undefined)} />
      )}
      {hiddenCount > 0 && (
        <span className="series-entry">
          <span className="series-title">{hiddenCount} smaller ones, drawn as a band</span>
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

/** Formats a part of the headline in its unit. */
function partOf({ total, coverage }: LegendTotals, share: number, measure: Measure) {
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
