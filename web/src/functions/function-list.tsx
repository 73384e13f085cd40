// Lists the functions by their own and total share, from the server's untrimmed report, in virtual
// rows.
import { baseName } from '../../../src/model/file-path.ts';
import { type CSSProperties, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { Explore } from '../answers/use-explore.ts';
import { columnUnit, perSecond } from '../format/column-unit.ts';
import { fitNames } from '../format/fit-names.ts';
import { formatRate, formatTotal, listUnit } from '../format/measure.ts';
import { formatCount, formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { invertedQuery, isDiff } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded, useMedia, useSideWords } from '../page/hooks.ts';
import { opensMenu, useMenuPress } from '../parts/context-menu.tsx';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import { Popover } from '../parts/popover.tsx';
import { revealRow, rowStep, useRowRange } from '../parts/row-range.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { AnswerSide } from '../tree/tree-messages.ts';
import type { FunctionTable } from '../tree/function-table.ts';
import { StringReader } from '../tree/strings.ts';
import type { UrlState } from '../url/url-state.ts';
import '../styles/function-list.css';
import { useFunctionMenu } from './function-menu.tsx';
import { chosenColumns, columnsOf, type ListColumn, toggledColumns } from './list-columns.ts';
import { type SideWeights, useListRows } from './use-list-rows.ts';

export interface FunctionListProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly onZoom: (name: string) => void;
}

/** Heights in CSS pixels: on a phone the name has a line of its own. */
const rowHeights = { wide: 24, narrow: 44 };
const narrowQuery = '(max-width: 719px)';

/** Orders whose first row is the first text, not the largest number. */
const textSorts: ReadonlySet<string> = new Set(['name', 'file', 'binary']);

/** Returns the columns with their headings. */
function useColumns({ query }: Explore): readonly ListColumn[] {
  const sides = useSideWords(query);
  const { isInverted, upright } = invertedQuery(query);
  const selfLabel = isInverted && upright === undefined ? 'Outermost' : 'Self';
  return columnsOf(selfLabel, isDiff(query) ? sides : undefined);
}

/**
 * The list. A click highlights a function in the graph, Enter or a double click zooms to its widest
 * frame.
 */
export function FunctionList({ explore, edits, onZoom }: FunctionListProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { value } = explore.top;
  const unit = listUnit(state.unit, explore.measure);
  const weights = weightsOf(explore, unit);
  const shown = useListRows(value, state.search, state.searchMode, state.sort, weights);
  const all = useColumns(explore);
  const chosen = chosenColumns(all, state.columns);
  const columns = all.filter(({ id }) => chosen.has(id));
  const highlight = (name: string) => {
    url.change({ highlighted: state.highlighted === name ? '' : name }, 'adjust');
  };
  return (
    <section
      className="panel list-panel"
      aria-label="Functions"
      aria-busy={explore.top.pending !== undefined}
      style={tracksOf(columns) as CSSProperties}
      data-quiet={explore.top.pending?.isQuiet === true ? '' : undefined}
      data-query={explore.top.valueKey}
    >
      <ListHead all={all} chosen={chosen} />
      <ListBody
        rows={shown}
        columns={columns}
        table={value}
        explore={explore}
        edits={edits}
        highlighted={state.highlighted}
        onHighlight={highlight}
        onZoom={onZoom}
      />
      <PanelState resource={explore.top} what="the functions" />
      <div className="list-foot hint">
        {value !== undefined && (
          <>
            <span>
              {shown.length === value.count
                ? plural(value.count, 'function')
                : `${shown.length} of ${plural(value.count, 'function')} ${shown.length === 1 ? 'matches' : 'match'}`}
            </span>
            <span className="list-base">{baseOf(explore, unit, value)}</span>
          </>
        )}
      </div>
    </section>
  );
}

/** Returns the grid of a row, for the style sheet. */
function tracksOf(columns: readonly ListColumn[]): Record<string, string | number> {
  const widths = (kind: ListColumn['kind']) =>
    columns.flatMap((column) => (column.kind === kind ? [column.width] : []));
  const numbers = widths('number');
  return {
    '--list-tracks': [...numbers, 'minmax(110px, 1fr)', ...widths('text')].join(' '),
    '--list-name': numbers.length + 1,
    '--list-numbers': Math.max(1, numbers.length),
  };
}

interface ListHeadProps {
  readonly all: readonly ListColumn[];
  readonly chosen: ReadonlySet<string>;
}

