// Strip of sample times: a heatmap, or a line for each thread. A drag selects the samples of a time
// range for the graph below.
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { describeRefresh } from '../answers/refreshing.ts';
import type { Explore } from '../answers/use-explore.ts';
import { formatTotal } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { isDiff } from '../language/query-text.ts';
import { samplesSpan, withSamples } from '../language/stages.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { getJson } from '../rpc/json.ts';
import { PanelState } from '../states/panel-state.tsx';
import '../styles/times.css';
import { threadLabels, useLaneLabels } from './flame-chart.tsx';
import {
  bucketAt,
  fillCells,
  toBuckets,
  type Grid,
  makeGrid,
  moveBucket,
  strength,
  type Times,
  timesBetween,
  type TimesAnswer,
  type TimesLine,
} from './times-cells.ts';
import { timeBounds } from '../rpc/time-bounds.ts';

interface TimesStripProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
}

/** Number of buckets in a thread's line, about as many as fit on the screen. */
const lineBuckets = 300;

/** The strip. */
export function TimesStrip({ explore, edits }: TimesStripProps) {
  const { base, url } = useApp();
  const { state } = usePlace();
  const { query, selectedSpan: span } = explore;
  const isByThread = state.times === 'threads';
  const labels = useLaneLabels(explore);
  const thread = threadLabels.find((name) => labels?.some((label) => label.name === name));
  const all = useMemo(() => withSamples(query, undefined), [query]);
  const isAsked = !isDiff(query) && query !== '' && (!isByThread || thread !== undefined);
  const key = JSON.stringify(['times', all, span, isByThread ? thread : '']);
  const times = useResource(
    isAsked ? key : undefined,
    async (asking) => {
      const parameters = new URLSearchParams({ query: all, ...timeBounds(span) });
      if (isByThread && thread !== undefined) {
        parameters.set('by', thread);
        const step = Math.max(20, Math.ceil((span.to - span.from) / lineBuckets));
        parameters.set('step', `${step}ms`);
      }
      return (await getJson(base, 'heatmap', parameters, asking)) as TimesAnswer;
    },
    describeRefresh(explore, state, explore.isQuiet)('times', state.times),
  );
  const found = isAsked ? times.value : undefined;
  const answer = useMemo(
    () => (isByThread ? found : found && fillCells(found)),
    [found, isByThread],
  );
  const chosen = useMemo(() => samplesSpan(query), [query]);
  const choose = (next: Times | undefined) =>
    edits.apply((text, stages) => stages.withSamples(text, next));
  return (
    <section className="times-strip" aria-label="Times of samples">
      <div className="times-head">
        <div className="tabs" role="group" aria-label="Shown as">
          {(['heatmap', 'threads'] as const).map((kind) => (
            <button
              type="button"
              key={kind}
              aria-pressed={state.times === kind}
              onClick={() => url.change({ times: kind }, 'step')}
            >
              {kind === 'heatmap' ? 'Heatmap' : 'Threads'}
            </button>
          ))}
        </div>
        <output>{answer && describeTimes(answer, chosen, explore, state.utc)}</output>
        {chosen !== undefined && (
          <button type="button" className="button" onClick={() => choose(undefined)}>
            All samples
          </button>
        )}
        <button type="button" className="button" onClick={() => url.change({ times: '' }, 'step')}>
          Close
        </button>
      </div>
      {isDiff(query) && <p className="notice">A comparison has two times, so it has no strip.</p>}
      {isByThread && labels !== undefined && thread === undefined && (
        <p className="notice">No sample has a label of its thread.</p>
      )}
      {answer !== undefined && answer.lines.length > 0 && (
        <Lines answer={answer} to={span.to} isFlat={isByThread} chosen={chosen} onChoose={choose} />
      )}
      <PanelState resource={times} what="times of samples" />
    </section>
  );
}

/** Returns a description of the strip's content. */
function describeTimes(
  { lines, untimed, more }: TimesAnswer,
  chosen: Times | undefined,
  { measure }: Explore,
  isUtc: boolean,
): string {
  const timed = lines.reduce((sum, { total }) => sum + BigInt(total), BigInt(more.total));
  const rest = BigInt(untimed);
  if (timed === 0n) {
    return rest === 0n
      ? 'There are no samples.'
      : 'These profiles have no times of samples: the agent, OTLP, JFR, perf script and Firefox bring them.';
  }
  const share = Number(rest) / (Number(timed) + Number(rest));
  const without = rest === 0n ? '' : `, ${formatPercent(share)} more without times`;
  const others = more.lines === 0 ? '' : `, ${plural(more.lines, 'smaller line')} left out`;
  const told = `${formatTotal(timed, measure)} by time${without}${others}`;
  return chosen === undefined ? told : `${told}; ${describeSpan(chosen, isUtc)} chosen`;
}

/** Returns the time of day to the millisecond. */
function clock(millis: number, isUtc: boolean): string {
  const offset = isUtc ? 0 : new Date(millis).getTimezoneOffset() * 60_000;
  return new Date(millis - offset).toISOString().slice(11, 23);
}

interface LinesProps {
  readonly answer: TimesAnswer;
  /** End of the range in milliseconds. */
  readonly to: number;
  readonly isFlat: boolean;
  readonly chosen: Times | undefined;
  readonly onChoose: (times: Times) => void;
}

