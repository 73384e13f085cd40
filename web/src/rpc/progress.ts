// How far the server is with the questions of this page.
import { getJson } from './json.ts';

/** A question that is being answered. */
export interface Progress {
  /** Whether queries of others have to end first. */
  readonly isWaiting: boolean;
  /** Rows selected so far, and how many of them are summed. */
  readonly rowsSelected: number;
  readonly rowsDone: number;
}

interface ListedQuery {
  readonly tags: readonly string[];
  readonly state: 'waiting' | 'running';
  readonly rows: { readonly done: number; readonly selected: number };
}

/** By tag; those that are not listed have no query under way: not yet, or not any more. */
export async function askProgress(
  base: string,
  tags: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Progress>> {
  const parameters = new URLSearchParams(tags.map((tag) => ['tag', tag]));
  const json = await getJson(base, 'queries', parameters, { signal });
  const { queries } = json as { readonly queries: readonly ListedQuery[] };
  return new Map(
    queries.flatMap(({ tags: listed, state, rows }) => {
      const isWaiting = state === 'waiting';
      const progress = { isWaiting, rowsSelected: rows.selected, rowsDone: rows.done };
      return listed.map((tag) => [tag, progress] as const);
    }),
  );
}
