// Requests the data of the status page: metrics, running queries, labels and agents.
import { type AgentMessage, agentsRequest, agentsResponse } from './agents.gen.ts';
import { call } from './grpc-web.ts';
import { getJson } from './json.ts';

const agentsMethod = {
  path: 'parca.profilestore.v1alpha1.AgentsService/Agents',
  request: agentsRequest,
  response: agentsResponse,
};

/** Lists the agents that pushed recently. Errors: RpcError. */
export async function askAgents(
  base: string,
  signal: AbortSignal,
): Promise<readonly AgentMessage[]> {
  return (await call(base, agentsMethod, {}, { signal })).agents;
}

/** A running query. */
export interface RunningQuery {
  readonly id: string;
  readonly kind: string;
  readonly query: string;
  readonly state: 'waiting' | 'running';
  readonly seconds: number;
  readonly rows: { readonly done: number; readonly selected: number };
  readonly memoryBytes: number;
  /** True if the user may cancel the query. */
  readonly mayCancel: boolean;
}

/** A label with its number of values and its number of series. */
export interface LabelFacts {
  readonly name: string;
  readonly values: number;
  readonly series: number;
  readonly profiles: number;
}

export interface ServerStatus {
  /** Each metric, summed over its labels. */
  readonly metrics: ReadonlyMap<string, number>;
  readonly version: string;
  readonly queries: readonly RunningQuery[];
}

/** Requests data that the server returns immediately even if it is busy. Errors: RpcError. */
export async function askStatus(base: string, signal: AbortSignal): Promise<ServerStatus> {
  const [response, queries] = await Promise.all([
    fetch(`${base}metrics`, { signal }),
    getJson(base, 'queries', new URLSearchParams(), { signal }),
  ]);
  const text = response.ok ? await response.text() : '';
  return {
    metrics: sumMetrics(text),
    version: /parca_build_info\{version="([^"]*)"/.exec(text)?.[1] ?? '',
    queries: (queries as { readonly queries: readonly RunningQuery[] }).queries,
  };
}

/** Labels of the last hour, and the total number of series and profiles. */
export interface LabelsAnswer {
  readonly labels: readonly LabelFacts[];
  readonly total: { readonly series: number; readonly profiles: number };
}

/** Counts the labels of the last hour, which takes a query. Errors: RpcError. */
export async function askLabels(base: string, signal: AbortSignal): Promise<LabelsAnswer> {
  return (await getJson(base, 'labels', new URLSearchParams(), { signal })) as LabelsAnswer;
}

/** A string, such as a label name, with its number of series or values. */
export interface CountedString {
  readonly text: string;
  readonly count: number;
}

/** Series with profiles in the last one or two hours, and the share of each limit that is used. */
export interface CardinalityAnswer {
  readonly activeSeries: number;
  readonly labelNames: number;
  readonly newSeriesThisMinute: number;
  readonly limits: readonly {
    readonly flag: string;
    readonly limit: number;
    readonly used: number;
  }[];
  readonly seriesByName: readonly CountedString[];
  readonly valuesByName: readonly CountedString[];
  readonly seriesByValue: readonly CountedString[];
  readonly seriesByCaller: readonly CountedString[];
}

/**
 * Requests the counts of active series. Errors: RpcError, also from servers that do not accept
 * profiles.
 */
export async function askCardinality(
  base: string,
  signal: AbortSignal,
): Promise<CardinalityAnswer> {
  const answer = await getJson(base, 'status/cardinality', new URLSearchParams(), { signal });
  return answer as CardinalityAnswer;
}

/** Flags and config files of the server; secrets are masked. */
export interface SettingsAnswer {
  readonly flags: readonly {
    readonly name: string;
    readonly value: string;
    readonly isGiven: boolean;
  }[];
  readonly config: readonly { readonly file: string; readonly yaml: string }[];
}

/** Requests the settings. Errors: RpcError, also if the user lacks the scope admin. */
export async function askSettings(base: string, signal: AbortSignal): Promise<SettingsAnswer> {
  return (await getJson(base, 'settings', new URLSearchParams(), { signal })) as SettingsAnswer;
}

/** Cancels a query. */
export async function cancelQuery(base: string, id: string): Promise<void> {
  await fetch(`${base}api/v1/queries/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

/** Parses Prometheus' text format, and sums the values with the same name. */
export function sumMetrics(text: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{.*\})? (\S+)/.exec(line);
    if (found === null) continue;
    const value = Number(found[2]);
    if (Number.isFinite(value)) sums.set(found[1], (sums.get(found[1]) ?? 0) + value);
  }
  return sums;
}
