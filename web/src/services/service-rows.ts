// Builds the rows of the start page: services, each with the series and targets of one name.
import { serviceLabels } from '../../../src/model/service-labels.ts';
import { type LastDeploy, listDeploys, serviceKey } from '../compare/versions.ts';
import {
  type Coverage,
  parseMeasure,
  perSecondFactor,
  unknownCoverage,
} from '../format/measure.ts';
import type { ProfileTypeOption } from '../format/profile-type.ts';
import { noPoints, type SparkPoints } from '../parts/sparkline-path.ts';
import type { MetricsSeries, TargetMessage } from '../rpc/messages.gen.ts';
import { toNanos } from '../rpc/timestamp.ts';
import { computeMean, sparkPoints, toPoints } from './service-points.ts';
import { type Health, judgeHealth, readTargets } from './target-rows.ts';

/** One service: a value of a label. A job and a program with the same name are two services. */
export interface ServiceRow {
  readonly name: string;
  /** Label with the service's name. */
  readonly label: string;
  /**
   * Profile type of CPU time, otherwise of memory, otherwise any type; "" if there are no profiles.
   */
  readonly type: string;
  /** Average number of cores in the profiled time; undefined if there is no CPU profile. */
  readonly cores: number | undefined;
  /** Number of cores in the preceding time; undefined if there were no profiles. */
  readonly coresBefore: number | undefined;
  /**
   * Share of the cores of all services, averaged over the time in which any service was profiled.
   */
  readonly coresOfAll: number;
  /** Time that the CPU profiles cover. */
  readonly coverage: Coverage;
  /** Cores over time. */
  readonly points: SparkPoints;
  /** Last version deployed in the range; undefined if none is known. */
  readonly deploy: ServiceDeploy | undefined;
  /** Average number of bytes in use; undefined if there is no memory profile. */
  readonly bytes: number | undefined;
  /** Memory profile type, and bytes over time; "" and no points if memory is not profiled. */
  readonly memoryType: string;
  readonly memoryPoints: SparkPoints;
  /** Numbers of its targets that are up and down; both 0 if it pushes. */
  readonly up: number;
  readonly down: number;
  /** Time of the last profile, in milliseconds since the epoch; 0 if unknown. */
  readonly lastMillis: number;
}

/** A new version of a service, and its cores before and after the deploy. */
export interface ServiceDeploy extends LastDeploy {
  /** Index of the point with the deploy. */
  readonly point: number;
  readonly cores: number;
  readonly coresBefore: number;
}

/** Results for one profile type. */
export interface TypeAnswer {
  readonly type: string;
  /** One series per service. */
  readonly series: readonly MetricsSeries[];
  /** Series in the preceding time; empty for memory. */
  readonly before: readonly MetricsSeries[];
  /** Series per version, and the label with the version; absent if there is no such label. */
  readonly versions?: { readonly label: string; readonly series: readonly MetricsSeries[] };
}

/** Results for building rows; times begin at `from`, in steps of `stepMillis`. */
export interface ServiceAnswers {
  readonly from: number;
  readonly stepMillis: number;
  /** Answers in order of preference: for each service, the first answer with profiles is used. */
  readonly cpu: readonly TypeAnswer[];
  readonly memory: readonly TypeAnswer[];
  readonly others: readonly TypeAnswer[];
  readonly targets: ReadonlyMap<string, readonly TargetMessage[]>;
}

export type ServiceOrder = 'cores' | 'change' | 'memory' | 'name';

/**
 * Returns the types to request, best first: all types of CPU time, because a service may have only
 * one of them; the best memory type of each kind of profile; and one type of each other kind,
 * because a service may have no other profiles.
 */
export function typesToAsk(types: readonly ProfileTypeOption[]): {
  readonly cpu: readonly string[];
  readonly memory: readonly string[];
  readonly others: readonly string[];
} {
  const values = types.map(({ value }) => value);
  const cpu = values.filter((type) => isOfCores(type));
  // Heap profiles of Go and of Node have the same name but different periods.
  const memory = new Map<string, string>();
  for (const type of values) {
    const kind = kindOfProfile(type);
    if (/^[^:]+:(inuse_)?space:bytes:/.test(type) && !memory.has(kind)) memory.set(kind, type);
  }
  const others = new Map(values.map((value) => [kindOfProfile(value), value]));
  for (const type of [...cpu, ...memory.values()]) others.delete(kindOfProfile(type));
  return { cpu, memory: [...memory.values()], others: [...others.values()] };
}

