// The search of the graph as state: typed text to matching frames, off the main thread.
import { useEffect, useRef, useState } from 'react';
import { NameSearch } from '../icicle/name-search.ts';
import { searchTree } from '../icicle/search.ts';
import type { SearchMode, SearchResult } from '../icicle/search.ts';
import type { Tree } from '../icicle/tree.ts';

/** What is found; while a new text is searched or cannot be, the last result stays. */
export interface SearchState {
  readonly result: SearchResult | undefined;
  /** What is wrong with the expression. */
  readonly error: string | undefined;
}

const nothing: SearchState = { result: undefined, error: undefined };

/** Searches `tree` whenever text, mode or tree change. */
export function useSearch(tree: Tree | undefined, text: string, mode: SearchMode): SearchState {
  const [state, setState] = useState<SearchState>(nothing);
  const names = useRef<{ readonly tree: Tree; readonly search: NameSearch } | undefined>(undefined);

  useEffect(() => {
    if (tree === undefined || text === '') {
      setState(nothing);
      return undefined;
    }
    if (names.current?.tree !== tree) {
      names.current?.search.close();
      names.current = { tree, search: new NameSearch(tree.names) };
      // Rows of another tree mean nothing here.
      setState((before) => ({ ...before, result: undefined }));
    }
    const { search } = names.current;
    const controller = new AbortController();
    const run = async () => {
      const found = await search.search(text, mode, controller.signal);
      if (controller.signal.aborted) return;
      if (found.ok) setState({ result: searchTree(tree, found.hit), error: undefined });
      else setState((before) => ({ ...before, error: found.message }));
    };
    void run();
    return () => controller.abort();
  }, [tree, text, mode]);

  useEffect(() => () => names.current?.search.close(), []);
  return state;
}
