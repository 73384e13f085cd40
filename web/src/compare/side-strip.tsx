// One side of a comparison over time: its line, and the compared span, which can be dragged.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { bridgeHoles, type MetricsData } from '../answers/metrics-data.ts';
import { clockText } from '../metrics/series-legend.tsx';
import type { Span } from '../rpc/api.ts';
import type { Deploy } from './versions.ts';

interface SideStripProps {
  /** "A before" */
  readonly title: string;
  readonly lines: MetricsData | undefined;
  /** The time of the whole strip, and the compared part of it. */
  readonly window: Span;
  readonly span: Span;
  /** The value at the upper edge. */
  readonly max: number;
  /** The compared times in words. */
  readonly spanText: string;
  readonly deploys: readonly Deploy[];
  readonly utc: boolean;
  readonly onMove: (millis: number, isDragged: boolean) => void;
}

const height = 100;
const width = 1_000;

/** Arrow keys move the span by a tenth of it. */
export function SideStrip(props: SideStripProps) {
  const { title, lines, window, span, max, spanText, deploys, utc, onMove } = props;
  const host = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly start: number; readonly by: number }>();
  const length = window.to - window.from;
  const share = (millis: number) => (millis - window.from) / length;
  const moved = drag === undefined ? 0 : millisOf(drag.by);

  function millisOf(pixels: number): number {
    const pixelsWide = host.current?.clientWidth ?? 1;
    return Math.round(((pixels / pixelsWide) * length) / 1_000) * 1_000;
  }

  const keyed = (event: KeyboardEvent) => {
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
        {lines?.series.map((series, i) => (
          <path key={series.title} d={pathOf(lines, i, (seconds) => share(seconds * 1e3), max)} />
        ))}
      </svg>
      <div
        className="side-band"
        role="slider"
        tabIndex={0}
        aria-label={`Time of ${title}`}
        aria-valuemin={window.from}
        aria-valuemax={window.to}
        aria-valuenow={span.from}
        aria-valuetext={spanText}
        title="Drag to compare another time"
        style={{
          left: `${share(span.from + moved) * 100}%`,
          width: `${((span.to - span.from) / length) * 100}%`,
        }}
        onKeyDown={keyed}
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
      {deploys.map(({ value, since }) => {
        const came = `${value} came at ${clockText(since, utc)}`;
        return (
          <button
            type="button"
            key={value}
            className="side-deploy"
            style={{ left: `${share(since) * 100}%` }}
            aria-label={`${came}: begin ${title} there`}
            title={`${came}: begin there`}
            onClick={() => onMove(Math.round((since - span.from) / 1_000) * 1_000, false)}
          >
            <span aria-hidden="true">▾</span>
          </button>
        );
      })}
    </div>
  );
}

function pathOf(
  { times, values }: MetricsData,
  series: number,
  share: (seconds: number) => number,
  max: number,
): string {
  let path = '';
  let isDrawing = false;
  bridgeHoles(values[series], values).forEach((value, i) => {
    if (value === null) isDrawing = false;
    if (value === null || value === undefined) return;
    const x = (share(times[i]) * width).toFixed(1);
    const y = (height - 4 - (max > 0 ? value / max : 0) * (height - 8)).toFixed(1);
    // A line with no length is drawn as a dot.
    path += isDrawing ? `L${x} ${y}` : `M${x} ${y}L${x} ${y}`;
    isDrawing = true;
  });
  return path;
}
