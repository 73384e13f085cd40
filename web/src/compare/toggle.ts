// The key of comparisons: shows what changed, against the best base.
import type { Question } from '../answers/use-question.ts';
import {
  compareValues,
  comparedOf,
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
  /** The time that was compared with the rest of the range. */
  readonly selection?: Span;
}

/**
 * Returns the query compared with the previous version, else with the time before; for a
 * comparison, the query that it compares. A query that the server cannot answer stays as it is.
 */
export async function toggled(
  { query, profileType, selectedSpan }: Pick<Question, 'query' | 'profileType' | 'selectedSpan'>,
  api: Api,
): Promise<Toggled> {
  const distance = distanceToNext(selectedSpan);
  const compared = comparedOf(query);
  if (compared !== query) {
    const selected = withTimeSelected(query);
    return selected.selection === undefined ? { query: compared } : selected;
  }
  const asked = { query, profileType, span: selectedSpan };
  let versions: Versions | undefined;
  try {
    versions = await findVersions(api, asked, new AbortController());
  } catch (error) {
    if (error instanceof RpcError) return { query };
    throw error;
  }
  const [before, now] = versions?.list.slice(-2) ?? [];
  if (versions === undefined || now === undefined) {
    return { query: toggleComparison(query, distance) };
  }
  return { query: compareValues(query, versions.label, before.value, now.value) };
}
