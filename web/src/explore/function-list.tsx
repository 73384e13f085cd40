// The functions by their own and total share, from the server's untrimmed report; virtual rows.
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useApp, usePlace } from '../app-context.ts';
import { formatRate, formatTotal } from '../format/measure.ts';
import { formatPercent } from '../format/numbers.ts';
import { fitNames } from '../format/fit-names.ts';
import { createNameMatcher } from '../icicle/search.ts';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import type { TopAnswer } from '../rpc/api.ts';
import { PanelState } from './panel-state.tsx';
import type { Explore } from './use-explore.ts';

interface FunctionListProps {
  readonly explore: Explore;
  readonly onZoom: (name: string) => void;
}

interface ListRow {
  readonly name: string;
  readonly self: bigint;
  readonly total: bigint;
}

type Sort = 'self' | 'total' | 'name';

const rowHeight = 24;
const overscan = 8;

const columns: readonly (readonly [sort: Sort, label: string])[] = [
  ['self', 'Self'],
  ['total', 'Total'],
  ['name', 'Function'],
];

/** Click lights a function in the graph, Enter or a double click zooms to its widest frame. */
export function FunctionList({ explore, onZoom }: FunctionListProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { value } = explore.top;
  const rows = useMemo(() => (value === undefined ? [] : rowsOf(value)), [value]);
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
        {columns.map(([sort, label]) => (
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
        total={value?.total ?? 0n}
        explore={explore}
        lit={state.lit}
        onLight={light}
        onZoom={onZoom}
      />
      <PanelState resource={explore.top} what="the functions" />
      <div className="list-foot hint">
        {value !== undefined &&
          (shown.length === rows.length
            ? `${rows.length} functions`
            : `${shown.length} of ${rows.length} functions match`)}
      </div>
    </section>
  );
}

interface ListBodyProps {
  readonly rows: readonly ListRow[];
  readonly total: bigint;
  readonly explore: Explore;
  readonly lit: string;
  readonly onLight: (name: string) => void;
  readonly onZoom: (name: string) => void;
}

function ListBody({ rows, total, explore, lit, onLight, onZoom }: ListBodyProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 40 });
  const [cursor, setCursor] = useState(0);
  const { unit } = usePlace().state;
  const ruler = useRef<HTMLSpanElement>(null);
  const room = useRoom(ruler, 40);
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
  }, []);

  const shown = rows.slice(range.first, range.last);
  const texts = fitNames(
    shown.map(({ name }) => name),
    room,
  );

  const cell = (value: bigint): string => {
    if (unit === 'rate') {
      const rate = formatRate(value, explore.measure, explore.coverage);
      if (rate !== undefined) return rate;
    }
    if (unit === 'total') return formatTotal(value, explore.measure);
    return formatPercent(shareOf(value, total));
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
      revealRow(scroller.current, next);
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
              key={row.name}
              id={`function-${index}`}
              role="option"
              aria-selected={row.name === lit}
              className={`list-row ${index === current ? 'current' : ''}`}
              style={{ top: index * rowHeight }}
              onClick={() => {
                setCursor(index);
                onLight(row.name);
              }}
              onDoubleClick={() => onZoom(row.name)}
            >
              <span className="list-number">
                <span className="bar" style={{ width: `${shareOf(row.self, total) * 100}%` }} />
                <span>{cell(row.self)}</span>
              </span>
              <span className="list-number">
                <span>{cell(row.total)}</span>
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

function revealRow(element: HTMLElement | null, row: number): void {
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

function rowsOf({ top }: TopAnswer): ListRow[] {
  return top.list.map(({ meta, cumulative, flat }) => ({
    name: nodeName(meta),
    self: flat,
    total: cumulative,
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
