// Requests findings, and changes their state.
import type { Span } from './api.ts';
import type { Asking } from './asking.ts';
import { grpcUnavailable, RpcError } from './grpc-web.ts';
import { getJson, toError } from './json.ts';
import { timeBounds } from './time-bounds.ts';

export type FindingState = 'open' | 'acknowledged' | 'resolved';

export interface FindingFunction {
  readonly name: string;
  readonly measure: 'flat' | 'cumulative';
  /** Shares of the service. */
  readonly before: number;
  readonly after: number;
  /** Change of the cost as a share of the service, and the ends of its 95 % interval. */
  readonly cost: number;
  readonly low: number;
  readonly high: number;
  /** Change of the cost: cores, bytes, or bytes per second. */
  readonly amount: number;
}

/** A change of a service that the server detected. */
export interface FindingAnswer {
  readonly id: string;
  readonly kind: 'deploy' | 'mark' | 'unexplained' | 'drift';
  readonly state: FindingState;
  readonly resolution?: 'undone' | 'usual';
  readonly isRegression: boolean;
  readonly resource: 'cpu' | 'memory' | 'allocations';
  /** Query for the resource of the service. */
  readonly query: string;
  readonly service: { readonly label: string; readonly name: string };
  readonly time: string;
  readonly found: string;
  readonly version: string;
  readonly versionBefore: string;
  readonly versionLabel: string;
  readonly sentence: string;
  /** Changed functions, the cause first. */
  readonly functions: readonly FindingFunction[];
}

/** Findings of a server. */
export interface FindingsAnswer {
  readonly findings: readonly FindingAnswer[];
  /** Reason why the server does not search; absent if it does. */
  readonly notSearched?: string;
}

/** Lists findings, in a time range or all. Errors: RpcError. */
export async function askFindings(
  base: string,
  asking: Asking,
  span?: Span,
): Promise<FindingsAnswer> {
  const bounds = new URLSearchParams(span === undefined ? {} : timeBounds(span));
  return (await getJson(base, 'findings', bounds, asking)) as FindingsAnswer;
}

/** Acknowledges a finding, or opens it again. Errors: RpcError. */
export async function changeFinding(
  base: string,
  id: string,
  state: 'acknowledged' | 'open',
): Promise<void> {
  let response: Response;
  try {
    const body = JSON.stringify({ state });
    const headers = { 'content-type': 'application/json' };
    response = await fetch(`${base}api/v1/findings/${id}`, { method: 'POST', body, headers });
  } catch (error) {
    throw new RpcError(grpcUnavailable, 'the server cannot be reached', { cause: error });
  }
  if (!response.ok) throw toError(await response.json(), response.status);
}
