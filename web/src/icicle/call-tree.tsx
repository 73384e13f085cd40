// Call tree: the frames of the graph as expandable rows, with the same cursor, keys and menu.
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Palette } from '../canvas/colours.ts';
import type { IcicleHandle } from '../canvas/icicle.tsx';
import { useMenuPress } from '../parts/context-menu.tsx';
import { FittedName, useRoom } from '../parts/function-name.tsx';
import { revealRow, rowStep, useRowRange } from '../parts/row-range.ts';
import '../styles/call-tree.css';
import {
  callRows,
  carryOpen,
  closedAbove,
  hotPath,
  countLevels,
  type OpenRows,
} from '../tree/call-rows.ts';
import { isDiffTree } from '../tree/diff.ts';
import { noRow } from '../tree/tree.ts';
import { collectFacts, type FrameContext, selfWord } from './frame-facts.ts';

export interface CallTreeProps {
  /** Identifies the query. The hot path is expanded for a new query, but not for newer data. */
  readonly query: string;
  readonly context: FrameContext;
  readonly palette: Palette;
  readonly label: string;
  readonly cursor: number;
  /** 1 for each name that matches the search; undefined without a search. */
  readonly hit: Uint8Array | undefined;
  /** Highlighted name. */
  readonly highlighted: number | undefined;
  readonly isPercent: boolean;
  readonly handle: Ref<IcicleHandle>;
  readonly onCursor: (row: number) => void;
  readonly onZoom: (row: number) => void;
  readonly onMenu: (row: number, x: number, y: number) => void;
  /** Handles keys other than movement; returns true if the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Row height in CSS pixels. */
const rowHeight = 24;
const indentCss = 12;
/** Number of indented levels; deeper rows show their level as a number. */
const indentedLevels = 24;

const elementId = (row: number): string => `call-${row}`;

/**
 * Tree of rows with the keys of WAI-ARIA: Right expands a row, Left collapses it, and pressed again
 * they move the cursor.
 */
export function CallTree(props: CallTreeProps) {
  const { context, palette, cursor, onCursor } = props;
  const { tree, zoomRow } = context;
  const top = Math.max(0, zoomRow);
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useOpenRows(props, top);
  const rows = useMemo(() => callRows(tree, top, open), [tree, top, open]);
  const { first, last } = useRowRange(scroller, rowHeight);
  const ruler = useRef<HTMLSpanElement>(null);
  const room = useRoom(ruler, 60);
  const current = rows.indexOf(cursor);

  useEffect(() => {
    if (current !== -1) revealRow(scroller.current, current, rowHeight);
  }, [current]);
  useImperativeHandle(props.handle, () => ({
    focus: () => scroller.current?.focus(),
    reveal: (row) => setOpen((before) => [...before, ...closedAbove(tree, row, before)]),
    rowBox: (row) => document.getElementById(elementId(row))?.getBoundingClientRect(),
  }));

  const toggle = (row: number) => {
    setOpen((before) => {
      return before.has(row) ? [...before].filter((one) => one !== row) : [...before, row];
    });
    if (!open.has(row)) return;
    onCursor(row);
  };
  const moveBy = (step: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, Math.max(0, current) + step));
    onCursor(rows[next]);
  };
  const pressed = (event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const step = isPlain ? rowStep(event.key, rows.length) : undefined;
    const isOpen = open.has(cursor);
    if (step !== undefined) moveBy(step);
    else if (isPlain && event.key === 'ArrowRight') {
      if (isOpen) moveBy(1);
      else if (tree.childCount[cursor] > 0) toggle(cursor);
    } else if (isPlain && event.key === 'ArrowLeft') {
      if (isOpen) toggle(cursor);
      else if (cursor !== top && tree.parent[cursor] !== noRow) onCursor(tree.parent[cursor]);
    } else if (!props.onKey(event)) return;
    event.preventDefault();
  };
  const press = useMenuPress((x, y) => {
    const box = scroller.current?.getBoundingClientRect();
    const at = y - (box?.top ?? 0) + (scroller.current?.scrollTop ?? 0) - rowHeight;
    const row = rows[Math.floor(at / rowHeight)];
    if (row !== undefined) props.onMenu(row, x, y);
  });
  const isDiff = isDiffTree(tree);
  return (
    <div
      ref={scroller}
      className="call-tree"
      role="treegrid"
      tabIndex={0}
      style={{ '--match': palette.match, '--match-text': palette.matchText } as CSSProperties}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={current === -1 ? undefined : elementId(cursor)}
      onKeyDown={pressed}
      {...press}
    >
      <div className="call-row call-head" role="row" aria-rowindex={1}>
        <span role="columnheader">Total</span>
        <span role="columnheader">{isDiff ? 'Change' : capitalized(selfWord(context))}</span>
        <span role="columnheader" ref={ruler}>
          Call
        </span>
        <span role="columnheader" className="call-place">
          Place
        </span>
      </div>
      <div role="rowgroup" className="list-content" style={{ height: rows.length * rowHeight }}>
        {[...rows.subarray(first, last)].map((row, i) => (
          <CallRow
            key={row}
            {...props}
            row={row}
            index={first + i}
            level={countLevels(tree, top, row)}
            room={room}
            isOpen={open.has(row)}
            onToggle={() => toggle(row)}
          />
        ))}
      </div>
    </div>
  );
}

