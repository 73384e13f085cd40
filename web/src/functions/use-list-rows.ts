// The rows of the function list that the search leaves, in the chosen order.
import { useEffect, useMemo, useState } from 'react';
import type { FunctionTable, Sort } from '../tree/function-table.ts';
import { NameSearch } from '../tree/name-search.ts';
import type { SearchMode } from '../tree/search.ts';
import type { Strings } from '../tree/tree.ts';

interface Found {
  readonly names: Strings;
  /** One byte for each name. */
  readonly hit: Uint8Array;
}

/** Returns rows of `table`; until a new search is done, those of the last one. */
export function useListRows(
  table: FunctionTable | undefined,
  search: string,
  mode: SearchMode,
  sort: Sort,
): Uint32Array {
  const found = useFound(table?.names, search, mode);
  return useMemo(() => {
    if (table === undefined) return new Uint32Array(0);
    const order = table.order[sort];
    const isFiltered = search !== '' && found !== undefined && found.names === table.names;
    return isFiltered ? order.filter((row) => found.hit[row] === 1) : order;
  }, [table, sort, search, found]);
}

/** Searches in a worker; a text that is wrong leaves the last result. */
function useFound(names: Strings | undefined, text: string, mode: SearchMode): Found | undefined {
  const search = useMemo(() => names && new NameSearch(names), [names]);
  const [found, setFound] = useState<Found>();
  useEffect(() => () => search?.close(), [search]);
  useEffect(() => {
    if (names === undefined || search === undefined || text === '') {
      setFound(undefined);
      return undefined;
    }
    const controller = new AbortController();
    const run = async (): Promise<void> => {
      const answer = await search.search(text, mode, controller.signal);
      if (answer.ok && !controller.signal.aborted) setFound({ names, hit: answer.hit });
    };
    void run();
    return () => controller.abort();
  }, [names, search, text, mode]);
  return found;
}