/** Returns true if the values of a type over time are cores. */
function isOfCores(type: string): boolean {
  const { kind, delta } = parseMeasure(type);
  return kind === 'cpu' && delta;
}

/** Returns what all types of a profile have in common: name, period, and whether it is a delta. */
function kindOfProfile(type: string): string {
  const [name, , , ...period] = type.split(':');
  return [name, ...period].join(':');
}

/** Returns rows for all services with profiles or targets, by name. */
export function readServices(answers: ServiceAnswers): ServiceRow[] {
  const rows = new Map<string, ServiceRow>();
  const update = (service: NamedService, change: (row: ServiceRow) => Partial<ServiceRow>) => {
    const key = serviceKey(service);
    const row = rows.get(key) ?? emptyRow(service);
    rows.set(key, { ...row, ...change(row) });
  };
  for (const answer of answers.cpu) {
    const versionsByService = Map.groupBy(answer.versions?.series ?? [], keyOfSeries);
    const before = new Map(answer.before.map((one) => [keyOfSeries(one), one]));
    for (const series of answer.series.filter((one) => isOfTime(one))) {
      update(readService(series), (row) => {
        const lastMillis = Math.max(row.lastMillis, lastTime(series));
        // A service may have two kinds of CPU profiles; the first is used as long as it continues.
        if (row.cores !== undefined) return { lastMillis };
        const key = keyOfSeries(series);
        const factor = perSecondFactor(answer.type, parseMeasure(answer.type));
        const points = toPoints(series, answers, factor);
        const label = answer.versions?.label ?? '';
        return {
          type: answer.type,
          cores: computeCores(series),
          points,
          lastMillis,
          coresBefore: computeCores(before.get(key)),
          coresOfAll: series.average,
          coverage: coverageOfSeries(series),
          deploy: findDeploy(versionsByService.get(key) ?? [], label, points, answers),
        };
      });
    }
    for (const series of answer.before.filter((one) => isOfTime(one))) {
      update(readService(series), (row) => {
        if (row.cores !== undefined || answer.series.some((one) => isSame(one, series))) return {};
        return { type: answer.type, cores: 0, coresBefore: computeCores(series) };
      });
    }
  }
  for (const { type, series } of answers.memory) {
    for (const one of series) {
      update(readService(one), (row) => {
        const lastMillis = Math.max(row.lastMillis, lastTime(one));
        if (row.bytes !== undefined) return { lastMillis };
        const ofMemory = readMemory(type, one, answers);
        return { type: row.type === '' ? type : row.type, lastMillis, ...ofMemory };
      });
    }
  }
  // Counts without a known unit are not cores.
  for (const { type, series } of [...answers.others, ...answers.cpu]) {
    for (const one of series) {
      update(readService(one), (row) => ({
        type: row.type === '' ? type : row.type,
        lastMillis: Math.max(row.lastMillis, lastTime(one)),
      }));
    }
  }
  for (const target of readTargets(answers.targets)) {
    update(serviceOfLabels(new Map(target.labels)), (row) => {
      const health = judgeHealth(target);
      return {
        up: row.up + countTargets(health, 'up'),
        down: row.down + countTargets(health, 'down'),
        lastMillis: Math.max(row.lastMillis, scrapedAt(health, toNanos(target.lastScrape))),
      };
    });
  }
  return [...rows.values()].sort(
    (a, b) =>
      compare(a.name, b.name) || serviceLabels.indexOf(a.label) - serviceLabels.indexOf(b.label),
  );
}

/** Returns the data about a service's memory in the profiles of a memory type. */
function readMemory(
  type: string,
  one: MetricsSeries,
  answers: ServiceAnswers,
): Partial<ServiceRow> {
  const bytes = one.snapshots > 0 ? Number(one.total) / one.snapshots : 0;
  return { bytes, memoryType: type, memoryPoints: toPoints(one, answers, 1) };
}

