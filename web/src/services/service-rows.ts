// Services: what the series and targets of one name amount to, as rows of the start page.
import { measureOf, perSecondFactor } from '../format/measure.ts';
import type { ProfileTypeOption } from '../format/profile-type.ts';
import { type MetricsSeries, type TargetMessage, toNanos } from '../rpc/messages.ts';
import { type Health, healthOf, readTargets } from './target-rows.ts';

/** Labels that name a service: the first one that a series has. */
export const nameLabels: readonly string[] = ['job', 'service_name', 'app', 'comm'];

/** Number of points of a sparkline. */
export const sparkPoints = 60;

/** One service. */
export interface ServiceRow {
  readonly name: string;
  /** Label whose value is the name. */
  readonly label: string;
  /** Profile type of its CPU time; its largest memory type, or "", when it has none. */
  readonly type: string;
  /** Average number of cores; undefined when its CPU is not profiled. */
  readonly cores: number | undefined;
  /** The same in the time before; undefined when it had no profiles then. */
  readonly coresBefore: number | undefined;
  /** Cores over time, oldest first; null where there are no profiles. */
  readonly points: readonly (number | null)[];
  /** Average number of bytes in use; undefined when its memory is not profiled. */
  readonly bytes: number | undefined;
  /** Number of its targets that are up and down; both 0 when it pushes. */
  readonly up: number;
  readonly down: number;
  /** When the last profile came, in milliseconds since the epoch; 0 when unknown. */
  readonly lastMillis: number;
}

/** Answers of one profile type. */
export interface TypeAnswer {
  readonly type: string;
  readonly series: readonly MetricsSeries[];
  /** Series of the time before; none for memory. */
  readonly before: readonly MetricsSeries[];
}

/** The answers that rows are made of: times begin at `from`, in steps of `stepMillis`. */
export interface ServiceAnswers {
  readonly from: number;
  readonly stepMillis: number;
  readonly cpu: readonly TypeAnswer[];
  readonly memory: readonly TypeAnswer[];
  readonly targets: ReadonlyMap<string, readonly TargetMessage[]>;
}

export type ServiceOrder = 'cores' | 'change' | 'memory' | 'name';

/** Types of CPU time and of memory in use to ask for: the best one of each kind of profile. */
export function typesToAsk(types: readonly ProfileTypeOption[]): {
  readonly cpu: readonly string[];
  readonly memory: readonly string[];
} {
  const firstOfEach = (fits: (type: string) => boolean): string[] => {
    const byName = new Map<string, string>();
    for (const { value } of types) {
      const [name] = value.split(':');
      if (fits(value) && !byName.has(name)) byName.set(name, value);
    }
    return [...byName.values()];
  };
  return {
    cpu: firstOfEach((type) => {
      const { kind, delta } = measureOf(type);
      return kind === 'cpu' && delta;
    }),
    memory: firstOfEach((type) => /^[^:]+:(inuse_)?space:bytes:/.test(type)),
  };
}

interface Entry {
  row: ServiceRow;
}

/** Rows of every service that has profiles or targets, by name. */
export function readServices(answers: ServiceAnswers): ServiceRow[] {
  const entries = new Map<string, Entry>();
  const entryOf = (name: string, label: string): Entry => {
    const found = entries.get(name) ?? { row: emptyRow(name, label) };
    entries.set(name, found);
    return found;
  };
  for (const answer of answers.cpu) {
    for (const [name, { label, series, before }] of byService(answer)) {
      const entry = entryOf(name, label);
      const factor = perSecondFactor(answer.type, measureOf(answer.type));
      const cores = averageOf(series) * factor;
      const lastMillis = Math.max(entry.row.lastMillis, lastOf(series));
      // The same processes may be profiled in two ways; what sees more of them counts.
      const isMore = cores > (entry.row.cores ?? -1);
      entry.row = isMore
        ? {
            ...entry.row,
            ...{ label, type: answer.type, cores, lastMillis },
            coresBefore: before.length === 0 ? undefined : averageOf(before) * factor,
            points: pointsOf(series, answers, factor),
          }
        : { ...entry.row, lastMillis };
    }
  }
  for (const answer of answers.memory) {
    for (const [name, { label, series }] of byService(answer)) {
      const entry = entryOf(name, label);
      const bytes = averageOf(series);
      const type = entry.row.type === '' ? answer.type : entry.row.type;
      const lastMillis = Math.max(entry.row.lastMillis, lastOf(series));
      if (bytes >= (entry.row.bytes ?? 0)) entry.row = { ...entry.row, type, bytes, lastMillis };
    }
  }
  for (const target of readTargets(answers.targets)) {
    const [label, name] = serviceOf(new Map(target.labels));
    const entry = entryOf(name, label);
    const health = healthOf(target);
    const { row } = entry;
    entry.row = {
      ...row,
      up: row.up + countOf(health, 'up'),
      down: row.down + countOf(health, 'down'),
      lastMillis: Math.max(row.lastMillis, scrapedAt(health, toNanos(target.lastScrape))),
    };
  }
  return [...entries.values()].map(({ row }) => row).sort((a, b) => compare(a.name, b.name));
}

