// Line below the graph with details of the frame under the pointer, or else at the cursor.
import { useRef } from 'react';
import { FittedName, useRoom } from '../parts/function-name.tsx';
import { collectFacts, type FrameContext, selfWord } from './frame-facts.ts';

/** The line, which is always visible, so that nothing moves when the pointer moves. */
export function DetailLine({
  context,
  row,
}: {
  readonly context: FrameContext;
  readonly row: number;
}) {
  const facts = collectFacts(context, row);
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
          {context.baseWord} <b>{facts.base.total}</b> {facts.base.value},{' '}
          <b>{facts.base.change}</b>
        </span>
      )}
      {facts.samples !== undefined && <span className="detail-extra">{facts.samples}</span>}
      {facts.ofZoom !== undefined && <span className="detail-extra">{facts.ofZoom} of zoom</span>}
      {facts.ofParent !== undefined && (
        <span className="detail-extra">
          {facts.ofParent} of {context.isInverted ? 'callee' : 'caller'}
        </span>
      )}
      {facts.place !== '' && <span className="detail-extra mono">{facts.place}</span>}
      {facts.binary !== '' && <span className="detail-extra">{facts.binary}</span>}
      {facts.inlined && <span className="detail-extra">inlined</span>}
    </div>
  );
}
