// The key of comparisons: shows the changes since the best base.
import type { Question } from '../answers/use-question.ts';
import {
  compareValues,
  comparedQuery,
  distanceToNext,
  toggleComparison,
  withTimeSelected,
} from '../language/comparison.ts';
import type { Api, Span } from '../rpc/api.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import { findVersions, type Versions } from './versions.ts';

/** Changes that the key makes. */
export interface Toggled {
  readonly query: string;
  /** Time that the query had, which is selected instead. */
  readonly selection?: Span;
}

/**
 * Returns the query compared with the previous version, else with the preceding time; for a
 * comparison, the query that it compares. A query that the server cannot answer stays as it is.
 */
export async function toggled(
  { query, profileType, selectedSpan }: Pick<Question, 'query' | 'profileType' | 'selectedSpan'>,
  api: Api,
): Promise<Toggled> {
  const compared = comparedQuery(query);
  const start = withTimeSelected(query);
  if (compared !== query) return start.selection === undefined ? { query: compared } : start;
  const span = start.selection ?? selectedSpan;
  let versions: Versions | undefined;
  try {
    versions = await findVersions(
      api,
      { query: start.query, profileType, span },
      new AbortController(),
    );
  } catch (error) {
    if (error instanceof RpcError) return { query };
    throw error;
  }
  const [before, now] = versions?.list.slice(-2) ?? [];
  const toggledQuery =
    versions === undefined || now === undefined
      ? toggleComparison(start.query, distanceToNext(span))
      : compareValues(start.query, versions.label, before.value, now.value);
  return { ...start, query: toggledQuery };
}
