// Tooltip of a frame, and pinned details; loaded after the first graph.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { askFunctionSeries } from '../answers/function-series.ts';
import type { Explore } from '../answers/use-explore.ts';
import type { IcicleHandle } from '../canvas/icicle.tsx';
import type { Hit } from '../canvas/hit-test.ts';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { invertedQuery, isDiff } from '../language/query-text.ts';
import { useApp } from '../page/app-context.ts';
import { type Store, useStore } from '../page/store.ts';
import { FunctionName, breakable } from '../parts/function-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { noPoints, type SparkPoints } from '../parts/sparkline-path.ts';
import '../styles/sparks.css';
import { functionTotals } from '../tree/tree-texts.ts';
import { labelFlag } from '../tree/tree.ts';
import { collectFacts, type FrameContext, selfWord } from './frame-facts.ts';
import { type PointedFrame, useFrameRow } from './icicle-state.ts';

interface PointedTooltipProps {
  readonly store: Store<PointedFrame | undefined>;
  readonly context: FrameContext;
  readonly explore: Explore;
  readonly handle: RefObject<IcicleHandle | null>;
}

/** The tooltip of the frame under the pointer. */
export function PointedTooltip({ store, context, explore, handle }: PointedTooltipProps) {
  const pointed = useStore(store);
  const row = useFrameRow(pointed, context.tree, context.texts);
  if (pointed === undefined || row === undefined) return null;
  const box = handle.current?.rowBox(row);
  if (box === undefined) return null;
  return (
    <FrameTooltip
      key={pointed.hit.row}
      context={context}
      explore={explore}
      hit={{ ...pointed.hit, row }}
      box={box}
      x={pointed.x}
    />
  );
}

interface TooltipProps {
  readonly context: FrameContext;
  readonly explore: Explore;
  readonly hit: Hit;
  /** Rectangle of the frame, which the tooltip never covers. */
  readonly box: DOMRect;
  readonly x: number;
}

const restMillis = 120;
const margin = 8;

/** The tooltip, which appears after a short delay, below or above the frame, inside the window. */
function FrameTooltip({ context, explore, hit, box, x }: TooltipProps) {
  const [shown, setShown] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), restMillis);
    return () => clearTimeout(timer);
  }, []);
  useLayoutEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    const { width, height } = tip.getBoundingClientRect();
    const left = Math.max(margin, Math.min(x + 12, innerWidth - width - margin));
    const below = box.bottom + margin;
    const top = below + height < innerHeight ? below : Math.max(margin, box.top - height - margin);
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  });
  if (!shown) return null;
  return (
    <div ref={element} className="tooltip" role="presentation">
      {hit.frames > 1 ? (
        <p>
          {plural(hit.frames, 'frame')} narrower than a pixel, together {formatPercent(hit.share)}.
          Click to open the widest.
        </p>
      ) : (
        <TooltipFacts context={context} explore={explore} row={hit.row} />
      )}
    </div>
  );
}

interface PinnedDetailsProps {
  readonly context: FrameContext;
  readonly explore: Explore;
  readonly row: number;
  /** Position of the pinned details in client coordinates. */
  readonly x: number;
  readonly y: number;
  /** True if the frame is not in the last answer. */
  readonly isGone: boolean;
  readonly onClose: () => void;
}

/** Pinned details, which stay visible for reading, selecting and copying. */
export function PinnedDetails(props: PinnedDetailsProps) {
  const { context, explore, row, x, y, isGone, onClose } = props;
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const note = element.current;
    if (note === null) return;
    const { width, height } = note.getBoundingClientRect();
    const left = Math.max(margin, Math.min(x, innerWidth - width - margin));
    const top = Math.max(margin, Math.min(y + margin, innerHeight - height - margin));
    note.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }, [x, y]);
  return (
    <aside ref={element} className="tooltip pinned" aria-label="Pinned details">
      {isGone && <p className="hint">No longer in this range: what was known before.</p>}
      <button type="button" className="button quiet" aria-label="Unpin" onClick={onClose}>
        <Icon name="close" />
      </button>
      <TooltipFacts context={context} explore={explore} row={row} />
    </aside>
  );
}

