// Search input, number of matches, and buttons for the previous and next match.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { formatPercent } from '../format/numbers.ts';
import { plural } from '../format/plural.ts';
import { useApp, usePlace } from '../page/app-context.ts';
import { useLoaded } from '../page/hooks.ts';
import { Icon } from '../parts/icon.tsx';
import type { SearchAnswer } from '../rpc/api.ts';
import type { SearchState } from './use-search.ts';

const typingMillis = 150;

export interface SearchBoxProps {
  readonly search: SearchState;
  /** True if the server trimmed the graph. */
  readonly isCut: boolean;
  /** Matches in all stacks, including trimmed ones; undefined while they are unknown. */
  readonly found: SearchAnswer | undefined;
  /** Index of the current match, from 0; undefined if there is none. */
  readonly matchIndex: number | undefined;
  readonly onMatch: (step: 1 | -1) => void;
  /** Adds a stage that keeps or drops the stacks with a match. */
  readonly onFilter: (text: string, action: 'keep' | 'drop') => void;
  readonly searchInput: { current: HTMLInputElement | null };
}

/**
 * Search input. The search is written to the URL after a pause in typing; Enter jumps to the next
 * match.
 */
export function SearchBox(props: SearchBoxProps) {
  const { search, matchIndex, onMatch, onFilter, searchInput } = props;
  const { url } = useApp();
  const { state } = usePlace();
  const [typed, setTyped] = useState(state.search);
  const offer = useLoaded(() => import('../parts/users-offer.tsx'));
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

  const filter = (action: 'keep' | 'drop') => {
    setTyped('');
    sent.current = '';
    onFilter(typed, action);
  };
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || event.altKey)) {
      event.preventDefault();
      if (typed !== '') filter(event.altKey ? 'drop' : 'keep');
    } else if (event.key === 'Enter') {
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
          <button
            type="button"
            className="filter-button"
            title="Keep only stacks with a match (Ctrl Enter)"
            onClick={() => filter('keep')}
          >
            Keep
          </button>
          <button
            type="button"
            className="filter-button"
            title="Drop stacks with a match (Alt Enter)"
            onClick={() => filter('drop')}
          >
            Drop
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
      {search.error === undefined ? (
        offer && <offer.UsersOffer url={url} text={typed} mode={state.searchMode} />
      ) : (
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

/** Shows "3/17 · 51 12.4 % of all": current match, number of functions, and share in all stacks. */
function SearchCount({ search, matchIndex, hasText, isCut, found }: SearchCountProps) {
  const { result } = search;
  if (!hasText || result === undefined) return null;
  const place = matchIndex === undefined ? '' : `${matchIndex + 1}/${result.rows.length} · `;
  // If the graph was trimmed, only the server knows all matches.
  const all = isCut ? found : { share: result.share, functions: result.functions };
  const least = all === undefined ? '≥ ' : '';
  const { share, functions } = all ?? result;
  return (
    <output
      className="search-count"
      title={`${least}${plural(functions, 'function')}, ${plural(result.rows.length, 'frame')} of them shown; stacks with a match have ${least}${formatPercent(share)} of the total`}
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
