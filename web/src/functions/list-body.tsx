// Rows of the function list; only the visible rows are in the document.
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { baseName } from '../../../src/model/file-path.ts';
import type { Explore } from '../answers/use-explore.ts';
import { fitNames } from '../format/fit-names.ts';
import { listUnit } from '../format/measure.ts';
import { usePlace } from '../page/app-context.ts';
import { useLoaded, useMedia } from '../page/hooks.ts';
import { opensMenu, useMenuPress } from '../parts/context-menu.tsx';
import { FunctionName, useRoom } from '../parts/function-name.tsx';
import { revealRow, rowStep, useRowRange } from '../parts/row-range.ts';
import { useOwnPrefixes } from '../page/own-code.ts';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { isDimmed } from '../tree/dimmed-functions.ts';
import type { FunctionTable } from '../tree/function-table.ts';
import { StringReader } from '../tree/strings.ts';
import { useFunctionMenu } from './function-menu.tsx';
import { type ListRow, formatNumbers, computeShare } from './list-cells.ts';
import type { ListColumn } from './list-columns.ts';

/** Row heights in CSS pixels; on a phone, the name has its own line. */
const rowHeights = { wide: 24, narrow: 44 };
const narrowQuery = '(max-width: 719px)';

interface ListBodyProps {
  /** Table rows in the order of the list. */
  readonly rows: Uint32Array;
  readonly columns: readonly ListColumn[];
  readonly table: FunctionTable | undefined;
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly highlighted: string;
  readonly onHighlight: (name: string) => void;
  readonly onZoom: (name: string) => void;
}

/** The rows as a list box for keyboard and screen readers. */
export function ListBody(props: ListBodyProps) {
  const { rows, columns, table, explore, highlighted, onHighlight, onZoom } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const { unit, sort } = usePlace().state;
  const room = useRoom(ruler, 40);
  const rowHeight = useMedia(narrowQuery) ? rowHeights.narrow : rowHeights.wide;
  const { first, last } = useRowRange(scroller, rowHeight);
  const readRow = useRowReader(table, columns, explore.query);
  const shown = [...rows.subarray(first, last)].map(readRow);
  const names = fitNames(
    shown.map(({ name }) => name),
    room,
  );
  const whole = table?.whole ?? 0n;
  const showNumber = formatNumbers(explore, listUnit(unit, explore.measure), whole);
  const sparks = useLoaded(() => import('./function-sparks.tsx'));
  const hasSparks = rowHeight === rowHeights.wide && columns.some(({ id }) => id === 'sparkline');
  const cursor = useListCursor(props, scroller, rowHeight, (index) => readRow(rows[index]).name);
  return (
    <>
      <div
        ref={scroller}
        className="list-body"
        role="listbox"
        tabIndex={0}
        aria-label="Functions"
        aria-activedescendant={rows.length > 0 ? `function-${cursor.current}` : undefined}
        onKeyDown={cursor.onKeyDown}
        {...cursor.press}
      >
        <div className="list-row list-ruler" aria-hidden="true">
          <span ref={ruler} className="list-name" />
        </div>
        <div className="list-content" style={{ height: rows.length * rowHeight }}>
          {sparks && hasSparks && (
            <sparks.FunctionSparks
              explore={explore}
              value={sort === 'total' ? 'cumulative' : 'flat'}
              rows={shown.map(({ name }, i) => ({ name, top: (first + i) * rowHeight }))}
            />
          )}
          {shown.map((row, i) => {
            const index = first + i;
            return (
              <div
                // Functions with the same name in several programs have separate rows.
                key={`${index} ${row.name}`}
                id={`function-${index}`}
                role="option"
                aria-selected={row.name === highlighted}
                className={`list-row ${index === cursor.current ? 'current' : ''} ${row.isDim ? 'dim' : ''}`}
                style={{ top: index * rowHeight, height: rowHeight }}
                onClick={() => {
                  cursor.set(index);
                  onHighlight(row.name);
                }}
                onDoubleClick={() => onZoom(row.name)}
              >
                <Cells
                  row={row}
                  name={names.get(row.name)}
                  columns={columns}
                  whole={whole}
                  formatNumber={showNumber}
                />
              </div>
            );
          })}
        </div>
      </div>
      {cursor.menu}
    </>
  );
}

