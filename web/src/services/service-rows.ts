// Makes rows of the start page: services, from the series and targets of one name.
import { deploysOf } from '../compare/versions.ts';
import { measureOf, perSecondFactor } from '../format/measure.ts';
import type { ProfileTypeOption } from '../format/profile-type.ts';
import { stretchesOf } from '../parts/sparkline-path.ts';
import { type MetricsSeries, type TargetMessage, toNanos } from '../rpc/messages.ts';
import { type Health, healthOf, readTargets } from './target-rows.ts';

/** Labels that name a service: the first one that a series has. */
export const nameLabels: readonly string[] = ['job', 'service_name', 'app', 'comm'];

/** Number of points of a sparkline: in a quarter of an hour each has some profiles. */
export const sparkPoints = 30;

/** One service. */
export interface ServiceRow {
  readonly name: string;
  /** Label whose value is the name. */
  readonly label: string;
  /** Profile type of its CPU time, else of its memory, else another one; "" without profiles. */
  readonly type: string;
  /** Average number of cores; undefined when its CPU is not profiled. */
  readonly cores: number | undefined;
  /** The same in the time before; undefined if it had no profiles then. */
  readonly coresBefore: number | undefined;
  /** Cores over time, oldest first; null where there are no profiles. */
  readonly points: readonly (number | null)[];
  /** The last version that came in the range; undefined if none is known. */
  readonly deploy: ServiceDeploy | undefined;
  /** Average number of bytes in use; undefined when its memory is not profiled. */
  readonly bytes: number | undefined;
  /** Bytes over time, oldest first; null where there are no profiles. */
  readonly bytePoints: readonly (number | null)[];
  /** Number of its targets that are up and down; both 0 when it pushes. */
  readonly up: number;
  readonly down: number;
  /** Time of the last profile, in milliseconds since the epoch; 0 if unknown. */
  readonly lastMillis: number;
}

/** A new version of a service, and its cores with it and before. */
export interface ServiceDeploy {
  readonly version: string;
  /** Index into the points. */
  readonly point: number;
  readonly cores: number;
  readonly coresBefore: number;
}

/** Answers of one profile type. */
export interface TypeAnswer {
  readonly type: string;
  readonly series: readonly MetricsSeries[];
  /** Series of the time before; none for memory. */
  readonly before: readonly MetricsSeries[];
  /** Series of each version, and the label that names it; none if no label does. */
  readonly versions?: { readonly label: string; readonly series: readonly MetricsSeries[] };
}

/** The answers from which rows are made; times begin at `from`, in steps of `stepMillis`. */
export interface ServiceAnswers {
  readonly from: number;
  readonly stepMillis: number;
  readonly cpu: readonly TypeAnswer[];
  readonly memory: readonly TypeAnswer[];
  readonly others: readonly TypeAnswer[];
  readonly targets: ReadonlyMap<string, readonly TargetMessage[]>;
}

export type ServiceOrder = 'cores' | 'change' | 'memory' | 'name';

/**
 * Returns the types to ask for: the best one of CPU time and of memory for each kind of profile,
 * the other ones of CPU time, and one type of every other kind, because a service may have no other
 * profiles.
 */
export function typesToAsk(types: readonly ProfileTypeOption[]): {
  readonly cpu: readonly string[];
  readonly memory: readonly string[];
  readonly others: readonly string[];
} {
  const firstOfEach = (kindOf: (type: string) => string, fits: (type: string) => boolean) => {
    const byKind = new Map<string, string>();
    for (const { value } of types) {
      const kind = kindOf(value);
      if (fits(value) && !byKind.has(kind)) byKind.set(kind, value);
    }
    return [...byKind.values()];
  };
  const cpu = firstOfEach((type) => type.split(':', 1)[0], isOfCores);
  // Heaps of Go and of Node have one name and two periods.
  const memory = firstOfEach(kindOfProfile, (type) => /^[^:]+:(inuse_)?space:bytes:/.test(type));
  const others = new Map(types.map(({ value }) => [kindOfProfile(value), value]));
  for (const type of [...cpu, ...memory]) others.delete(kindOfProfile(type));
  const moreCpu = types.map(({ value }) => value).filter((type) => isOfCores(type));
  const rest = moreCpu.filter((type) => !cpu.includes(type));
  return { cpu, memory, others: [...rest, ...others.values()] };
}

/** Returns true if the values of a type over time are cores. */
export function isOfCores(type: string): boolean {
  const { kind, delta } = measureOf(type);
  return kind === 'cpu' && delta;
}

/** Returns what all types of one profile share: its name, period and whether it is a difference. */
function kindOfProfile(type: string): string {
  const [name, , , ...period] = type.split(':');
  return [name, ...period].join(':');
}

interface Entry {
  row: ServiceRow;
}

