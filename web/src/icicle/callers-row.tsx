// The callers of a sandwich: a row above the icicle, each caller as wide as its share.
import { useMemo, useRef } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { formatPercent } from '../format/numbers.ts';
import { useApp } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import { useResource } from '../page/use-resource.ts';
import { FittedName, useRoom } from '../parts/function-name.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import { callerTotals } from './caller-totals.ts';

interface CallersRowProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
}

/** Callers with a smaller share are added up. */
const shareShownMin = 0.02;
const callersShownMax = 8;

/** Shown while the query ends in a sandwich; a click makes a sandwich of the caller. */
export function CallersRow({ explore: { query, selectedSpan: span }, edits }: CallersRowProps) {
  const { base, trees } = useApp();
  const stages = useLoaded(() => import('../language/stages.ts'));
  const callee = stages?.sandwichOf(query);
  const asked = stages?.callersQuery(query);
  const key = asked === undefined ? undefined : JSON.stringify(['callers', asked, span]);
  const { value: tree, valueKey } = useResource(key, (asking) => {
    const question = { base, query: asked ?? query, span, order: 'value', scale: 'total' } as const;
    return trees.load(
      { ...question, rootTrimPercent: 100 * (shareShownMin / 4), zoomPath: [] },
      asking,
    );
  });
  const totals = useMemo(
    () => (tree && callee !== undefined ? callerTotals(tree, new TreeTexts(tree), callee) : []),
    [tree, callee],
  );
  if (callee === undefined || key === undefined || valueKey !== key) return null;
  const shown = totals.slice(0, callersShownMax).filter(({ share }) => share >= shareShownMin);
  const rest = 1 - shown.reduce((sum, { share }) => sum + share, 0);
  return (
    <div className="callers" role="group" aria-label={`Callers of ${callee}`}>
      <span className="chips-title">called by</span>
      {shown.map(({ name, share }) => (
        <Caller
          key={name}
          name={name}
          share={share}
          onChoose={() => edits.apply((text, { sandwichInstead }) => sandwichInstead(text, name))}
        />
      ))}
      {rest > 1e-9 && (
        <span className="caller rest" style={{ flexGrow: rest }} title="Other callers, or none">
          others {formatPercent(rest)}
        </span>
      )}
    </div>
  );
}

interface CallerProps {
  readonly name: string;
  readonly share: number;
  readonly onChoose: () => void;
}

function Caller({ name, share, onChoose }: CallerProps) {
  const text = useRef<HTMLSpanElement>(null);
  const room = useRoom(text, 20);
  return (
    <button
      type="button"
      className="caller"
      style={{ flexGrow: share }}
      title={`${name} has ${formatPercent(share)} of it: show this caller`}
      onClick={onChoose}
    >
      <span ref={text} className="caller-name">
        <FittedName name={name} room={room} />
      </span>
      <span className="caller-share">{formatPercent(share)}</span>
    </button>
  );
}
