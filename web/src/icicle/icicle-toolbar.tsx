// Above the icicle: where one is, the search, and how the graph is drawn.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useApp, usePlace } from '../page/app-context.ts';
import { formatPercent } from '../format/numbers.ts';
import { fitNames } from '../format/fit-names.ts';
import { pathTo, type Tree } from '../tree/tree.ts';
import type { TreeTexts } from '../tree/tree-texts.ts';
import { FunctionName } from '../parts/function-name.tsx';
import type { SearchAnswer } from '../rpc/api.ts';
import { Icon } from '../parts/icon.tsx';
import type { SearchState } from './use-search.ts';

const typingMillis = 150;
/** Steps of the trail that are named; those between are folded. */
const trailStepsMax = 4;
/** Characters of each of them. */
const trailRoom = 28;

interface GraphToolbarProps {
  readonly tree: Tree | undefined;
  readonly texts: TreeTexts | undefined;
  readonly zoomRow: number;
  /** Levels of the zoom path that this answer does not have. */
  readonly missing: number;
  readonly search: SearchState;
  /** Whether the server left frames out. */
  readonly isCut: boolean;
  /** In all stacks, also those that are cut; undefined while it is not known. */
  readonly found: SearchAnswer | undefined;
  /** Place of the current match, from 0; undefined while none is chosen. */
  readonly matchIndex: number | undefined;
  readonly onZoom: (row: number) => void;
  readonly onReset: () => void;
  readonly onMatch: (step: 1 | -1) => void;
  readonly searchInput: { current: HTMLInputElement | null };
}

/** Two groups: the trail on the left, tools on the right. */
export function GraphToolbar(props: GraphToolbarProps) {
  return (
    <div className="graph-toolbar">
      <Trail {...props} />
      <div className="spacer" />
      <SearchBox {...props} />
      <DrawSelects />
    </div>
  );
}

function Trail({ tree, texts, zoomRow, missing, onZoom, onReset }: GraphToolbarProps) {
  const { state } = usePlace();
  if (tree === undefined || texts === undefined) return null;
  const zoomed = zoomRow > 0 || state.view !== undefined;
  const steps = pathTo(tree, zoomRow).slice(1);
  const shown =
    steps.length <= trailStepsMax ? steps : [steps[0], ...steps.slice(-trailStepsMax + 1)];
  const nameOf = (row: number) => texts.name(tree.name[row]);
  const names = fitNames(shown.map(nameOf), trailRoom);
  return (
    <nav className="trail" aria-label="Zoom">
      <button type="button" className="trail-step" disabled={!zoomed} onClick={onReset}>
        All
      </button>
      {shown.map((row, i) => (
        <span key={row} className="trail-part">
          <span aria-hidden="true">›</span>
          {i === 1 && shown.length < steps.length && (
            <span title={`${steps.length - shown.length} more`}>… ›</span>
          )}
          <button
            type="button"
            className="trail-step mono"
            aria-current={row === zoomRow ? 'true' : undefined}
            onClick={() => onZoom(row)}
          >
            <FunctionName name={nameOf(row)} text={names.get(nameOf(row))} />
          </button>
        </span>
      ))}
      {zoomed && (
        <button type="button" className="button quiet" onClick={onReset} title="Reset zoom (0)">
          Reset
        </button>
      )}
      {missing > 0 && (
        <span className="hint">
          {missing === 1 ? '1 frame' : `${missing} frames`} of this zoom{' '}
          {missing === 1 ? 'is' : 'are'} not in this range
        </span>
      )}
    </nav>
  );
}

function SearchBox(props: GraphToolbarProps) {
  const { search, matchIndex, onMatch, searchInput } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const [typed, setTyped] = useState(state.search);
  const sent = useRef(state.search);

  useEffect(() => {
    if (state.search !== sent.current) setTyped(state.search);
    sent.current = state.search;
  }, [state.search]);
  useEffect(() => {
    if (typed === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = typed;
      url.change({ search: typed }, 'adjust');
    }, typingMillis);
    return () => clearTimeout(timer);
  }, [typed, url]);

  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onMatch(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setTyped('');
      event.currentTarget.blur();
    }
  };
  const regex = state.searchMode === 'regex';
  return (
    <div className={`search-box ${search.error === undefined ? '' : 'invalid'}`} role="search">
      <Icon name="search" />
      <input
        ref={searchInput}
        aria-label="Search functions"
        placeholder="Search functions  /"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={pressed}
      />
      <SearchCount
        search={search}
        matchIndex={matchIndex}
        hasText={typed !== ''}
        isCut={props.isCut}
        found={props.found}
      />
      {search.result !== undefined && search.result.rows.length > 0 && (
        <>
          <button
            type="button"
            aria-label="Previous match"
            title="Previous match (N)"
            onClick={() => onMatch(-1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            aria-label="Next match"
            title="Next match (n)"
            onClick={() => onMatch(1)}
          >
            <Icon name="down" />
          </button>
        </>
      )}
      <button
        type="button"
        className="regex-toggle mono"
        aria-pressed={regex}
        aria-label="Regular expression"
        title="Regular expression"
        onClick={() => url.change({ searchMode: regex ? 'text' : 'regex' }, 'adjust')}
      >
        .*
      </button>
      {search.error !== undefined && (
        <div className="search-error" role="alert">
          {search.error}
        </div>
      )}
    </div>
  );
}

interface SearchCountProps {
  readonly search: SearchState;
  readonly matchIndex: number | undefined;
  readonly hasText: boolean;
  readonly isCut: boolean;
  readonly found: SearchAnswer | undefined;
}

/** "3/17 · 51 functions 12.4 % of all": the frames one can go to, and what there is of it in all. */
function SearchCount({ search, matchIndex, hasText, isCut, found }: SearchCountProps) {
  const { result } = search;
  if (!hasText || result === undefined) return null;
  const place = matchIndex === undefined ? '' : `${matchIndex + 1}/${result.rows.length} · `;
  // Of a graph that was cut only the server knows all that matches.
  const all = isCut ? found : { share: result.share, functions: result.functions };
  const least = all === undefined ? '≥ ' : '';
  const { share, functions } = all ?? result;
  const noun = functions === 1 ? 'function' : 'functions';
  return (
    <output
      className="search-count"
      title={`${least}${functions} ${noun}, ${result.rows.length} frames of them are shown; stacks with a match have ${least}${formatPercent(share)} of the total`}
    >
      {place}
      {least}
      {functions}
      {share > 0 && (
        <b>
          {' '}
          {least}
          {formatPercent(share)}
        </b>
      )}
      <span className="search-base"> of all</span>
    </output>
  );
}

function DrawSelects() {
  const { url } = useApp();
  const { state } = usePlace();
  return (
    <>
      <select
        className="select"
        aria-label="Numbers in the list"
        title="Numbers in the list (u)"
        value={state.unit}
        onChange={(event) => {
          const unit = event.target.value;
          if (unit === 'percent' || unit === 'rate' || unit === 'total')
            url.change({ unit }, 'adjust');
        }}
      >
        <option value="percent">Percent</option>
        <option value="rate">Rate</option>
        <option value="total">Total</option>
      </select>
      <select
        className="select"
        aria-label="Order of siblings"
        title="Order of siblings"
        value={state.order}
        onChange={(event) => {
          url.change({ order: event.target.value === 'value' ? 'value' : 'name' }, 'adjust');
        }}
      >
        <option value="name">By name</option>
        <option value="value">By value</option>
      </select>
    </>
  );
}