interface NamedService {
  readonly label: string;
  readonly name: string;
}

function keyOfSeries(series: MetricsSeries): string {
  return serviceKey(readService(series));
}

function isSame(a: MetricsSeries, b: MetricsSeries): boolean {
  return keyOfSeries(a) === keyOfSeries(b);
}

/** Returns true if the values are times; counts with an unknown period are not. */
function isOfTime({ sampleType }: MetricsSeries): boolean {
  return sampleType?.unit === 'nanoseconds';
}

/** Returns the cores, computed as on the service's page; undefined without profiles. */
function computeCores(series: MetricsSeries | undefined): number | undefined {
  if (series === undefined) return undefined;
  const { total, coveredNanos } = series;
  return coveredNanos > 0n ? Number(total) / Number(coveredNanos) : 0;
}

function coverageOfSeries({ coveredNanos, snapshots }: MetricsSeries): Coverage {
  return { ...unknownCoverage, seconds: Number(coveredNanos) / 1e9, snapshots };
}

function countTargets(health: Health, counted: Health): number {
  return health === counted ? 1 : 0;
}

function scrapedAt(health: Health, nanos: bigint): number {
  return health === 'up' ? Number(nanos) / 1e6 : 0;
}

function emptyRow({ name, label }: NamedService): ServiceRow {
  return {
    name,
    label,
    type: '',
    cores: undefined,
    coresBefore: undefined,
    points: noPoints,
    coresOfAll: 0,
    coverage: unknownCoverage,
    deploy: undefined,
    bytes: undefined,
    memoryType: '',
    memoryPoints: noPoints,
    up: 0,
    down: 0,
    lastMillis: 0,
  };
}

function readService({ labelset }: MetricsSeries): NamedService {
  return serviceOfLabels(new Map((labelset?.labels ?? []).map(({ name, value }) => [name, value])));
}

/** Returns the label with the service's name, and its value; "" if there is none. */
function serviceOfLabels(labels: ReadonlyMap<string, string>): NamedService {
  const label = serviceLabels.find((name) => (labels.get(name) ?? '') !== '') ?? serviceLabels[0];
  return { label, name: labels.get(label) ?? '' };
}

function lastTime({ samples }: MetricsSeries): number {
  return Number(toNanos(samples.at(-1)?.timestamp)) / 1e6;
}

/**
 * Finds the version that was deployed last, and the numbers of cores before and after the deploy.
 */
function findDeploy(
  series: readonly MetricsSeries[],
  label: string,
  points: SparkPoints,
  { from, stepMillis }: ServiceAnswers,
): ServiceDeploy | undefined {
  const list = series.flatMap(({ labelset, samples: [first] }) => {
    const value = labelset?.labels.find(({ name }) => name === label)?.value ?? '';
    if (value === '' || first === undefined) return [];
    return [{ value, since: Number(toNanos(first.timestamp) / 1_000_000n) }];
  });
  if (list.length === 0) return undefined;
  const sorted = list.sort((a, b) => a.since - b.since || compare(a.value, b.value));
  const last = listDeploys({ list: sorted }, stepMillis).at(-1);
  if (last === undefined) return undefined;
  const point = Math.floor((last.since - from) / stepMillis);
  const coresBefore = computeMean(points, 0, point);
  const cores = computeMean(points, point, sparkPoints);
  if (coresBefore === undefined || cores === undefined) return undefined;
  return { ...last, label, point, cores, coresBefore };
}

/**
 * Returns the relative change of a service's cores since its last deploy, or since the preceding
 * time; undefined if neither is known.
 */
export function computeChange({ deploy, ...row }: ServiceRow): number | undefined {
  const { cores, coresBefore } = deploy ?? row;
  if (cores === undefined || coresBefore === undefined || coresBefore <= 0) return undefined;
  return cores / coresBefore - 1;
}

/** Returns the rows whose name contains `search`, sorted by `order`. */
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
  // Changes are sorted by cores, because the share of an idle service may double at any time.
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
