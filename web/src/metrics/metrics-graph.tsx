// Metrics graph: lines over the chosen range. A drag selects a time range, a click selects a
// bucket.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { type MetricsData, pointSpan, splitByCoverage } from '../answers/metrics-data.ts';
import type { Measure } from '../format/measure.ts';
import { now } from '../page/clock.ts';
import type { Span } from '../rpc/api.ts';
import { timeAxisTexts, valueAxisTexts } from './axis.ts';
import { lineColours, lineLooks } from './line-looks.ts';

const chrome = {
  light: { axis: '#4A5260', grid: '#E9ECF1', band: 'rgba(29, 91, 198, 0.14)', edge: '#1D5BC6' },
  dark: { axis: '#AAB3C0', grid: '#20262E', band: 'rgba(130, 177, 255, 0.18)', edge: '#82B1FF' },
} as const;

/** Dashes of a line between unfinished buckets. */
const unfinishedDash = [3, 4];
const unfinishedAlpha = 0.75;

/** Steps of a byte axis that give round numbers. */
const byteSteps = Array.from({ length: 50 }, (_, i) => 2 ** i);

/**
 * Fraction of the range that the wheel zooms per pixel; the shortest range; and the time without an
 * event, in milliseconds, after which the wheel is idle.
 */
const zoomPerPixel = 0.0025;
const rangeMillisMin = 10_000;
const restMillis = 200;

/** Range chosen with the wheel but not requested yet. */
interface Wheel {
  wished: Span | undefined;
}

interface MetricsGraphProps {
  readonly data: MetricsData;
  readonly span: Span;
  readonly stepMillis: number;
  readonly selection: Span | undefined;
  readonly theme: 'light' | 'dark';
  readonly utc: boolean;
  readonly height: number;
  /** True if the graph has lines but no axes. */
  readonly isStrip: boolean;
  readonly measure: Measure;
  /** Titles of hidden lines. */
  readonly hidden: ReadonlySet<string>;
  /** Cursor position as an index into `data.times`. */
  readonly cursor: number | undefined;
  readonly onSelect: (selection: Span) => void;
  /** Called when the wheel changes the range. */
  readonly onRange: (range: Span) => void;
  /** Called with the index into `data.times` at the pointer. */
  readonly onHover: (index: number | undefined) => void;
}

/**
 * The graph. It reuses the uPlot object while lines, theme and height stay the same, so that new
 * values do not disturb the user.
 */
export function MetricsGraph(props: MetricsGraphProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  /** Data in the plot. */
  const drawn = useRef<MetricsData | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const { data, span, theme, utc, height, selection, measure, hidden } = props;
  const titles = JSON.stringify(data.series.map(({ title }) => title));

  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const { data: first } = latest.current;
    const created = new uPlot(plotOptions(latest, element.clientWidth), alignData(first), element);
    plot.current = created;
    drawn.current = first;
    const resize = new ResizeObserver(() => {
      created.setSize({ width: element.clientWidth, height: latest.current.height });
    });
    resize.observe(element);
    return () => {
      resize.disconnect();
      created.destroy();
      plot.current = undefined;
    };
  }, [titles, theme, utc, height, measure]);

  useEffect(() => {
    const created = plot.current;
    if (created !== undefined && drawn.current !== data) created.setData(alignData(data));
    drawn.current = data;
  }, [data, span.from, span.to]);

  useEffect(() => {
    const { series } = latest.current.data;
    series.forEach(({ title }, i) => {
      const show = !hidden.has(title);
      plot.current?.setSeries(i + 1, { show });
      plot.current?.setSeries(series.length + i + 1, { show });
    });
  }, [hidden, titles]);

  // The keyboard moves the cursor, too. If the pointer moved it, it is already there.
  const { cursor } = props;
  useEffect(() => {
    const created = plot.current;
    if (created === undefined || cursor === undefined || created.cursor.idx === cursor) return;
    const left = created.valToPos(data.times[cursor], 'x');
    created.setCursor({ left, top: 0 });
  }, [cursor, data]);

  useEffect(() => plot.current?.redraw(false), [selection?.from, selection?.to]);

  return <div className="metrics-plot" ref={host} aria-hidden="true" />;
}

function alignData(data: MetricsData): uPlot.AlignedData {
  const { low, high } = data.rest;
  const lines = data.values.map((_, i) => splitByCoverage(data, i));
  return [
    [...data.times],
    ...lines.map(([whole]) => whole),
    ...lines.map(([, unfinished]) => unfinished),
    [...high],
    [...low],
  ];
}

