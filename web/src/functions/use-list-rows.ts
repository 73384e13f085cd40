// Filters and sorts the rows of the function list.
import { useEffect, useMemo, useState } from 'react';
import { orderOfDifference } from '../tree/difference-order.ts';
import type { FunctionTable, Sort } from '../tree/function-table.ts';
import { NameSearch } from '../tree/name-search.ts';
import type { SearchMode } from '../tree/search.ts';
import type { Strings } from '../tree/tree.ts';

interface Found {
  readonly names: Strings;
  /** One byte per name. */
  readonly hit: Uint8Array;
}

/** Factors that convert the values of both sides of a diff to the unit of the list. */
export interface SideWeights {
  readonly now: number;
  readonly before: number;
}

/** Returns rows of `table`; until a new search has finished, the rows of the previous search. */
export function useListRows(
  table: FunctionTable | undefined,
  search: string,
  mode: SearchMode,
  sort: Sort,
  { now, before }: SideWeights,
): Uint32Array {
  const found = useFound(table?.names, search, mode);
  const order = useMemo(() => {
    if (table === undefined) return new Uint32Array(0);
    if (sort !== 'difference') return table.order[sort];
    // A URL may contain the column "difference" without a comparison.
    return table.baseWhole === undefined ? table.order.self : orderOfDifference(table, now, before);
  }, [table, sort, now, before]);
  return useMemo(() => {
    if (table === undefined) return order;
    const isFiltered = search !== '' && found !== undefined && found.names === table.names;
    return isFiltered ? order.filter((row) => found.hit[row] === 1) : order;
  }, [table, order, search, found]);
}

/** Searches in a worker; an invalid search keeps the previous result. */
function useFound(names: Strings | undefined, text: string, mode: SearchMode): Found | undefined {
  const search = useMemo(() => names && new NameSearch(names), [names]);
  const [found, setFound] = useState<Found>();
  useEffect(() => () => search?.close(), [search]);
  useEffect(() => {
    if (names === undefined || search === undefined || text === '') {
      search?.close();
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