function Lines({ answer, to, isFlat, chosen, onChoose }: LinesProps) {
  const { utc } = usePlace().state;
  const grid = useMemo(() => makeGrid(answer, to, isFlat), [answer, to, isFlat]);
  const largest = useMemo(() => largestValue(answer), [answer]);
  const common = { grid, largest, chosen, onChoose };
  return (
    <>
      <div className={isFlat ? 'times-lines' : ''}>
        {answer.lines.map((line) => {
          const name = Object.values(line.labels).join(', ');
          return (
            <div className="times-line" key={name}>
              {isFlat && (
                <span className="times-name" title={name}>
                  {name === '' ? 'none' : name}
                </span>
              )}
              <Cells {...common} line={line} label={isFlat ? `Thread ${name}` : 'Heatmap'} />
            </div>
          );
        })}
      </div>
      <div className="times-axis" aria-hidden="true">
        <span>{clock(grid.startMillis, utc)}</span>
        <span>{isFlat ? '' : columnText(answer)}</span>
        <span>{clock(to, utc)}</span>
      </div>
    </>
  );
}

function columnText({ columnMillis }: TimesAnswer): string {
  return columnMillis === 1_000
    ? 'a column is a second, from top to bottom'
    : 'a column is a minute, from top to bottom';
}

function largestValue({ lines }: TimesAnswer): number {
  let largest = 0;
  for (const { values } of lines) {
    for (const value of values) if (Number(value) > largest) largest = Number(value);
  }
  return largest;
}

interface CellsProps {
  readonly grid: Grid;
  readonly line: TimesLine;
  readonly largest: number;
  readonly label: string;
  readonly chosen: Times | undefined;
  readonly onChoose: (times: Times) => void;
}

/** Cells of a line. A drag, or Shift with arrow keys and Enter, selects times. */
function Cells({ grid, line, largest, label, chosen, onChoose }: CellsProps) {
  const { utc } = usePlace().state;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [brush, setBrush] = useState<readonly [anchor: number, cursor: number]>();
  const kept = chosen && toBuckets(grid, chosen);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const draw = () => drawCells(element, grid, line, largest, sorted(brush) ?? kept);
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', draw);
    };
  });
  const cellAt = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return bucketAt(grid, (clientX - left) / width, (clientY - top) / height);
  };
  const apply = ([anchor, cursor]: readonly [number, number]) => {
    setBrush(undefined);
    onChoose(timesBetween(grid, anchor, cursor));
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [anchor, cursor] = brush ?? kept ?? [0, 0];
    const next = moveBucket(grid, cursor, event.key);
    if (next !== undefined) setBrush([event.shiftKey ? anchor : next, next]);
    else if (event.key === 'Enter' && brush !== undefined) apply(brush);
    else if (event.key === 'Escape' && brush !== undefined) setBrush(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const told = brush === undefined ? '' : describeSpan(timesBetween(grid, ...brush), utc);
  return (
    <div
      className="times-cells"
      role="application"
      tabIndex={0}
      aria-label={`${label}. Arrows move, Shift with arrows selects, Enter shows these samples. ${told}`}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setBrush([cellAt(event), cellAt(event)]);
      }}
      onPointerMove={(event) => {
        if (brush !== undefined && event.buttons === 1) setBrush([brush[0], cellAt(event)]);
      }}
      onPointerUp={(event) => {
        if (brush !== undefined) apply([brush[0], cellAt(event)]);
      }}
      onPointerCancel={() => setBrush(undefined)}
    >
      <canvas ref={canvas} />
    </div>
  );
}

function describeSpan({ from, to }: Times, isUtc: boolean): string {
  return `${clock(from, isUtc)} to ${clock(to, isUtc)}`;
}

function sorted(
  brush: readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  return brush && [Math.min(...brush), Math.max(...brush)];
}

/** Draws cells in the accent colour; cells outside of the selected times are paler. */
function drawCells(
  canvas: HTMLCanvasElement,
  { columns, rows }: Grid,
  { buckets, values }: TimesLine,
  largest: number,
  shown: readonly [first: number, last: number] | undefined,
): void {
  const { clientWidth, clientHeight } = canvas;
  const scale = devicePixelRatio;
  canvas.width = Math.round(clientWidth * scale);
  canvas.height = Math.round(clientHeight * scale);
  const context = canvas.getContext('2d');
  if (context === null) return;
  const [width, height] = [canvas.width / columns, canvas.height / rows];
  const style = getComputedStyle(canvas);
  const [accent, control] = ['--accent', '--control'].map((name) => style.getPropertyValue(name));
  const cell = (bucket: number) => {
    const [x, y] = [Math.floor(bucket / rows) * width, (bucket % rows) * height];
    context.fillRect(x, y, Math.max(1, width), Math.max(1, height));
  };
  if (shown !== undefined) {
    context.fillStyle = accent;
    context.globalAlpha = 0.12;
    for (let bucket = shown[0]; bucket <= shown[1]; bucket += 1) cell(bucket);
  }
  buckets.forEach((bucket, i) => {
    const isOut = shown !== undefined && (bucket < shown[0] || bucket > shown[1]);
    context.fillStyle = isOut ? control : accent;
    context.globalAlpha = strength(Number(values[i]), largest) * (isOut ? 0.6 : 1);
    cell(bucket);
  });
}