function plotOptions(
  latest: { readonly current: MetricsGraphProps },
  width: number,
): uPlot.Options {
  const { data, theme, utc, height, isStrip, measure } = latest.current;
  const colours = lineColours[theme];
  const looks = lineLooks(data.series.map(({ title }) => title));
  const { axis, grid } = chrome[theme];
  const single = data.series.length === 1;
  const wheel: Wheel = { wished: undefined };
  return {
    width,
    height,
    legend: { show: false },
    padding: isStrip ? [2, 4, 2, 4] : [8, 24, 0, 0],
    ...(utc ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1e3), 'UTC') } : {}),
    scales: {
      x: { time: true, range: () => toSeconds(wheel.wished ?? latest.current.span) },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 }, y: false },
    axes: [
      {
        show: !isStrip,
        stroke: axis,
        grid: { stroke: grid, width: 1 },
        ticks: { show: false },
        size: 28,
        space: 80,
        values: (_plot, times, _axis, _space, step) => timeAxisTexts(times, step, utc),
      },
      {
        show: !isStrip,
        stroke: axis,
        grid: { stroke: grid, width: 1 },
        ticks: { show: false },
        size: 80,
        space: 36,
        ...(measure.kind === 'bytes' ? { incrs: byteSteps } : {}),
        values: (plot, values) => valueAxisTexts(values, plot.scales['y'].max ?? 0, measure),
      },
    ],
    series: [
      {},
      ...looks.map(({ colour, dash }, i) => ({
        stroke: colours[colour],
        width: 1.5,
        ...(dash === undefined ? {} : { dash: [...dash] }),
        ...(single ? { fill: `${colours[colour]}22` } : {}),
        show: !latest.current.hidden.has(data.series[i].title),
        points: { show: () => isSparse(latest.current.data, i), size: 5 },
      })),
      // The same lines again, for unfinished buckets.
      ...looks.map(({ colour }, i) => ({
        stroke: colours[colour],
        width: 1.5,
        dash: [...unfinishedDash],
        alpha: unfinishedAlpha,
        show: !latest.current.hidden.has(data.series[i].title),
        points: { show: false },
      })),
      // Upper and lower edge of the series without a line.
      { stroke: grid, points: { show: false } },
      { stroke: grid, points: { show: false } },
    ],
    bands: [{ series: [2 * looks.length + 1, 2 * looks.length + 2], fill: `${axis}33` }],
    hooks: plotHooks(latest, wheel),
  };
}

function toSeconds({ from, to }: Span): [number, number] {
  return [from / 1e3, to / 1e3];
}

/** Returns true if points are so sparse that they would be invisible without dots. */
function isSparse(data: MetricsData, series: number): boolean {
  return (data.values[series] ?? []).filter((value) => value !== null).length < 30;
}

function plotHooks(
  latest: { readonly current: MetricsGraphProps },
  wheel: Wheel,
): uPlot.Hooks.Arrays {
  return {
    drawClear: [(plot) => drawSelection(plot, latest.current)],
    setCursor: [
      ({ cursor }) => {
        // Moves caused by new data or the keyboard have no event, and are not reported.
        if (cursor.event) latest.current.onHover(cursor.idx ?? undefined);
      },
    ],
    setSelect: [
      (plot) => {
        if (plot.select.width < 2) return;
        const from = Math.round(plot.posToVal(plot.select.left, 'x') * 1e3);
        const to = Math.round(plot.posToVal(plot.select.left + plot.select.width, 'x') * 1e3);
        plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        latest.current.onSelect({ from, to });
      },
    ],
    ready: [
      (plot) => {
        let pressedAt = 0;
        plot.over.addEventListener('mousedown', (event) => {
          pressedAt = event.clientX;
        });
        zoomByWheel(plot, latest, wheel);
        plot.over.addEventListener('click', (event) => {
          if (Math.abs(event.clientX - pressedAt) < 3) selectPoint(plot, latest.current);
        });
      },
    ],
  };
}

/** Zooms around the pointer; the range is changed when the wheel rests. */
function zoomByWheel(
  plot: uPlot,
  latest: { readonly current: MetricsGraphProps },
  wheel: Wheel,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const zoom = (event: WheelEvent) => {
    event.preventDefault();
    const { from, to } = wheel.wished ?? latest.current.span;
    const box = plot.over.getBoundingClientRect();
    const at = from + ((event.clientX - box.left) / box.width) * (to - from);
    const length = Math.max(rangeMillisMin, (to - from) * Math.exp(event.deltaY * zoomPerPixel));
    const start = Math.round(at - ((at - from) / (to - from)) * length);
    // The range does not extend into the future.
    const wished = {
      from: start,
      to: Math.min(Math.round(start + length), Math.max(to, now())),
    };
    wheel.wished = wished;
    plot.setScale('x', { min: wished.from / 1e3, max: wished.to / 1e3 });
    clearTimeout(timer);
    timer = setTimeout(() => {
      latest.current.onRange(wished);
      wheel.wished = undefined;
    }, restMillis);
  };
  plot.over.addEventListener('wheel', zoom, { passive: false });
}

function selectPoint(plot: uPlot, { data, stepMillis, onSelect }: MetricsGraphProps): void {
  const { idx } = plot.cursor;
  const time = idx === null || idx === undefined ? undefined : data.times[idx];
  if (time !== undefined) onSelect(pointSpan(time, stepMillis));
}

function drawSelection(plot: uPlot, { selection, theme }: MetricsGraphProps): void {
  if (selection === undefined) return;
  const { ctx, bbox } = plot;
  const clamp = (x: number) => Math.min(bbox.left + bbox.width, Math.max(bbox.left, x));
  const left = clamp(plot.valToPos(selection.from / 1e3, 'x', true));
  const right = clamp(plot.valToPos((selection.to + 1) / 1e3, 'x', true));
  ctx.save();
  ctx.fillStyle = chrome[theme].band;
  ctx.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height);
  ctx.fillStyle = chrome[theme].edge;
  ctx.fillRect(left, bbox.top, devicePixelRatio, bbox.height);
  ctx.fillRect(
    Math.max(left + 2, right) - devicePixelRatio,
    bbox.top,
    devicePixelRatio,
    bbox.height,
  );
  ctx.restore();
}
