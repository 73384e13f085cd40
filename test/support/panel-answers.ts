// Gets answers to a panel's queries, which are sent as Grafana's data sources send them.
//
// Source: grafana/grafana, pkg/tsdb/grafana-pyroscope-datasource and pkg/promlib/querydata.
import assert from 'node:assert/strict';
import { isProfiles, type Target } from './dashboards.ts';

/** Shortest step of graphs of profiles: `minStep` in deploy/grafana/datasource.yaml. */
const profileStepSeconds = 15;

/** Servers that the data sources query, and values of a dashboard's variables. */
export interface PanelSources {
  /** URL of this server. */
  readonly profiles: string;
  /** URL of a Prometheus that scrapes this server. */
  readonly metrics: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Range of a query in milliseconds, and the step of graphs of metrics. */
export interface PanelRange {
  readonly start: number;
  readonly end: number;
  readonly stepSeconds: number;
}

/** A line: times in seconds and values. */
export interface PanelLine {
  readonly title: string;
  readonly points: readonly (readonly [seconds: number, value: number])[];
}

/** A flame graph in Pyroscope's form: four numbers per bar. */
export interface PanelGraph {
  readonly names: readonly string[];
  readonly levels: readonly (readonly number[])[];
}

/** Answer to a query: lines, or a graph. */
export interface PanelAnswer {
  readonly lines: readonly PanelLine[];
  /** Unit of the values, by its name in Grafana; undefined if the data source does not set it. */
  readonly unit?: string;
  readonly graph?: PanelGraph;
}

/** Sends a panel's query. */
export function askTarget(
  target: Target,
  sources: PanelSources,
  range: PanelRange,
): Promise<PanelAnswer> {
  if (!isProfiles(target)) return askMetrics(target, sources, range);
  return target.queryType === 'profile'
    ? askGraph(target, sources, range)
    : askSeries(target, sources, range);
}

/** Replaces the variables in a string. */
export function fillVariables(
  text: string,
  { variables }: Pick<PanelSources, 'variables'>,
): string {
  return text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    assert.ok(name in variables, `unknown variable ${name}`);
    return variables[name];
  });
}

async function askProfiles<Answer>(
  method: string,
  target: Target,
  sources: PanelSources,
  range: PanelRange,
  more: object,
): Promise<Answer> {
  return askJson<Answer>(`${sources.profiles}/querier.v1.QuerierService/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'connect-protocol-version': '1' },
    body: JSON.stringify({
      profileTypeID: target.profileTypeId,
      labelSelector: fillVariables(target.labelSelector ?? '', sources),
      start: String(range.start),
      end: String(range.end),
      ...more,
    }),
  });
}

async function askSeries(
  target: Target,
  sources: PanelSources,
  range: PanelRange,
): Promise<PanelAnswer> {
  interface Answer {
    readonly series?: readonly {
      readonly labels?: readonly { readonly value: string }[];
      readonly points: readonly { readonly timestamp: string; readonly value?: number }[];
    }[];
  }
  const more = { groupBy: target.groupBy, limit: String(target.limit), step: profileStepSeconds };
  const { series = [] } = await askProfiles<Answer>('SelectSeries', target, sources, range, more);
  const { unit, divisor } = rateOf(target.profileTypeId ?? '');
  const lines = series.map(({ labels = [], points }): PanelLine => ({
    title: labels.map(({ value }) => value).join(', '),
    points: points.map(({ timestamp, value = 0 }) => [Number(timestamp) / 1_000, value / divisor]),
  }));
  return { lines, unit };
}

/**
 * Returns how the data source converts the sums of a type: sums of states stay sums, others become
 * rates.
 */
function rateOf(profileType: string): { readonly unit: string; readonly divisor: number } {
  const [name, sampleType, unit] = profileType.split(':');
  if (sampleType.startsWith('inuse_')) return { unit: 'bytes', divisor: 1 };
  if (unit === 'bytes') return { unit: 'binBps', divisor: profileStepSeconds };
  return name === 'process_cpu'
    ? { unit: 'cores', divisor: profileStepSeconds * 1e9 }
    : { unit: 'ns', divisor: profileStepSeconds };
}

async function askGraph(
  target: Target,
  sources: PanelSources,
  range: PanelRange,
): Promise<PanelAnswer> {
  interface Answer {
    readonly flamegraph: {
      readonly names: readonly string[];
      readonly levels: readonly { readonly values: readonly string[] }[];
    };
  }
  const { flamegraph } = await askProfiles<Answer>(
    'SelectMergeStacktraces',
    target,
    sources,
    range,
    {},
  );
  const levels = flamegraph.levels.map(({ values }) => values.map(Number));
  return { lines: [], graph: { names: flamegraph.names, levels } };
}

async function askMetrics(
  target: Target,
  sources: PanelSources,
  { start, end, stepSeconds }: PanelRange,
): Promise<PanelAnswer> {
  interface Answer {
    readonly data: {
      readonly result: readonly {
        readonly metric: Readonly<Record<string, string>>;
        readonly values: readonly (readonly [number, string])[];
      }[];
    };
  }
  const query = fillVariables(target.expr ?? '', sources);
  const aligned = [start, end].map((millis) =>
    String(Math.floor(millis / 1_000 / stepSeconds) * stepSeconds),
  );
  const { data } = await askJson<Answer>(`${sources.metrics}/api/v1/query_range`, {
    method: 'POST',
    body: new URLSearchParams({
      query,
      start: aligned[0],
      end: aligned[1],
      step: String(stepSeconds),
    }),
  });
  const lines = data.result.map(({ metric, values }): PanelLine => ({
    title: legendOf(target, metric) || query,
    points: values.flatMap(([seconds, text]): [number, number][] =>
      Number.isFinite(Number(text)) ? [[seconds, Number(text)]] : [],
    ),
  }));
  return { lines: lines.filter(({ points }) => points.length > 0) };
}

function legendOf({ legendFormat = '' }: Target, metric: Readonly<Record<string, string>>): string {
  if (legendFormat === '__auto') return Object.values(metric).join(', ');
  return legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '');
}

async function askJson<Answer>(url: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(url, request);
  const text = await response.text();
  assert.equal(response.status, 200, `${url} ${String(request.body)}: ${text}`);
  return JSON.parse(text) as Answer;
}