/** Returns rows of every service that has profiles or targets, by name. */
export function readServices(answers: ServiceAnswers): ServiceRow[] {
  const entries = new Map<string, Entry>();
  const entryOf = (name: string, label: string): Entry => {
    const found = entries.get(name) ?? { row: emptyRow(name, label) };
    entries.set(name, found);
    return found;
  };
  for (const answer of answers.cpu) {
    const versions = answer.versions?.series ?? [];
    const versionsOf = byService({ ...answer, series: versions, before: [] });
    for (const [name, { label, series, before }] of byService(answer)) {
      const entry = entryOf(name, label);
      const factor = perSecondFactor(answer.type, measureOf(answer.type));
      const cores = averageOf(series) * factor;
      const lastMillis = Math.max(entry.row.lastMillis, lastOf(series));
      // The same processes may be profiled in two ways; the one with more cores counts.
      const isMore = cores > (entry.row.cores ?? -1);
      if (!isMore) {
        entry.row = { ...entry.row, lastMillis };
        continue;
      }
      const points = pointsOf(series, answers, factor);
      const ofVersions = versionsOf.get(name)?.series ?? [];
      entry.row = {
        ...entry.row,
        ...{ label, type: answer.type, cores, lastMillis, points },
        coresBefore: before.length === 0 ? undefined : averageOf(before) * factor,
        deploy: deployOf(ofVersions, answer.versions?.label ?? '', points, answers),
      };
    }
  }
  for (const answer of answers.memory) {
    for (const [name, { label, series }] of byService(answer)) {
      const entry = entryOf(name, label);
      entry.row = withMemory(entry.row, answer.type, series, answers);
    }
  }
  for (const answer of answers.others) {
    const factor = perSecondFactor(answer.type, measureOf(answer.type));
    for (const [name, { label, series, before }] of byService(answer)) {
      const entry = entryOf(name, label);
      const { row } = entry;
      const lastMillis = Math.max(row.lastMillis, lastOf(series));
      if (row.cores === undefined && isOfCores(answer.type)) {
        const cores = averageOf(series) * factor;
        const points = pointsOf(series, answers, factor);
        const coresBefore = before.length === 0 ? undefined : averageOf(before) * factor;
        entry.row = { ...row, type: answer.type, cores, coresBefore, points, lastMillis };
      } else {
        entry.row = { ...row, type: row.type === '' ? answer.type : row.type, lastMillis };
      }
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

/** Adds memory to a row; of two types that see one service, the one that sees more counts. */
function withMemory(
  row: ServiceRow,
  memoryType: string,
  series: readonly MetricsSeries[],
  answers: ServiceAnswers,
): ServiceRow {
  const bytes = averageOf(series);
  if (bytes < (row.bytes ?? 0)) return row;
  const type = row.type === '' ? memoryType : row.type;
  const lastMillis = Math.max(row.lastMillis, lastOf(series));
  return { ...row, type, bytes, bytePoints: pointsOf(series, answers, 1), lastMillis };
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
    deploy: undefined,
    ...{ bytes: undefined, bytePoints: [], up: 0, down: 0, lastMillis: 0 },
  };
}

interface ServiceSeries {
  label: string;
  series: MetricsSeries[];
  before: MetricsSeries[];
}

/** Returns the series of each service that has a sample now, or had one before. */
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

/** Finds the last version that came, and the cores before and since. */
function deployOf(
  series: readonly MetricsSeries[],
  label: string,
  points: readonly (number | null)[],
  { from, stepMillis }: ServiceAnswers,
): ServiceDeploy | undefined {
  const list = series.flatMap(({ labelset, samples: [first] }) => {
    const value = labelset?.labels.find(({ name }) => name === label)?.value ?? '';
    if (value === '' || first === undefined) return [];
    return [{ value, since: Number(toNanos(first.timestamp) / 1_000_000n) }];
  });
  if (list.length === 0) return undefined;
  const sorted = list.sort((a, b) => a.since - b.since || compare(a.value, b.value));
  const last = deploysOf({ label, list: sorted }, stepMillis).at(-1);
  if (last === undefined) return undefined;
  const point = Math.floor((last.since - from) / stepMillis);
  const coresBefore = meanOf(points.slice(0, point));
  const cores = meanOf(points.slice(point));
  if (coresBefore === undefined || cores === undefined) return undefined;
  return { version: last.value, point, cores, coresBefore };
}

function meanOf(points: readonly (number | null)[]): number | undefined {
  const known = points.filter((point) => point !== null);
  if (known.length === 0) return undefined;
  return known.reduce((sum, point) => sum + point, 0) / known.length;
}

/**
 * Returns by how much a service's cores changed, as a share: since its last deploy, else against
 * the time before; undefined without either.
 */
export function changeOf({ deploy, ...row }: ServiceRow): number | undefined {
  const { cores, coresBefore } = deploy ?? row;
  if (cores === undefined || coresBefore === undefined || coresBefore <= 0) return undefined;
  return cores / coresBefore - 1;
}

/** Returns the rows whose name contains `search`, in the order of `order`. */
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
  // The change counts in cores, because the share of an idle service may double at any time.
  change: ({ deploy, ...row }) => {
    const { cores = 0, coresBefore } = deploy ?? row;
    return coresBefore === undefined ? 0 : Math.abs(cores - coresBefore);
  },
  memory: ({ bytes }) => bytes ?? -1,
  name: () => 0,
};

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the share of the fleet's profiled time in which a service was profiled: its CPU, or its
 * memory.
 */
export function timeShareOf(
  row: ServiceRow,
  rows: readonly ServiceRow[],
  kind: 'points' | 'bytePoints' = 'points',
): number {
  const all = new Set(rows.flatMap((one) => coveredPoints(one[kind]))).size;
  return all === 0 ? 1 : coveredPoints(row[kind]).length / all;
}

/** Returns the points in stretches of profiles, including those between neighbours. */
function coveredPoints(points: ServiceRow['points']): number[] {
  return stretchesOf(points).flatMap((stretch) => {
    const [first, last] = [stretch[0], stretch[stretch.length - 1]];
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
