// The comparison shortcut, which shows the changes since the best base.
import type { Question } from '../answers/use-question.ts';
import {
  compareValues,
  sideQuery,
  distanceToNext,
  toggleComparison,
  withTimeSelected,
} from '../language/comparison.ts';
import type { Api, Span } from '../rpc/api.ts';
import { RpcError } from '../rpc/grpc-web.ts';
import {
  compareDeploy,
  findLastDeploy,
  findVersions,
  type LastDeploy,
  lastTwo,
  type Versions,
} from './versions.ts';

/** Changes that the shortcut makes. */
export interface Toggled {
  readonly query: string;
  /** Time that is moved from the query to the selection. */
  readonly selection?: Span;
}

/**
 * Returns the query compared with the version before the last deploy, however long ago, or else
 * with the preceding time. If the query is a comparison, returns the query without it. A query that
 * the server cannot answer stays unchanged.
 */
export async function toggled(
  { query, profileType, selectedSpan }: Pick<Question, 'query' | 'profileType' | 'selectedSpan'>,
  api: Api,
): Promise<Toggled> {
  const compared = sideQuery(query, 'now');
  const start = withTimeSelected(query);
  if (compared !== query) return start.selection === undefined ? { query: compared } : start;
  const span = start.selection ?? selectedSpan;
  const question = { query: start.query, profileType, span };
  let deploy: LastDeploy | undefined;
  let versions: Versions | undefined;
  try {
    deploy = await findLastDeploy(api, question, new AbortController());
    versions =
      deploy === undefined ? await findVersions(api, question, new AbortController()) : undefined;
  } catch (error) {
    if (error instanceof RpcError) return { query };
    throw error;
  }
  if (deploy !== undefined) return { ...start, query: compareDeploy(start.query, deploy, span) };
  const toggledQuery =
    versions === undefined
      ? toggleComparison(start.query, distanceToNext(span))
      : compareValues(start.query, versions.label, ...lastTwo(versions));
  return { ...start, query: toggledQuery };
}
