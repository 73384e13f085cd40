// Lists functions by self and total share, from the server's untrimmed report, in virtual rows.
import { type CSSProperties, useMemo } from 'react';
import { selectionSentence } from '../answers/selection-sentence.ts';
import type { Explore } from '../answers/use-explore.ts';
import { withoutArguments } from '../format/name-parts.ts';
import { formatRate, formatTotal, listUnit } from '../format/measure.ts';
import { plural } from '../format/plural.ts';
import { invertedQuery, isDiff } from '../language/query-text.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useSideWords } from '../page/hooks.ts';
import { FunctionName } from '../parts/function-name.tsx';
import { Popover } from '../parts/popover.tsx';
import type { StageEdits } from '../query/use-stage-edits.ts';
import { PanelState } from '../states/panel-state.tsx';
import type { FunctionTable } from '../tree/function-table.ts';
import type { UrlState } from '../url/url-state.ts';
import '../styles/function-list.css';
import { chosenColumns, listColumns, type ListColumn, toggledColumns } from './list-columns.ts';
import { computeWeights } from './list-cells.ts';
import { ListBody } from './list-body.tsx';
import { useListRows } from './use-list-rows.ts';

export interface FunctionListProps {
  readonly explore: Explore;
  readonly edits: StageEdits;
  readonly onZoom: (name: string) => void;
}

/**
 * Sort orders by a string: the first string in the alphabet is at the top, not the largest number.
 */
const textSorts: ReadonlySet<string> = new Set(['name', 'file', 'binary']);

/** Returns the columns with their headings. */
function useColumns({ query }: Explore): readonly ListColumn[] {
  const sides = useSideWords(query);
  const { isInverted, upright } = invertedQuery(query);
  const selfLabel = isInverted && upright === undefined ? 'Outermost' : 'Self';
  return listColumns(selfLabel, isDiff(query) ? sides : undefined);
}

/**
 * The list. A click highlights a function in the graph; Enter or a double click zooms to its widest
 * frame.
 */
export function FunctionList({ explore, edits, onZoom }: FunctionListProps) {
  const { url } = useApp();
  const { state } = usePlace();
  const { value } = explore.top;
  const unit = listUnit(state.unit, explore.measure);
  const weights = computeWeights(explore, unit);
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
      style={gridTracks(columns) as CSSProperties}
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
      {value !== undefined && <SelectionSentence explore={explore} table={value} onZoom={onZoom} />}
      <div className="list-foot hint">
        {value !== undefined && (
          <>
            <span>
              {shown.length === value.count
                ? plural(value.count, 'function')
                : `${shown.length} of ${plural(value.count, 'function')} ${shown.length === 1 ? 'matches' : 'match'}`}
            </span>
            <span className="list-base">{formatBase(explore, unit, value)}</span>
          </>
        )}
      </div>
    </section>
  );
}

interface SelectionSentenceProps {
  readonly explore: Explore;
  readonly table: FunctionTable;
  readonly onZoom: (name: string) => void;
}

/** Sentence about the selection with clickable functions. */
function SelectionSentence({ explore, table, onZoom }: SelectionSentenceProps) {
  const { measure, coverage } = explore;
  const parts = useMemo(
    () => selectionSentence(table, { measure, coverage }),
    [table, measure, coverage],
  );
  if (parts.length === 0) return null;
  return (
    <p className="selection-sentence" role="status" aria-label="Where it goes">
      {parts.map(({ kind, text }, i) =>
        kind === 'function' ? (
          <button key={i} type="button" title="Show it in the graph" onClick={() => onZoom(text)}>
            <FunctionName name={text} text={withoutArguments(text)} wraps />
          </button>
        ) : (
          text
        ),
      )}
    </p>
  );
}

/** Returns the grid columns of a row for the style sheet. */
function gridTracks(columns: readonly ListColumn[]): Record<string, string | number> {
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

/** Header of the list: headings that sort, and the column chooser. */
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

/** Describes the totals that the numbers refer to. */
function formatBase(
  explore: Explore,
  unit: UrlState['unit'],
  { whole: total }: FunctionTable,
): string {
  const { measure, coverage, query } = explore;
  if (isDiff(query)) {
    return unit === 'percent' ? 'each side: % of its own total' : 'each side: its own values';
  }
  const whole = formatRate(total, measure, coverage) ?? formatTotal(total, measure);
  if (unit === 'percent') return `% of all ${whole}`;
  if (unit === 'total') return `sums of all profiles, ${formatTotal(total, measure)} together`;
  return `${measure.delta ? 'rates' : 'averages'}, ${whole} together`;
}