interface CallRowProps extends CallTreeProps {
  readonly row: number;
  readonly index: number;
  readonly level: number;
  /** Largest number of characters of a name without indentation. */
  readonly room: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function CallRow(props: CallRowProps) {
  const { context, row, index, level, room, isOpen, cursor, hit, highlighted, isPercent } = props;
  const { tree } = context;
  const facts = collectFacts(context, row);
  const name = tree.name[row];
  const indent = Math.min(level - 1, indentedLevels) * indentCss;
  const marks = [
    row === cursor ? 'current' : '',
    hit?.[name] === 1 ? 'matches' : '',
    name === highlighted ? 'lit' : '',
  ];
  const hasCallees = tree.childCount[row] > 0;
  const choose = (event: MouseEvent) => {
    props.onCursor(row);
    if (event.target instanceof Element && event.target.closest('.call-twist')) props.onToggle();
  };
  return (
    <div
      id={elementId(row)}
      role="row"
      className={`call-row ${marks.join(' ')}`}
      style={{ top: index * rowHeight, height: rowHeight }}
      aria-level={level}
      aria-rowindex={index + 2}
      aria-expanded={hasCallees ? isOpen : undefined}
      aria-selected={row === cursor}
      onClick={choose}
      onDoubleClick={() => props.onZoom(row)}
    >
      <span role="gridcell" className="list-number">
        <span className="bar" style={{ width: `${Math.min(1, tree.share[row]) * 100}%` }} />
        <span>{isPercent ? facts.total : facts.totalValue}</span>
      </span>
      <span role="gridcell" className="list-number">
        {facts.base?.change ?? (isPercent ? facts.self : facts.selfValue)}
      </span>
      <span role="gridcell" className="call-name" style={{ paddingLeft: indent }}>
        <span className="call-twist" aria-hidden="true">
          {hasCallees ? (isOpen ? '▾' : '▸') : ''}
        </span>
        <FittedName name={facts.name} room={Math.max(8, room - Math.ceil(indent / 7) - 3)} />
      </span>
      <span role="gridcell" className="call-place">
        {facts.place}
      </span>
    </div>
  );
}

type SetOpen = (change: (before: OpenRows) => Iterable<number>) => void;

/** Returns the expanded rows: initially the hot path, and always the path to the cursor. */
function useOpenRows(
  { query, context, cursor }: CallTreeProps,
  top: number,
): readonly [OpenRows, SetOpen] {
  const { tree, texts } = context;
  const [state, setState] = useState(() => {
    const rows: OpenRows = new Set(hotPath(tree, top));
    return { kept: { tree, texts, query, rows }, tree, open: rows };
  });
  // The expanded rows of a new answer are computed once, from its query and zoom.
  if (state.tree !== tree) {
    const { kept } = state;
    const carried = carryOpen(kept.tree, kept.rows, kept.texts, tree, texts);
    const isSameQuery = kept.query === query;
    const rows = isSameQuery ? carried : new Set([...carried, ...hotPath(tree, top)]);
    setState({ kept, tree, open: kept.tree === tree ? kept.rows : rows });
  }
  const { open } = state;
  const setOpen: SetOpen = (change) => {
    const rows = new Set(change(open));
    setState({ kept: { tree, texts, query, rows }, tree, open: rows });
  };
  const openHotPath = useEffectEvent(() => {
    setOpen((before) => [...before, ...hotPath(tree, top)]);
  });
  useEffect(() => openHotPath(), [top]);
  const openToCursor = useEffectEvent(() => {
    const closed = closedAbove(tree, cursor, open);
    if (closed.length > 0) setOpen((before) => [...before, ...closed]);
  });
  useEffect(() => openToCursor(), [tree, cursor]);
  return [open, setOpen];
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
