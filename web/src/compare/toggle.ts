// The key of comparisons: shows what changed, against the best base.
import type { Question } from '../answers/use-question.ts';
import {
  compareValues,
  comparedOf,
  distanceToNext,
  toggleComparison,
} from '../language/comparison.ts';
import type { Api } from '../rpc/api.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import { findVersions, type Versions } from './versions.ts';

/**
 * Returns the query compared with the previous version, else with the time before; for a
 * comparison, the query that it compares. A query that the server cannot answer stays as it is.
 */
export async function toggled(
  { query, profileType, selectedSpan }: Pick<Question, 'query' | 'profileType' | 'selectedSpan'>,
  api: Api,
): Promise<string> {
  const distance = distanceToNext(selectedSpan);
  if (comparedOf(query) !== query) return toggleComparison(query, distance);
  const asked = { query, profileType, span: selectedSpan };
  let versions: Versions | undefined;
  try {
    versions = await findVersions(api, asked, new AbortController());
  } catch (error) {
    if (error instanceof RpcError) return query;
    throw error;
  }
  const [before, now] = versions?.list.slice(-2) ?? [];
  if (versions === undefined || now === undefined) return toggleComparison(query, distance);
  return compareValues(query, versions.label, before.value, now.value);
}
