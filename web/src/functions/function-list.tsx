// The functions by their own and total share, from the server's untrimmed report; virtual rows.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import { formatRate, formatTotal } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { invertedQuery, isDiff } from '../language/query-text.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';
import { useMedia } from '../page/hooks.ts';
import type { UrlState } from '../url/url-state.ts';
import { fitNames } from '../format/fit-names.ts';
import { createNameMatcher } from '../tree/search.ts';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import type { TopAnswer } from '../rpc/api.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { Explore } from '../answers/use-explore.ts';

interface FunctionListProps {
  readonly explore: Explore;
  readonly onZoom: (name: string) => void;
}

interface ListRow {
  readonly name: string;
  readonly self: bigint;
  /** In a diff, what the function had itself before. */
  readonly total: bigint;
}

type Sort = 'self' | 'total' | 'name';

/** In CSS pixels: on a phone the name has a line of its own. */
const rowHeights = { wide: 24, narrow: 44 };
const narrowQuery = '(max-width: 719px)';
const overscan = 8;

/** What the columns are of. */
function columnsOf({ query }: Explore): readonly (readonly [sort: Sort, label: string])[] {
  const { isInverted, upright } = invertedQuery(query);
  const [self, total] = isDiff(query)
    ? ['Self now', 'Self before']
    : [isInverted && upright === undefined ? 'Outermost' : 'Self', 'Total'];
  return [
    ['self', self],
    ['total', total],
    ['name', 'Function'],
  ];
}

/** Click lights a function in the graph, Enter or a double click zooms to its widest frame. */
export function FunctionList({ explore, onZoom }: FunctionListProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { value } = explore.top;
  const rows = useMemo(
    () => (value === undefined ? [] : rowsOf(value, isDiff(explore.query))),
    [value, explore.query],
  );
  const shown = useMemo(
    () => sortRows(filterRows(rows, state.search, state.searchMode), state.sort),
    [rows, state.search, state.searchMode, state.sort],
  );
  const light = (name: string) => {
    url.change({ lit: state.lit === name ? '' : name }, 'adjust');
  };
  return (
    <section
      className="panel list-panel"
      aria-label="Functions"
      aria-busy={explore.top.pending !== undefined}
      data-quiet={explore.top.pending?.isQuiet === true ? '' : undefined}
      data-query={explore.top.valueKey}
    >
      <div className="list-head" role="group" aria-label="Sort functions by">
        {columnsOf(explore).map(([sort, label]) => (
          <button
            type="button"
            key={sort}
            className={`list-column column-${sort}`}
            aria-pressed={state.sort === sort}
            onClick={() => url.change({ sort }, 'adjust')}
          >
            {label}
            {state.sort === sort && <span aria-hidden="true"> {sort === 'name' ? '↑' : '↓'}</span>}
          </button>
        ))}
      </div>
      <ListBody
        rows={shown}
        answer={value}
        explore={explore}
        lit={state.lit}
        onLight={light}
        onZoom={onZoom}
      />
      <PanelState resource={explore.top} what="the functions" />
      <div className="list-foot hint">
        {value !== undefined && (
          <>
            <span>
              {shown.length === rows.length
                ? `${rows.length} functions`
                : `${shown.length} of ${rows.length} functions match`}
            </span>
            <span className="list-base">{baseOf(explore, state.unit, value)}</span>
          </>
        )}
      </div>
    </section>
  );
}

/** What the numbers are of. */
function baseOf(explore: Explore, unit: UrlState['unit'], { total }: TopAnswer): string {
  const { measure, coverage, query } = explore;
  if (isDiff(query)) {
    return unit === 'percent' ? 'each side: % of its own total' : 'each side: its own values';
  }
  const whole = formatRate(total, measure, coverage) ?? formatTotal(total, measure);
  if (unit === 'percent') return `% of all ${whole}`;
  if (unit === 'total') return `sums of all profiles, ${formatTotal(total, measure)} together`;
  return `${measure.delta ? 'rates' : 'averages'}, ${whole} together`;
}

interface ListBodyProps {
  readonly rows: readonly ListRow[];
  readonly answer: TopAnswer | undefined;
  readonly explore: Explore;
  readonly lit: string;
  readonly onLight: (name: string) => void;
  readonly onZoom: (name: string) => void;
}