/** Returns a function that reads a row of the table; missing string columns are "". */
function useRowReader(
  table: FunctionTable | undefined,
  columns: readonly ListColumn[],
  query: string,
): (row: number) => ListRow {
  const names = useMemo(() => table && new StringReader(table.names), [table]);
  const files = useMemo(() => table && new StringReader(table.files), [table]);
  const binaries = useMemo(() => table && new StringReader(table.binaries), [table]);
  const hasColumn = (wished: string) => columns.some(({ id }) => id === wished);
  const { dimmed, mine } = usePlace().state;
  const own = useOwnPrefixes(query);
  return (row) => {
    const [name, file, binary] = [names, files, binaries].map((texts) => texts?.get(row) ?? '');
    const place = table?.mainPlaces.get(row) ?? { file, binary };
    return {
      name,
      self: table?.self[row] ?? 0n,
      total: table?.total[row] ?? 0n,
      file: hasColumn('file') ? file : '',
      binary: hasColumn('binary') ? binary : '',
      isDim: isDimmed({ name, file: place.file, binary: place.binary }, { dimmed, mine }, own),
    };
  };
}

/** Returns the cursor of the list, and the handlers of its keys and its menu. */
function useListCursor(
  { rows, explore, edits, onHighlight, onZoom }: ListBodyProps,
  scroller: RefObject<HTMLDivElement | null>,
  rowHeight: number,
  nameAt: (index: number) => string,
) {
  const [cursor, set] = useState(0);
  const current = Math.min(cursor, Math.max(0, rows.length - 1));
  const onClose = () => scroller.current?.focus();
  const menu = useFunctionMenu({ explore, edits, onHighlight, onZoom, onClose });
  const press = useMenuPress((x, y) => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0;
    const index = Math.floor((y - top + (scroller.current?.scrollTop ?? 0)) / rowHeight);
    if (index >= rows.length) return;
    set(index);
    menu.open(nameAt(index), x, y);
  });
  const openMenu = () => {
    const box = document.getElementById(`function-${current}`)?.getBoundingClientRect();
    if (box !== undefined) menu.open(nameAt(current), box.left, box.bottom);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = rowStep(event.key, rows.length);
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(rows.length - 1, current + step));
      set(next);
      revealRow(scroller.current, next, rowHeight);
      return;
    }
    if (rows.length === 0) return;
    const name = nameAt(current);
    if (opensMenu(event)) openMenu();
    else if (event.key === ' ') onHighlight(name);
    else if (!menu.run(name, event.key)) return;
    event.preventDefault();
  };
  return { current, set, press, onKeyDown, menu: menu.element };
}

interface CellsProps {
  readonly row: ListRow;
  /** Name shortened to the column's width. */
  readonly name: string | undefined;
  readonly columns: readonly ListColumn[];
  /** Sum of all self values. */
  readonly whole: bigint;
  readonly formatNumber: (column: string, row: ListRow) => string;
}

function Cells({ row, name, columns, whole, formatNumber: numberOf }: CellsProps) {
  const hasColumn = (wished: string) => columns.some(({ id }) => id === wished);
  return (
    <>
      {columns.map(({ id, kind }) =>
        kind !== 'number' ? null : (
          <span key={id} className="list-number">
            {(id === 'self' || id === 'b') && (
              <span className="bar" style={{ width: `${computeShare(row.self, whole) * 100}%` }} />
            )}
            <span>{numberOf(id, row)}</span>
          </span>
        ),
      )}
      <span className="list-name">
        <FunctionName name={row.name} text={name} />
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
    </>
  );
}
