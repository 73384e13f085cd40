// One side of a comparison over time: its line and the compared times. A single time can be
// dragged.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { type MetricsData, splitByCoverage } from '../answers/metrics-data.ts';
import type { Span } from '../rpc/api.ts';

/** A time at which the compared time can start. */
export interface StripMark {
  readonly at: number;
  /** Description, such as "v2 deployed at 10:00:00". */
  readonly title: string;
  readonly glyph: string;
}

interface SideStripProps {
  /** Title of the strip, such as "A before". */
  readonly title: string;
  readonly lines: MetricsData | undefined;
  /** Time range of the strip, and the compared times in it. */
  readonly window: Span;
  readonly spans: readonly Span[];
  /** True if there is a single compared time, which can be moved. */
  readonly isMovable: boolean;
  /** Value at the top of the strip. */
  readonly max: number;
  /** Description of the compared times. */
  readonly spanText: string;
  readonly marks: readonly StripMark[];
  readonly onMove: (millis: number, isDragged: boolean) => void;
}

const height = 100;
const width = 1_000;

/** The strip. Arrow keys move the compared time by a tenth of its duration. */
export function SideStrip(props: SideStripProps) {
  const { title, lines, window, spans, isMovable, max, spanText, marks, onMove } = props;
  const host = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly by: number }>();
  const length = window.to - window.from;
  const share = (millis: number) => (millis - window.from) / length;
  const moved = drag === undefined ? 0 : toMillis(drag.by);

  function toStyle({ from, to }: Span) {
    return { left: `${share(from + moved) * 100}%`, width: `${((to - from) / length) * 100}%` };
  }

  function toMillis(pixels: number): number {
    const pixelsWide = host.current?.clientWidth ?? 1;
    return Math.round(((pixels / pixelsWide) * length) / 1_000) * 1_000;
  }

  const keyed = (event: KeyboardEvent, span: Span) => {
    const step = Math.max(1_000, Math.round((span.to - span.from) / 10_000) * 1_000);
    const millis = new Map([
      ['ArrowLeft', -step],
      ['ArrowRight', step],
    ]).get(event.key);
    if (millis === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onMove(millis, false);
  };
  return (
    <div className="side-strip" ref={host}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {lines?.series.map((series, i) => {
          const [whole, unfinished] = splitByCoverage(lines, i);
          const path = (values: typeof whole) =>
            drawPath(lines.times, values, (seconds) => share(seconds * 1e3), max);
          return (
            <g key={series.title}>
              <path d={path(whole)} />
              <path d={path(unfinished)} strokeDasharray="3 4" />
            </g>
          );
        })}
      </svg>
      {spans.map((span) =>
        isMovable ? (
          <div
            key="moved"
            className="side-band movable"
            role="slider"
            tabIndex={0}
            aria-label={`Time of ${title}`}
            aria-valuemin={window.from}
            aria-valuemax={window.to}
            aria-valuenow={span.from}
            aria-valuetext={spanText}
            title="Drag to compare another time"
            style={toStyle(span)}
            onKeyDown={(event) => keyed(event, span)}
            onPointerDown={(event: PointerEvent) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ start: event.clientX, by: 0 });
            }}
            onPointerMove={(event) => {
              if (drag !== undefined) setDrag({ ...drag, by: event.clientX - drag.start });
            }}
            onPointerUp={() => {
              setDrag(undefined);
              if (moved !== 0) onMove(moved, true);
            }}
            onPointerCancel={() => setDrag(undefined)}
          />
        ) : (
          <div key={span.from} className="side-band" title={spanText} style={toStyle(span)} />
        ),
      )}
      {marks.map(({ at, title: came, glyph }) => (
        <button
          type="button"
          key={`${at} ${came}`}
          className="side-deploy"
          style={{ left: `${share(at) * 100}%` }}
          disabled={!isMovable}
          aria-label={isMovable ? `${came}: begin ${title} there` : came}
          title={isMovable ? `${came}: begin there` : came}
          onClick={() => onMove(Math.round((at - spans[0].from) / 1_000) * 1_000, false)}
        >
          <span aria-hidden="true">{glyph}</span>
        </button>
      ))}
    </div>
  );
}

function drawPath(
  times: MetricsData['times'],
  values: readonly (number | null | undefined)[],
  share: (seconds: number) => number,
  max: number,
): string {
  let path = '';
  let isDrawing = false;
  values.forEach((value, i) => {
    if (value === null) isDrawing = false;
    if (value === null || value === undefined) return;
    const x = (share(times[i]) * width).toFixed(1);
    const y = (height - 4 - (max > 0 ? value / max : 0) * (height - 8)).toFixed(1);
    // A line without length is drawn as a dot.
    path += isDrawing ? `L${x} ${y}` : `M${x} ${y}L${x} ${y}`;
    isDrawing = true;
  });
  return path;
}
