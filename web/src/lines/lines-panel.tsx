// Shows the lines of a source file with their values: with the source if it is stored, and
// otherwise only line numbers.
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { formatRate, formatTotal, listUnit } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { invertedQuery } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useResource } from '../page/use-resource.ts';
import { revealRow, rowStep, useRowRange } from '../parts/row-range.ts';
import { AssemblyPanel } from './assembly-panel.tsx';
import { askLines, type LinesAnswer } from './ask-lines.ts';
import { Incomplete } from '../states/incomplete.tsx';
import { PanelState } from '../states/panel-state.tsx';
import { buildLineRows, type LineRows } from './line-rows.ts';
import { computeShare, Value } from './value-cell.tsx';
import { SourceLinks } from './source-links.tsx';
import '../styles/lines.css';

interface LinesPanelProps {
  readonly explore: Explore;
}

/** Row height in CSS pixels. */
const rowHeight = 20;

/** The panel. The file, its build and the line are in the URL. */
export function LinesPanel({ explore }: LinesPanelProps) {
  const { base } = useApp();
  const { file, build, line, from, to, selection } = usePlace().state;
  const { selectedSpan } = explore;
  // The lines of an inverted graph are the same.
  const { upright: query = explore.query } = invertedQuery(explore.query);
  const key =
    query === '' ? undefined : JSON.stringify(['lines', query, selectedSpan, file, build]);
  const lines = useResource(
    key,
    (asking) => askLines(base, query, selectedSpan, { file, buildId: build }, asking),
    {
      topic: JSON.stringify([query, file, build, from, to, selection]),
      isQuiet: explore.isQuiet,
    },
  );
  const answer = lines.value;
  const rows = useMemo(() => answer && buildLineRows(answer), [answer]);
  const unit = listUnit(usePlace().state.unit, explore.measure);
  const place = `${build} ${file} ${line}`;
  const [at, setAt] = useState({ place, line });
  const [isAssembly, setAssembly] = useState(false);
  const current = at.place === place ? at.line : line;
  return (
    <section
      className={`panel list-panel lines-panel ${unit}`}
      aria-label="Lines"
      aria-busy={lines.pending !== undefined}
      data-quiet={lines.pending?.isQuiet === true ? '' : undefined}
      data-query={lines.valueKey}
    >
      <div className="list-head lines-head">
        <span className="list-column">Self</span>
        <span className="list-column">Total</span>
        <span className="lines-file" title={file}>
          <bdi>{file}</bdi>
        </span>
        {build !== '' && <CodeTabs isAssembly={isAssembly} choose={setAssembly} />}
      </div>
      {answer !== undefined && <Incomplete warnings={answer.warnings} told={explore.warnings} />}
      {answer?.text === '' && (
        <p className="notice">
          The text of this file is not stored: {answer.whyEmpty}. These are its lines with values.
        </p>
      )}
      {isAssembly && rows !== undefined && (
        <AssemblyPanel
          explore={explore}
          query={query}
          functionName={rows.functionAt(current)}
          build={build}
        />
      )}
      {answer !== undefined && rows !== undefined && !isAssembly && (
        <LinesBody
          key={place}
          rows={rows}
          answer={answer}
          explore={explore}
          line={line}
          onLine={(number) => setAt({ place, line: number })}
        />
      )}
      <PanelState resource={lines} what="the lines" />
      <div className="list-foot hint">
        {rows !== undefined && <span>{formatFoot(rows)}</span>}
        <SourceLinks query={query} span={selectedSpan} file={file} build={build} line={current} />
      </div>
    </section>
  );
}

interface CodeTabsProps {
  readonly isAssembly: boolean;
  readonly choose: (isAssembly: boolean) => void;
}

/** Switches between the source and the instructions of the function at the current line. */
function CodeTabs({ isAssembly, choose }: CodeTabsProps) {
  return (
    <div className="tabs lines-tabs" role="group" aria-label="Code">
      {[false, true].map((one) => (
        <button
          type="button"
          key={String(one)}
          aria-pressed={one === isAssembly}
          onClick={() => choose(one)}
        >
          {one ? 'Assembly' : 'Source'}
        </button>
      ))}
    </div>
  );
}