function countOf(health: Health, counted: Health): number {
  return health === counted ? 1 : 0;
}

function scrapedAt(health: Health, nanos: bigint): number {
  return health === 'up' ? Number(nanos) / 1e6 : 0;
}

function emptyRow(name: string, label: string): ServiceRow {
  return {
    ...{ name, label, type: '', cores: undefined, coresBefore: undefined, points: [] },
    ...{ bytes: undefined, up: 0, down: 0, lastMillis: 0 },
  };
}

interface ServiceSeries {
  label: string;
  series: MetricsSeries[];
  before: MetricsSeries[];
}

/** The series of each service that has a sample now, or had one before. */
function byService({ series, before }: TypeAnswer): Map<string, ServiceSeries> {
  const services = new Map<string, ServiceSeries>();
  const add = (one: MetricsSeries, side: 'series' | 'before'): void => {
    const labels = (one.labelset?.labels ?? []).map(({ name, value }) => [name, value] as const);
    const [label, name] = serviceOf(new Map(labels));
    const service = services.get(name) ?? { label, series: [], before: [] };
    service[side].push(one);
    services.set(name, service);
  };
  for (const one of series) add(one, 'series');
  for (const one of before) add(one, 'before');
  return services;
}

/** Returns the label that names a service, and its value; "" for one without any. */
function serviceOf(labels: ReadonlyMap<string, string>): readonly [label: string, name: string] {
  const label = nameLabels.find((name) => (labels.get(name) ?? '') !== '') ?? nameLabels[0];
  return [label, labels.get(label) ?? ''];
}

function averageOf(series: readonly MetricsSeries[]): number {
  return series.reduce((sum, { average }) => sum + average, 0);
}

function lastOf(series: readonly MetricsSeries[]): number {
  const times = series.map(({ samples }) => toNanos(samples.at(-1)?.timestamp));
  return Math.max(0, ...times.map((nanos) => Number(nanos) / 1e6));
}

function pointsOf(
  series: readonly MetricsSeries[],
  { from, stepMillis }: ServiceAnswers,
  factor: number,
): (number | null)[] {
  const points = Array.from({ length: sparkPoints }, (): number | null => null);
  for (const { samples } of series) {
    for (const { timestamp, valuePerSecond } of samples) {
      const at = Math.floor((Number(toNanos(timestamp)) / 1e6 - from) / stepMillis);
      const i = Math.min(sparkPoints - 1, Math.max(0, at));
      points[i] = (points[i] ?? 0) + valuePerSecond * factor;
    }
  }
  return points;
}

/** Returns by how much a service's cores changed, as a share; undefined without a time before. */
export function changeOf({ cores, coresBefore }: ServiceRow): number | undefined {
  if (cores === undefined || coresBefore === undefined || coresBefore <= 0) return undefined;
  return cores / coresBefore - 1;
}

/** Rows whose name contains `search`, the first one of `order` first. */
export function arrangeServices(
  rows: readonly ServiceRow[],
  search: string,
  order: ServiceOrder,
): ServiceRow[] {
  const lower = search.toLowerCase();
  const weigh = weights[order];
  return rows
    .filter(({ name }) => name.toLowerCase().includes(lower))
    .sort((a, b) => weigh(b) - weigh(a) || compare(a.name, b.name));
}

const weights: Record<ServiceOrder, (row: ServiceRow) => number> = {
  cores: ({ cores }) => cores ?? -1,
  // By cores, not by share: a service that is never busy may double at any time.
  change: ({ cores = 0, coresBefore }) =>
    coresBefore === undefined ? 0 : Math.abs(cores - coresBefore),
  memory: ({ bytes }) => bytes ?? -1,
  name: () => 0,
};

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