/** The headings, which sort, and the choice of columns. */
function ListHead({ all, chosen }: ListHeadProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const shown = all.filter(({ id }) => chosen.has(id));
  const ofKind = (kind: ListColumn['kind']) => shown.filter((column) => column.kind === kind);
  const name = { id: 'name', label: 'Function', title: '', sort: 'name' } as const;
  return (
    <div className="list-header">
      <div className="list-head" role="group" aria-label="Sort functions by">
        {[...ofKind('number'), name, ...ofKind('text')].map(({ id, label, title, sort }) =>
          sort === undefined ? (
            <span
              key={id}
              className={`list-column column-${id}`}
              title={title === '' ? undefined : title}
            >
              {label}
            </span>
          ) : (
            <button
              type="button"
              key={id}
              className={`list-column column-${id}`}
              title={title === '' ? undefined : title}
              aria-pressed={state.sort === sort}
              onClick={() => url.change({ sort }, 'adjust')}
            >
              {label}
              {state.sort === sort && (
                <span aria-hidden="true"> {textSorts.has(sort) ? '↑' : '↓'}</span>
              )}
            </button>
          ),
        )}
      </div>
      <Popover className="list-columns" align="end" title="Columns of the list" label="Columns">
        {() => (
          <fieldset className="column-choices">
            <legend className="visually-hidden">Columns</legend>
            {all.map(({ id, label, title }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={() =>
                    url.change({ columns: toggledColumns(all, chosen, id) }, 'adjust')
                  }
                />{' '}
                {label} {title !== '' && <span className="hint">{title}</span>}
              </label>
            ))}
          </fieldset>
        )}
      </Popover>
    </div>
  );
}

/** Shows what the numbers are shares or parts of. */
function baseOf(explore: Explore, unit: UrlState['unit'], { whole: total }: FunctionTable): string {
  const { measure, coverage, query } = explore;
  if (isDiff(query)) {
    return unit === 'percent' ? 'each side: % of its own total' : 'each side: its own values';
  }
  const whole = formatRate(total, measure, coverage) ?? formatTotal(total, measure);
  if (unit === 'percent') return `% of all ${whole}`;
  if (unit === 'total') return `sums of all profiles, ${formatTotal(total, measure)} together`;
  return `${measure.delta ? 'rates' : 'averages'}, ${whole} together`;
}

/** Facts of a function that a row shows. */
interface ListRow {
  readonly name: string;
  readonly self: bigint;
  /** In a diff, the own value of the base. */
  readonly total: bigint;
  readonly file: string;
  readonly binary: string;
}

/** Returns B minus A in the unit of the list: percentage points, a rate, or a sum. */
function differenceOf(
  { self, total }: ListRow,
  now: AnswerSide,
  before: AnswerSide,
  unit: UrlState['unit'],
  measure: Explore['measure'],
): string {
  const signed = (value: number, text: string) =>
    `${value > 0 ? '+' : value < 0 ? '\u2212' : ''}${text}`;
  if (unit === 'percent') {
    const points = shareOf(self, now.total) - shareOf(total, before.total);
    return signed(points, formatPercent(Math.abs(points)).replace('%', 'pp'));
  }
  if (unit === 'total') {
    const sum = self - total;
    return signed(Number(sum), formatTotal(sum < 0n ? -sum : sum, measure));
  }
  const rate = perSecond(self, measure, now.coverage) - perSecond(total, measure, before.coverage);
  const { unit: name, text } = columnUnit(Math.abs(rate), measure);
  return signed(rate, `${text(Math.abs(rate))}\u202f${name}`);
}

/** Returns the weights of both sides by which `differenceOf` compares. */
function weightsOf(
  { top, icicle, coverage, measure }: Explore,
  unit: UrlState['unit'],
): SideWeights {
  const whole = top.value?.whole ?? 0n;
  const now = { total: whole, coverage };
  const weightOf = (side: AnswerSide): number => {
    if (unit === 'percent') return side.total > 0n ? 1 / Number(side.total) : 0;
    return unit === 'total' ? 1 : perSecond(1_000_000_000n, measure, side.coverage);
  };
  return { now: weightOf(now), before: weightOf(icicle.value?.baseSide ?? now) };
}

/** Formats the number of samples of a value, which is unknown if they have several weights. */
function samplesOf(value: bigint, { coverage, measure }: Explore): string {
  const isKnown = coverage.period > 0 && measure.delta && measure.sampled;
  return isKnown ? formatCount(Math.floor(Number(value) / coverage.period)) : '–';
}

interface ListBodyProps {
  /** Rows of the table, in the order of the list. */
  readonly rows: Uint32Array;
  readonly columns: readonly ListColumn[];
  readonly table: FunctionTable | undefined;
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly highlighted: string;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
}