interface LinesBodyProps {
  readonly rows: LineRows;
  readonly answer: LinesAnswer;
  readonly explore: Explore;
  readonly line: number;
  /** Called with the number of the new current line. */
  readonly onLine: (line: number) => void;
}

/** List with a row for each line; the key `n` moves to the next line with a value. */
function LinesBody({ rows, answer, explore, line, onLine }: LinesBodyProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(() => rows.rowToShow(line));
  const { first, last } = useRowRange(scroller, rowHeight);
  const unit = listUnit(usePlace().state.unit, explore.measure);
  const current = Math.min(cursor, Math.max(0, rows.count - 1));
  const showLine = useEffectEvent(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = rows.rowToShow(line) * rowHeight - element.clientHeight / 3;
    // A page that was opened by a link does not move the focus.
    if (navigator.userActivation.hasBeenActive) element.focus({ preventScroll: true });
  });
  // Runs only once, because newer values must not scroll the lines.
  useEffect(() => showLine(), []);

  const { measure } = explore;
  const formatValue = (value: bigint): string => {
    if (unit === 'percent') return formatPercent(computeShare(value, answer.total));
    const rate = unit === 'rate' ? formatRate(value, measure, answer.coverage) : undefined;
    return rate ?? formatTotal(value, measure);
  };
  const choose = (row: number) => {
    setCursor(row);
    onLine(rows.lineNumber(row));
  };
  const goTo = (row: number) => {
    choose(row);
    revealRow(scroller.current, row, rowHeight);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = rowStep(event.key, rows.count);
    const jump = new Map([
      ['n', 1 as const],
      ['N', -1 as const],
    ]).get(event.key);
    if (step !== undefined) goTo(Math.max(0, Math.min(rows.count - 1, current + step)));
    else if (jump !== undefined) goTo(rows.nextValue(current, jump) ?? current);
    else return;
    event.preventDefault();
  };
  const shown = Array.from(
    { length: Math.max(0, Math.min(last, rows.count) - first) },
    (_, i) => first + i,
  );
  return (
    <div
      ref={scroller}
      className="list-body lines-body"
      role="listbox"
      tabIndex={0}
      aria-label="Lines of the file"
      aria-activedescendant={rows.count > 0 ? `line-${current}` : undefined}
      onKeyDown={pressed}
    >
      <div className="list-content" style={{ height: rows.count * rowHeight }}>
        {shown.map((row) => (
          <div
            key={row}
            id={`line-${row}`}
            role="option"
            aria-selected={row === current}
            className={`list-row lines-row ${row === current ? 'current' : ''}`}
            style={{ top: row * rowHeight, height: rowHeight }}
            onClick={() => choose(row)}
          >
            <Value
              of={rows.lineValue(row)}
              column="self"
              max={rows.selfMax}
              formatValue={formatValue}
            />
            <Value
              of={rows.lineValue(row)}
              column="total"
              max={rows.totalMax}
              formatValue={formatValue}
            />
            <span className="lines-number">{rows.lineNumber(row)}</span>
            <code className="lines-text" title={rows.lineText(row)}>
              {rows.lineText(row)}
            </code>
            <LineFunction name={rows.lineFunction(row)} />
          </div>
        ))}
      </div>
    </div>
  );
}

/**
 * Name of the function that a line and the lines below it belong to. If there is too little space,
 * only the end of the name is shown.
 */
function LineFunction({ name }: { readonly name: string | undefined }) {
  if (name === undefined || name === '') return null;
  return (
    <span className="lines-function" title={name}>
      <bdi>{name}</bdi>
    </span>
  );
}

function formatFoot({ count, valueCount, pastEnd, cut }: LineRows): string {
  const parts = [
    cut > 0 ? `${count} of ${plural(count + cut, 'line')}` : plural(count, 'line'),
    `${valueCount} with values`,
  ];
  if (pastEnd > 0) parts.push(`${pastEnd} past the end: the text is of another version`);
  return parts.join(', ');
}
