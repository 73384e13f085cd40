// The details of one frame: the line below the icicle, the tooltip, and the pinned note.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Hit } from '../canvas/hit-test.ts';
import { formatPercent } from '../format/numbers.ts';
import { FittedName, FunctionName, breakable, useRoom } from '../parts/function-name.tsx';
import { Icon } from '../parts/icon.tsx';
import { functionTotals } from '../tree/tree-texts.ts';
import { factsOf, type FrameContext, selfWord } from './frame-facts.ts';

/** Always has one line, so that nothing moves when the pointer does. */
export function DetailLine({
  context,
  row,
}: {
  readonly context: FrameContext;
  readonly row: number;
}) {
  const facts = factsOf(context, row);
  const name = useRef<HTMLSpanElement>(null);
  const room = useRoom(name, 80);
  return (
    <div className="detail-line" data-testid="detail">
      <span ref={name} className="detail-name">
        <FittedName name={facts.name} room={room} />
      </span>
      <span>
        total <b>{facts.total}</b> {facts.totalValue}
      </span>
      <span>
        {selfWord(context)} <b>{facts.self}</b> {facts.selfValue}
      </span>
      {facts.base !== undefined && (
        <span>
          before <b>{facts.base.total}</b> {facts.base.value}, <b>{facts.base.change}</b>
        </span>
      )}
      {facts.samples !== undefined && <span className="detail-extra">{facts.samples}</span>}
      {facts.ofZoom !== undefined && <span className="detail-extra">{facts.ofZoom} of zoom</span>}
      {facts.ofParent !== undefined && (
        <span className="detail-extra">{facts.ofParent} of caller</span>
      )}
      {facts.place !== '' && <span className="detail-extra mono">{facts.place}</span>}
      {facts.binary !== '' && <span className="detail-extra">{facts.binary}</span>}
      {facts.inlined && <span className="detail-extra">inlined</span>}
    </div>
  );
}

interface TooltipProps {
  readonly context: FrameContext;
  readonly hit: Hit;
  /** The frame's box on the screen: the tooltip never covers it. */
  readonly box: DOMRect;
  readonly x: number;
}

const restMillis = 120;
const margin = 8;

/** Appears after a short rest, below the frame or above it, inside the window. */
export function FrameTooltip({ context, hit, box, x }: TooltipProps) {
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
          {hit.frames} frames narrower than a pixel, together {formatPercent(hit.share)}. Click to
          open the widest.
        </p>
      ) : (
        <TooltipFacts context={context} row={hit.row} />
      )}
    </div>
  );
}

interface PinnedDetailsProps {
  readonly context: FrameContext;
  readonly row: number;
  /** The point that it stands below, in client coordinates. */
  readonly x: number;
  readonly y: number;
  /** Whether the frame is not in the last answer. */
  readonly isGone: boolean;
  readonly onClose: () => void;
}

/** The tooltip that stays, to read, select and copy from. */
export function PinnedDetails({ context, row, x, y, isGone, onClose }: PinnedDetailsProps) {
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
      <TooltipFacts context={context} row={row} />
    </aside>
  );
}

function TooltipFacts({ context, row }: { readonly context: FrameContext; readonly row: number }) {
  const facts = factsOf(context, row);
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
              <Fact label="before" share={facts.base.total} value={facts.base.value} />
              <Fact label="change" share={facts.base.change} value="" />
            </>
          )}
          {facts.ofParent !== undefined && (
            <Fact label="of caller" share={facts.ofParent} value="" />
          )}
          {facts.ofZoom !== undefined && <Fact label="of zoom" share={facts.ofZoom} value="" />}
          {all !== undefined && all.frames > 1 && (
            <Fact
              label="everywhere"
              share={formatPercent(all.share)}
              value={`in ${all.frames} places`}
            />
          )}
        </tbody>
      </table>
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
