// Keeps a search as React state: finds matching frames in a worker.
import { useEffect, useMemo, useRef, useState } from 'react';
import { NameSearch } from '../tree/name-search.ts';
import { type SearchMode, type SearchResult, searchTree } from '../tree/search.ts';
import { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';

/**
 * Result of the search. While a new search is running or its text is invalid, the last result is
 * kept.
 */
export interface SearchState {
  readonly result: SearchResult | undefined;
  /** Error in the expression. */
  readonly error: string | undefined;
}

/** A result, and the tree with its rows. */
interface FoundInTree extends SearchState {
  readonly tree: Tree | undefined;
}

const nothing: FoundInTree = { result: undefined, error: undefined, tree: undefined };
/** Maximum number of names for which the matches in an earlier answer are carried over. */
const namesMax = 20_000;

/** Searches `tree` again whenever text, mode or tree change. */
export function useSearch(tree: Tree | undefined, text: string, mode: SearchMode): SearchState {
  const [state, setState] = useState<FoundInTree>(nothing);
  const names = useRef<{ readonly tree: Tree; readonly search: NameSearch } | undefined>(undefined);

  useEffect(() => {
    if (tree === undefined || text === '') {
      // A worker holds all names, so the browser would take long to end it when the page is left.
      names.current?.search.close();
      setState(nothing);
      return undefined;
    }
    if (names.current?.tree !== tree) {
      names.current?.search.close();
      names.current = { tree, search: new NameSearch(tree.names) };
    }
    const { search } = names.current;
    const controller = new AbortController();
    const run = async () => {
      const found = await search.search(text, mode, controller.signal);
      if (controller.signal.aborted) return;
      if (found.ok) setState({ result: searchTree(tree, found.hit), error: undefined, tree });
      else setState((before) => ({ ...before, error: found.message }));
    };
    void run();
    return () => controller.abort();
  }, [tree, text, mode]);

  useEffect(() => () => names.current?.search.close(), []);
  return useMemo(
    () => (state.tree === tree ? state : { ...state, result: carryOver(state, tree) }),
    [state, tree],
  );
}

/** Converts the matches in an earlier answer to `tree` until the new search has finished. */
function carryOver({ result, tree: old }: FoundInTree, tree: Tree | undefined) {
  if (result === undefined || old === undefined || tree === undefined) return undefined;
  const count = tree.names.offsets.length - 1;
  if (count > namesMax || result.hit.length > namesMax) return undefined;
  const [before, now] = [new TreeTexts(old), new TreeTexts(tree)];
  const hit = new Uint8Array(count);
  for (let name = 1; name < result.hit.length; name++) {
    const index = result.hit[name] === 1 ? now.indexOf(before.name(name)) : undefined;
    if (index !== undefined) hit[index] = 1;
  }
  return searchTree(tree, hit);
}
