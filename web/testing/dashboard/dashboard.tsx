// Renders the panels of a dashboard with the graphs of the page. `test/e2e/dashboard-pictures.ts`
// opens it and provides the data.
import { useLayoutEffect, useMemo, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import type { PanelAnswer, PanelGraph, PanelLine } from '../../../test/support/panel-answers.ts';
import type { Panel } from '../../../test/support/dashboards.ts';
import type { MetricsData } from '../../src/answers/metrics-data.ts';
import { assignHues, autoGrouping, lightPalette } from '../../src/canvas/colours.ts';
import { Painter } from '../../src/canvas/painter.ts';
import { wholeView } from '../../src/canvas/view.ts';
import type { Measure } from '../../src/format/measure.ts';
import { lineColours, lineLooks } from '../../src/metrics/line-looks.ts';
import { MetricsGraph } from '../../src/metrics/metrics-graph.tsx';
import { treeOfRows } from '../../src/tree/build-tree.ts';
import type { Span } from '../../src/rpc/api.ts';
import { rowsOfGraph } from './flame-rows.ts';

/** A dashboard with the answers to its queries. */
export interface ShownDashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly panel: Panel;
    readonly answers: readonly PanelAnswer[];
  }[];
  readonly span: Span;
}

declare global {
  interface Window {
    showDashboard(shown: ShownDashboard): void;
  }
}

/** Pixels per row in Grafana's grid, and gap between rows. */
const rowPixels = 22;
const gapPixels = 8;

/** Grafana's units on the axes of the page, and their factors. */
const units: Readonly<
  Record<string, Pick<Measure, 'kind' | 'delta'> & { readonly factor: number }>
> = {
  cores: { kind: 'cpu', delta: true, factor: 1 },
  ns: { kind: 'wait', delta: true, factor: 1e-9 },
  bytes: { kind: 'bytes', delta: false, factor: 1 },
  binBps: { kind: 'bytes', delta: true, factor: 1 },
  Bps: { kind: 'bytes', delta: true, factor: 1 },
  s: { kind: 'cpu', delta: false, factor: 1e9 },
  ops: { kind: 'count', delta: true, factor: 1 },
  short: { kind: 'count', delta: false, factor: 1 },
};

const noneHidden: ReadonlySet<string> = new Set();
const ignore = (): void => undefined;

function Dashboard({ shown }: { readonly shown: ShownDashboard }) {
  return (
    <main className="dashboard">
      <h1>{shown.title}</h1>
      {shown.panels.map(({ panel, answers }) => (
        <PanelView key={panel.id} panel={panel} answers={answers} span={shown.span} />
      ))}
    </main>
  );
}

interface PanelProps {
  readonly panel: Panel;
  readonly answers: readonly PanelAnswer[];
  readonly span: Span;
}

function PanelView({ panel, answers, span }: PanelProps) {
  const { x, w, h } = panel.gridPos;
  const height = h * rowPixels + (h - 1) * gapPixels;
  const [first] = answers;
  const unit = units[first.unit ?? panel.fieldConfig?.defaults.unit ?? 'short'];
  const lines = answers.flatMap((answer) => answer.lines);
  return (
    <section style={{ gridColumn: `${x + 1} / span ${w}`, height }}>
      <h2>{panel.title}</h2>
      {first.graph === undefined ? (
        <Lines lines={lines} unit={unit} span={span} height={height - 66} />
      ) : (
        <Flame graph={first.graph} />
      )}
    </section>
  );
}

interface LinesProps {
  readonly lines: readonly PanelLine[];
  readonly unit: (typeof units)[string];
  readonly span: Span;
  readonly height: number;
}

function Lines({ lines, unit, span, height }: LinesProps) {
  const data = useMemo(() => dataOf(lines, unit.factor), [lines, unit]);
  const looks = lineLooks(data.series.map(({ title }) => title));
  if (lines.length === 0) return <p className="panel-message">No data</p>;
  return (
    <>
      <MetricsGraph
        data={data}
        span={span}
        stepMillis={data.stepSeconds * 1_000}
        selection={undefined}
        theme="light"
        utc
        height={height}
        isStrip={false}
        measure={{ kind: unit.kind, delta: unit.delta, sampled: false }}
        hidden={noneHidden}
        cursor={undefined}
        onSelect={ignore}
        onRange={ignore}
        onHover={ignore}
      />
      <p className="names">
        {data.series.map(({ title }, i) => (
          <span key={title}>
            <i style={{ background: lineColours.light[looks[i].colour] }} />
            {title}
          </span>
        ))}
      </p>
    </>
  );
}

function dataOf(lines: readonly PanelLine[], factor: number): MetricsData {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(([time]) => time)))].sort(
    (a, b) => a - b,
  );
  const values = lines.map(({ points }) => {
    const byTime = new Map(points);
    return times.map((time) => {
      const value = byTime.get(time);
      return value === undefined ? null : value * factor;
    });
  });
  const none = times.map(() => null);
  return {
    times,
    values,
    covered: lines.map(() => none),
    usualCovered: lines.map(() => 0),
    stepSeconds: (times[1] ?? 1) - (times[0] ?? 0),
    series: lines.map(({ title }) => ({ labels: new Map(), title, max: 0 })),
    hiddenCount: 0,
    rest: { low: none, high: none },
  };
}

function Flame({ graph }: { readonly graph: PanelGraph }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    const { clientWidth, clientHeight } = canvas.current;
    canvas.current.width = clientWidth * devicePixelRatio;
    canvas.current.height = clientHeight * devicePixelRatio;
    const answer = rowsOfGraph(graph);
    const total = answer.rows.cumulative[0] ?? 0n;
    const tree = treeOfRows(answer, { total, trimmed: 0n, isDiff: false }, 'value');
    const grouping = tree.groups[autoGrouping(tree.groups)];
    const hues = assignHues(grouping, lightPalette.hues.length);
    const painter = new Painter(canvas.current, document.createElement('canvas'), devicePixelRatio);
    painter.paint(
      {
        tree,
        view: wholeView,
        palette: lightPalette,
        hueOfName: Int32Array.from(grouping.ofName, (group) => hues[group]),
        steps: undefined,
        hit: undefined,
        highlightedNames: undefined,
        zoomRow: 0,
        isFlipped: false,
        hiddenDepths: 0,
        nameAt: (name) => answer.names[name],
      },
      0,
    );
  }, [graph]);
  return <canvas className="flame" ref={canvas} />;
}

const root = createRoot(document.getElementById('app') ?? document.body);
window.showDashboard = (shown) => root.render(<Dashboard shown={shown} />);
