// Accessible version of the metrics graph for screen readers: a spoken cursor, and a table of the
// lines.
import type { KeyboardEvent, ReactNode } from 'react';
import { type MetricsData, partlyCovered } from '../answers/metrics-data.ts';
import { formatPerSecond, type Measure } from '../format/measure.ts';
import { formatNanos } from '../format/numbers.ts';
import { opensMenu, useMenuPress } from '../parts/context-menu.tsx';

/** Maximum number of rows in the table; other times are omitted. */
const rowsMax = 60;

interface MetricsTwinProps {
  readonly data: MetricsData;
  readonly measure: Measure;
  readonly timeText: (millis: number) => string;
  /** Cursor position as an index into `data.times`. */
  readonly cursor: number | undefined;
  readonly onCursor: (index: number) => void;
  /** Called by Enter, which selects the time. */
  readonly onChoose: (index: number) => void;
  /** Called by the shortcut that marks the time. */
  readonly onMark: (index: number) => void;
  /** Called with the position of a right click or a long press. */
  readonly onMenu: (x: number, y: number) => void;
  /** The drawing. */
  readonly children: ReactNode;
}

/**
 * The accessible version. Left and Right move the time, Home and End jump, Enter selects it, `m`
 * marks it.
 */
export function MetricsTwin(props: MetricsTwinProps) {
  const { data, measure, timeText, cursor, onCursor, onChoose, onMark, onMenu, children } = props;
  const last = data.times.length - 1;
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || last < 0) return;
    const next = new Map([
      ['ArrowLeft', Math.max(0, (cursor ?? last + 1) - 1)],
      ['ArrowRight', Math.min(last, (cursor ?? last) + 1)],
      ['Home', 0],
      ['End', last],
    ]).get(event.key);
    if (next !== undefined) onCursor(next);
    else if (cursor === undefined) return;
    else if (event.key === 'Enter') onChoose(cursor);
    else if (event.key === 'm') onMark(cursor);
    else if (opensMenu(event)) {
      const box = event.currentTarget.getBoundingClientRect();
      onMenu(box.left + box.width / 2, box.bottom);
    } else return;
    event.preventDefault();
  };
  const press = useMenuPress(onMenu);
  return (
    <>
      <div
        className="metrics-cursor"
        role="slider"
        tabIndex={0}
        aria-label="Time in the graph"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={cursor ?? Math.max(0, last)}
        aria-valuetext={cursor === undefined ? 'no time' : sentence(props, cursor)}
        onKeyDown={pressed}
        {...press}
      >
        {children}
      </div>
      {/* A table is as wide as its content, even if hidden. */}
      <div className="visually-hidden">
        <table>
          <caption>Profiles over time</caption>
          <thead>
            <tr>
              <th scope="col">Time</th>
              {data.series.map(({ title }) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listRows(data.times.length).map((row) => (
              <tr key={data.times[row]}>
                <th scope="row">{timeText(data.times[row] * 1e3)}</th>
                {data.values.map((line, i) => (
                  <td key={data.series[i].title}>
                    {valueText(line[row], measure)}
                    {partText(data, i, row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Returns a sentence: "11:29:20, job=t 1.00 cores". */
function sentence({ data, measure, timeText }: MetricsTwinProps, row: number): string {
  const values = data.series.map(
    ({ title }, i) =>
      `${title} ${valueText(data.values[i][row], measure)}${partText(data, i, row)}`,
  );
  return [timeText(data.times[row] * 1e3), ...values].join(', ');
}

function valueText(value: number | null, measure: Measure): string {
  return value === null ? 'none' : formatPerSecond(value, measure);
}

/** Returns ", profiled for 20 s of 1 min 12 s" for an unfinished bucket. */
export function partText(data: MetricsData, series: number, row: number): string {
  const seconds = partlyCovered(data, series, row);
  if (seconds === undefined || data.values[series][row] === null) return '';
  return `, profiled for ${formatNanos(seconds * 1e9)} of ${formatNanos(data.stepSeconds * 1e9)}`;
}

/** Chooses up to `rowsMax` rows at equal distances, always including the last row. */
function listRows(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / rowsMax));
  const rows = Array.from({ length: Math.ceil(count / step) }, (_, i) => count - 1 - i * step);
  return rows.reverse();
}