function TooltipFacts({
  context,
  explore,
  row,
}: {
  readonly context: FrameContext;
  readonly explore: Explore;
  readonly row: number;
}) {
  const facts = collectFacts(context, row);
  const { tree } = context;
  const all = row === 0 ? undefined : functionTotals(tree, tree.name[row]);
  const file = context.texts.string(tree.file[row]);
  return (
    <>
      <p className="tooltip-name">
        <FunctionName name={facts.name} wraps />
      </p>
      <table>
        <tbody>
          <Fact
            label="total"
            share={facts.total}
            value={facts.totalValue}
            samples={facts.samples}
          />
          <Fact
            label={selfWord(context)}
            share={facts.self}
            value={facts.selfValue}
            samples={facts.selfSamples}
          />
          {facts.base !== undefined && (
            <>
              <Fact label={context.baseWord} share={facts.base.total} value={facts.base.value} />
              <Fact label="change" share={facts.base.change} value="" />
            </>
          )}
          {facts.ofParent !== undefined && (
            <Fact
              label={context.isInverted ? 'of callee' : 'of caller'}
              share={facts.ofParent}
              value=""
            />
          )}
          {facts.ofZoom !== undefined && <Fact label="of zoom" share={facts.ofZoom} value="" />}
          {all !== undefined && all.frames > 1 && (
            <Fact
              label="everywhere"
              share={formatPercent(all.share)}
              value={`in ${plural(all.frames, 'place')}`}
            />
          )}
        </tbody>
      </table>
      {row > 0 && (tree.flags[row] & labelFlag) === 0 && !isDiff(explore.query) && (
        <OverTime key={facts.name} name={facts.name} explore={explore} />
      )}
      {file !== '' && (
        <p className="tooltip-place">
          {breakable(file)}
          {tree.line[row] > 0 && `:${tree.line[row]}`}
        </p>
      )}
      {facts.binary !== '' && (
        <p className="tooltip-place">
          {facts.binary}
          {facts.inlined && ', inlined'}
        </p>
      )}
    </>
  );
}

/** Shows the function over time, including all its calls; a comparison has no line. */
function OverTime({ name, explore }: { readonly name: string; readonly explore: Explore }) {
  const points = usePoints(name, explore);
  const isKnown = points?.values.some((value) => value !== null && value > 0) === true;
  if (points !== undefined && !isKnown) return null;
  return (
    <div className="tooltip-spark">
      {points === undefined ? (
        <span className="sparkline" />
      ) : (
        <Sparkline points={points} mark={undefined} />
      )}
      <span className="hint">everywhere, over the range</span>
    </div>
  );
}

const sparkRestMillis = 300;

/** Requests the points when the pointer rests, and aborts the request when the pointer moves. */
function usePoints(name: string, { query, selectedSpan }: Explore): SparkPoints | undefined {
  const { base } = useApp();
  const [points, setPoints] = useState<SparkPoints>();
  const { upright = query } = invertedQuery(query);
  const { from, to } = selectedSpan;
  useEffect(() => {
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      const { signal } = controller;
      const asked = askFunctionSeries(base, upright, { from, to }, [name], 'cumulative', {
        signal,
      });
      const found = await asked.catch(() => undefined);
      if (!signal.aborted) setPoints(found?.points.get(name) ?? noPoints);
    };
    const timer = setTimeout(() => void ask(), sparkRestMillis);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [base, upright, name, from, to]);
  return points;
}

interface FactProps {
  readonly label: string;
  readonly share: string;
  readonly value: string;
  readonly samples?: string | undefined;
}

function Fact({ label, share, value, samples }: FactProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{share}</td>
      <td>{value}</td>
      <td>{samples}</td>
    </tr>
  );
}