function ListBody({ rows, answer, explore, lit, onLight, onZoom }: ListBodyProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 40 });
  const [cursor, setCursor] = useState(0);
  const { unit } = usePlace().state;
  const ruler = useRef<HTMLSpanElement>(null);
  const room = useRoom(ruler, 40);
  const rowHeight = useMedia(narrowQuery) ? rowHeights.narrow : rowHeights.wide;
  const current = Math.min(cursor, Math.max(0, rows.length - 1));

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const update = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan;
      setRange({ first, last });
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [rowHeight]);

  const shown = rows.slice(range.first, range.last);
  const texts = fitNames(
    shown.map(({ name }) => name),
    room,
  );

  const total = answer?.total ?? 0n;
  const side = isDiff(explore.query) ? explore.flame.value?.baseSide : undefined;
  const now = { total, coverage: explore.coverage };
  const cell = (value: bigint, { total: whole, coverage }: AnswerSide): string => {
    if (unit === 'rate') {
      const rate = formatRate(value, explore.measure, coverage);
      if (rate !== undefined) return rate;
    }
    if (unit === 'total') return formatTotal(value, explore.measure);
    return formatPercent(shareOf(value, whole));
  };
  const pressed = (event: KeyboardEvent) => {
    const step = new Map([
      ['ArrowDown', 1],
      ['ArrowUp', -1],
      ['PageDown', 15],
      ['PageUp', -15],
      ['Home', -rows.length],
      ['End', rows.length],
    ]).get(event.key);
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(rows.length - 1, current + step));
      setCursor(next);
      revealRow(scroller.current, next, rowHeight);
    } else if (event.key === 'Enter' && rows.length > 0) onZoom(rows[current].name);
    else if (event.key === ' ' && rows.length > 0) {
      event.preventDefault();
      onLight(rows[current].name);
    }
  };

  return (
    <div
      ref={scroller}
      className="list-body"
      role="listbox"
      tabIndex={0}
      aria-label="Functions"
      aria-activedescendant={rows.length > 0 ? `function-${current}` : undefined}
      onKeyDown={pressed}
    >
      <div className="list-row list-ruler" aria-hidden="true">
        <span ref={ruler} className="list-name" />
      </div>
      <div className="list-content" style={{ height: rows.length * rowHeight }}>
        {shown.map((row, i) => {
          const index = range.first + i;
          return (
            <div
              // Functions of one name in several programs have a row each.
              key={`${index} ${row.name}`}
              id={`function-${index}`}
              role="option"
              aria-selected={row.name === lit}
              className={`list-row ${index === current ? 'current' : ''}`}
              style={{ top: index * rowHeight, height: rowHeight }}
              onClick={() => {
                setCursor(index);
                onLight(row.name);
              }}
              onDoubleClick={() => onZoom(row.name)}
            >
              <span className="list-number">
                <span className="bar" style={{ width: `${shareOf(row.self, total) * 100}%` }} />
                <span>{cell(row.self, now)}</span>
              </span>
              <span className="list-number">
                <span>{cell(row.total, side ?? now)}</span>
              </span>
              <span className="list-name">
                <FunctionName name={row.name} text={texts.get(row.name)} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function revealRow(element: HTMLElement | null, row: number, rowHeight: number): void {
  if (element === null) return;
  const top = row * rowHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  const bottom = top + rowHeight;
  if (bottom > element.scrollTop + element.clientHeight) {
    element.scrollTop = bottom - element.clientHeight;
  }
}

function shareOf(value: bigint, total: bigint): number {
  return total > 0n ? Number(value) / Number(total) : 0;
}

function rowsOf({ top, baseTotal }: TopAnswer, isCompared: boolean): ListRow[] {
  // The server scales the base to what is compared; here each side has its own values.
  const scaled = top.list.reduce((sum, { flat, flatDiff }) => sum + flat - flatDiff, 0n);
  const before = (value: bigint) => (scaled === 0n ? 0n : (value * baseTotal) / scaled);
  return top.list.map(({ meta, cumulative, flat, flatDiff }) => ({
    name: nodeName(meta),
    self: flat,
    total: isCompared ? before(flat - flatDiff) : cumulative,
  }));
}

function nodeName(meta: TopAnswer['top']['list'][number]['meta']): string {
  const name = meta?.function?.name ?? '';
  if (name !== '') return name;
  const file = meta?.mapping?.file ?? '';
  const address = `0x${BigInt.asUintN(64, meta?.location?.address ?? 0n).toString(16)}`;
  return file === '' ? address : `${file.slice(file.lastIndexOf('/') + 1)}+${address}`;
}

function filterRows(
  rows: readonly ListRow[],
  search: string,
  mode: 'text' | 'regex' | 'case',
): readonly ListRow[] {
  if (search === '') return rows;
  const matcher = createNameMatcher(search, mode);
  return matcher.ok ? rows.filter(({ name }) => matcher.matches(name)) : rows;
}

function sortRows(rows: readonly ListRow[], sort: Sort): ListRow[] {
  const byName = (a: ListRow, b: ListRow) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  if (sort === 'name') return [...rows].sort(byName);
  const byValue = (a: ListRow, b: ListRow) => (a[sort] < b[sort] ? 1 : a[sort] > b[sort] ? -1 : 0);
  return [...rows].sort((a, b) => byValue(a, b) || byName(a, b));
}