function ListBody(props: ListBodyProps) {
  const { rows, columns, table, explore, edits, highlighted, onHighlight, onZoom } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(0);
  const { unit: chosen, sort } = usePlace().state;
  const unit = listUnit(chosen, explore.measure);
  const ruler = useRef<HTMLSpanElement>(null);
  const room = useRoom(ruler, 40);
  const rowHeight = useMedia(narrowQuery) ? rowHeights.narrow : rowHeights.wide;
  const range = useRowRange(scroller, rowHeight);
  const current = Math.min(cursor, Math.max(0, rows.length - 1));

  const names = useMemo(() => table && new StringReader(table.names), [table]);
  const files = useMemo(() => table && new StringReader(table.files), [table]);
  const binaries = useMemo(() => table && new StringReader(table.binaries), [table]);
  const hasColumn = (wished: string) => columns.some(({ id }) => id === wished);
  const nameAt = (index: number): string => names?.get(rows[index]) ?? '';
  const shown = [...rows.subarray(range.first, range.last)].map((row, i) => ({
    name: nameAt(range.first + i),
    self: table?.self[row] ?? 0n,
    total: table?.total[row] ?? 0n,
    file: hasColumn('file') ? (files?.get(row) ?? '') : '',
    binary: hasColumn('binary') ? (binaries?.get(row) ?? '') : '',
  }));
  const texts = fitNames(
    shown.map(({ name }) => name),
    room,
  );

  const total = table?.whole ?? 0n;
  const side = isDiff(explore.query) ? explore.icicle.value?.baseSide : undefined;
  const now = { total, coverage: explore.coverage };
  const cell = (value: bigint, { total: whole, coverage }: AnswerSide): string => {
    if (unit === 'rate') {
      const rate = formatRate(value, explore.measure, coverage);
      if (rate !== undefined) return rate;
    }
    if (unit === 'total') return formatTotal(value, explore.measure);
    return formatPercent(shareOf(value, whole));
  };
  const numberOf = (id: string, row: ListRow): string => {
    if (id === 'self' || id === 'b') return cell(row.self, now);
    if (id === 'total' || id === 'a') return cell(row.total, side ?? now);
    if (id === 'share') return formatPercent(shareOf(row.total, total));
    if (id === 'difference') return differenceOf(row, now, side ?? now, unit, explore.measure);
    return samplesOf(row.self, explore);
  };
  const sparks = useLoaded(() => import('./function-sparks.tsx'));
  const hasSparks = rowHeight === rowHeights.wide && hasColumn('sparkline');
  const menu = useFunctionMenu({
    explore,
    edits,
    onHighlight,
    onZoom,
    onClose: () => scroller.current?.focus(),
  });
  const rowAt = (y: number): number | undefined => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0;
    const index = Math.floor((y - top + (scroller.current?.scrollTop ?? 0)) / rowHeight);
    return index < rows.length ? index : undefined;
  };
  const press = useMenuPress((x, y) => {
    const index = rowAt(y);
    if (index === undefined) return;
    setCursor(index);
    menu.open(nameAt(index), x, y);
  });
  const openAtCursor = () => {
    const box = document.getElementById(`function-${current}`)?.getBoundingClientRect();
    if (box !== undefined) menu.open(nameAt(current), box.left, box.bottom);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = rowStep(event.key, rows.length);
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(rows.length - 1, current + step));
      setCursor(next);
      revealRow(scroller.current, next, rowHeight);
      return;
    }
    if (rows.length === 0) return;
    const name = nameAt(current);
    if (opensMenu(event)) openAtCursor();
    else if (event.key === ' ') onHighlight(name);
    else if (!menu.run(name, event.key)) return;
    event.preventDefault();
  };

  return (
    <>
      <div
        ref={scroller}
        className="list-body"
        role="listbox"
        tabIndex={0}
        aria-label="Functions"
        aria-activedescendant={rows.length > 0 ? `function-${current}` : undefined}
        onKeyDown={pressed}
        {...press}
      >
        <div className="list-row list-ruler" aria-hidden="true">
          <span ref={ruler} className="list-name" />
        </div>
        <div className="list-content" style={{ height: rows.length * rowHeight }}>
          {sparks && hasSparks && (
            <sparks.FunctionSparks
              explore={explore}
              value={sort === 'total' ? 'cumulative' : 'flat'}
              rows={shown.map(({ name }, i) => ({ name, top: (range.first + i) * rowHeight }))}
            />
          )}
          {shown.map((row, i) => {
            const index = range.first + i;
            return (
              <div
                // Functions of one name in several programs have a row each.
                key={`${index} ${row.name}`}
                id={`function-${index}`}
                role="option"
                aria-selected={row.name === highlighted}
                className={`list-row ${index === current ? 'current' : ''}`}
                style={{ top: index * rowHeight, height: rowHeight }}
                onClick={() => {
                  setCursor(index);
                  onHighlight(row.name);
                }}
                onDoubleClick={() => onZoom(row.name)}
              >
                {columns.map(({ id, kind }) =>
                  kind !== 'number' ? null : (
                    <span key={id} className="list-number">
                      {(id === 'self' || id === 'b') && (
                        <span
                          className="bar"
                          style={{ width: `${shareOf(row.self, total) * 100}%` }}
                        />
                      )}
                      <span>{numberOf(id, row)}</span>
                    </span>
                  ),
                )}
                <span className="list-name">
                  <FunctionName name={row.name} text={texts.get(row.name)} />
                </span>
                {hasColumn('file') && (
                  <span className="list-place" title={row.file}>
                    <bdi>{row.file}</bdi>
                  </span>
                )}
                {hasColumn('binary') && (
                  <span className="list-place" title={row.binary}>
                    <bdi>{baseName(row.binary)}</bdi>
                  </span>
                )}
              </div>
            );
          })}
        </div>
      </div>
      {menu.element}
    </>
  );
}

function shareOf(value: bigint, total: bigint): number {
  return total > 0n ? Number(value) / Number(total) : 0;
}
