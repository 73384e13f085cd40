// Shows the instructions of a function with their values, for programs whose files were uploaded.
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { formatRate, formatTotal, listUnit } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { revealRow, rowStep, useRowRange } from '../parts/row-range.ts';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import { askAssembly, type Assembly, type AssemblyRow } from './ask-assembly.ts';
import { computeShare, Value } from './value-cell.tsx';

interface AssemblyPanelProps {
  readonly explore: Explore;
  readonly query: string;
  readonly functionName: string;
  readonly build: string;
}

/** Row height in CSS pixels. */
const rowHeight = 20;

/** Shows the instructions of the function in the file's build. */
export function AssemblyPanel({ explore, query, functionName, build }: AssemblyPanelProps) {
  const { base } = useApp();
  const { selectedSpan, isQuiet } = explore;
  const topic = JSON.stringify(['assembly', query, functionName, build]);
  const code = useResource(
    functionName === '' ? undefined : JSON.stringify([topic, selectedSpan]),
    (asking) => askAssembly(base, query, selectedSpan, { functionName, buildId: build }, asking),
    { topic, isQuiet },
  );
  const { value } = code;
  if (functionName === '') {
    return <p className="notice">No function of this file has values, so there is no code.</p>;
  }
  return (
    <>
      {value !== undefined && <Incomplete warnings={value.warnings} told={explore.warnings} />}
      {value !== undefined && (
        <AssemblyBody key={`${functionName} ${build}`} code={value} explore={explore} />
      )}
      <PanelState resource={code} what="the instructions" />
    </>
  );
}

interface AssemblyBodyProps {
  readonly code: Assembly;
  readonly explore: Explore;
}

/**
 * List with a row for each instruction; it initially shows the instruction with the largest value.
 */
function AssemblyBody({ code, explore }: AssemblyBodyProps) {
  const { rows, hottest, selfMax, totalMax } = code;
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(Math.max(0, hottest));
  const { first, last } = useRowRange(scroller, rowHeight);
  const unit = listUnit(usePlace().state.unit, explore.measure);
  const showHottest = useEffectEvent(() => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = hottest * rowHeight - element.clientHeight / 3;
  });
  // Runs only once, because newer values must not scroll the instructions.
  useEffect(() => showHottest(), []);

  const formatOf =
    ({ isBase }: AssemblyRow) =>
    (value: bigint): string => {
      const { total, coverage } = isBase ? (code.base ?? code) : code;
      if (unit === 'percent') return formatPercent(computeShare(value, total));
      const rate = unit === 'rate' ? formatRate(value, explore.measure, coverage) : undefined;
      return rate ?? formatTotal(value, explore.measure);
    };
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = rowStep(event.key, rows.length);
    if (step === undefined) return;
    const next = Math.max(0, Math.min(rows.length - 1, cursor + step));
    setCursor(next);
    revealRow(scroller.current, next, rowHeight);
    event.preventDefault();
  };
  const shown = rows.slice(first, last).map((row, i) => ({ row, at: first + i }));
  return (
    <div
      ref={scroller}
      className="list-body lines-body"
      role="listbox"
      tabIndex={0}
      aria-label="Instructions"
      aria-activedescendant={rows.length > 0 ? `instruction-${cursor}` : undefined}
      onKeyDown={pressed}
    >
      <div className="list-content" style={{ height: rows.length * rowHeight }}>
        {shown.map(({ row, at }) => (
          <div
            key={at}
            id={`instruction-${at}`}
            role="option"
            aria-selected={at === cursor}
            className={`list-row assembly-row ${at === cursor ? 'current' : ''} ${
              row.address === '' ? 'head' : ''
            }`}
            style={{ top: at * rowHeight, height: rowHeight }}
            onClick={() => setCursor(at)}
          >
            <Value of={row} column="self" max={selfMax} formatValue={formatOf(row)} />
            <Value of={row} column="total" max={totalMax} formatValue={formatOf(row)} />
            <InstructionCells row={row} />
          </div>
        ))}
      </div>
    </div>
  );
}

function InstructionCells({
  row: { address, text, target, place },
}: {
  readonly row: AssemblyRow;
}) {
  return (
    <>
      <span className="lines-number">{address}</span>
      <code className="lines-text" title={`${text} ${target}`}>
        {text}
        {target !== '' && <span className="hint"> {target}</span>}
      </code>
      {place !== '' && <span className="lines-function">{place}</span>}
    </>
  );
}
