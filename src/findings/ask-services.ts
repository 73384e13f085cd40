// Queries the engine for services, for their versions, and for their functions.
import { errorCode } from '../base/errors.ts';
import type { LabelSet } from '../model/labels.ts';
import type { ProfileType } from '../model/profile-type.ts';
import { serviceLabels, versionLabels } from '../model/service-labels.ts';
import { UnknownTypeError } from '../promql-like/resolve.ts';
import type { MetricsSeries, QueryCaller, QueryEngine } from '../query/interface.ts';
import type { VersionLine } from './deploys.ts';
import type { ServiceName } from './interface.ts';
import { functionsMax } from './limits.ts';
import { windowMillis } from './statistics/limits.ts';
import type { AnsweredWindow } from './service-windows.ts';
import { queryOfAll, serviceQuery, type WatchedType } from './watched-types.ts';

/** Methods of the query engine that findings need. */
export type FindingsEngine = Pick<
  QueryEngine,
  'labelNames' | 'largestFunctions' | 'profileTypes' | 'queryRange'
>;

const nanosPerMilli = 1_000_000n;

/** Use of a resource by a service in one window, in the unit of the resource. */
export interface ServiceUse extends ServiceName {
  readonly amount: number;
}

/** Lists the services that have profiles of a type in a range. Errors: those of the engine. */
export async function listServices(
  engine: FindingsEngine,
  type: WatchedType,
  fromMillis: number,
  toMillis: number,
  caller: QueryCaller,
): Promise<ServiceUse[]> {
  const range = toRange(fromMillis, toMillis);
  const answer = await orNothing(
    engine.queryRange(
      {
        query: queryOfAll(type),
        range,
        stepNanos: range.to - range.from + 1n,
        sumBy: serviceLabels,
        limit: 0,
        averages: true,
        isByFirstLabel: true,
      },
      caller,
    ),
  );
  return (answer?.series ?? []).flatMap((line) => {
    const service = serviceOf(line.labels);
    if (service === undefined) return [];
    return [{ ...service, amount: type.resource === 'cpu' ? line.average : bytesOf(line) }];
  });
}

/** Returns the average of one instance: bytes in use for snapshots, bytes per second for deltas. */
function bytesOf({ total, covered }: MetricsSeries): number {
  if (covered === undefined) return 0;
  const { snapshots, durationNanos } = covered;
  if (snapshots > 0) return Number(total) / snapshots;
  return durationNanos > 0n ? (Number(total) / Number(durationNanos)) * 1e9 : 0;
}

/**
 * Returns the start of each hour in which a service has profiles, in order, by the key of the
 * service.
 */
export async function listHours(
  engine: FindingsEngine,
  type: WatchedType,
  fromMillis: number,
  toMillis: number,
  caller: QueryCaller,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const answer = await orNothing(
    engine.queryRange(
      {
        query: queryOfAll(type),
        range: toRange(fromMillis, toMillis),
        stepNanos: BigInt(windowMillis) * nanosPerMilli,
        sumBy: serviceLabels,
        limit: 0,
        isByFirstLabel: true,
      },
      caller,
    ),
  );
  const hours = new Map<string, readonly number[]>();
  for (const { labels, timeNanos } of answer?.series ?? []) {
    const service = serviceOf(labels);
    if (service === undefined) continue;
    hours.set(serviceKey(service), startsOf(timeNanos, windowMillis));
  }
  return hours;
}

/** Versions of services, by the key of the service, and the label that contains them. */
export interface Versions {
  readonly label: string;
  readonly lines: ReadonlyMap<string, readonly VersionLine[]>;
}

/**
 * Queries the versions of all services in a time range; undefined if no label contains versions.
 * Errors: those of the engine.
 */
export async function askVersions(
  engine: FindingsEngine,
  type: WatchedType,
  fromMillis: number,
  toMillis: number,
  stepMillis: number,
  caller: QueryCaller,
): Promise<Versions | undefined> {
  const range = toRange(fromMillis, toMillis);
  const asked = { match: [type.selector], profileType: '', range };
  const names = new Set((await orNothing(engine.labelNames(asked, caller))) ?? []);
  const label = versionLabels.find((name) => names.has(name));
  if (label === undefined) return undefined;
  const answer = await orNothing(
    engine.queryRange(
      {
        query: queryOfAll(type),
        range,
        stepNanos: BigInt(stepMillis) * nanosPerMilli,
        sumBy: [label, ...serviceLabels.filter((name) => names.has(name))],
        limit: 0,
      },
      caller,
    ),
  );
  const lines = new Map<string, VersionLine[]>();
  for (const { labels, timeNanos, value } of answer?.series ?? []) {
    const version = labels.find(({ name }) => name === label)?.value ?? '';
    const service = serviceOf(labels);
    if (version === '' || service === undefined) continue;
    const ofService = lines.get(serviceKey(service)) ?? [];
    lines.set(serviceKey(service), ofService);
    ofService.push({
      version,
      startMillis: startsOf(timeNanos, stepMillis),
      values: Array.from(value, Number),
    });
  }
  return { label, lines };
}

/** Queries the largest functions of a service in the window that starts at a given time. */
export async function askWindow(
  engine: FindingsEngine,
  type: WatchedType,
  service: ServiceName,
  startMillis: number,
  caller: QueryCaller,
): Promise<AnsweredWindow> {
  const query = serviceQuery(type, service);
  const range = toRange(startMillis, startMillis + windowMillis);
  const asked = { query, range, count: functionsMax, measure: 'cumulative' } as const;
  const answer = await orNothing(engine.largestFunctions(asked, caller));
  if (answer === undefined || answer.total <= 0) return { startMillis, samples: 0, functions: [] };
  const { total, functions } = answer;
  // Each snapshot of memory in use contains the same samples, so their average number is used.
  const sampleCount = answer.sampleCount / Math.max(1, answer.snapshots);
  return {
    startMillis,
    samples: sampleCount,
    functions: functions.map(({ name, flat, cumulative }) => ({
      name,
      flat: (flat * sampleCount) / total,
      cumulative: (cumulative * sampleCount) / total,
    })),
  };
}

/** Returns the profile types in a range of time. Errors: those of the engine. */
export function listTypes(
  engine: FindingsEngine,
  fromMillis: number,
  toMillis: number,
  caller: QueryCaller,
): Promise<readonly ProfileType[]> {
  return engine.profileTypes(toRange(fromMillis, toMillis), caller);
}

/** Returns the start of each bucket, in milliseconds. */
function startsOf(timeNanos: BigInt64Array, stepMillis: number): number[] {
  return Array.from(timeNanos, (time) => {
    const millis = Number(time / nanosPerMilli);
    return millis - (millis % stepMillis);
  });
}

/** Returns a unique key for a service. */
export function serviceKey({ label, name }: ServiceName): string {
  return `${label}\0${name}`;
}

function serviceOf(labels: LabelSet): ServiceName | undefined {
  for (const wanted of serviceLabels) {
    const value = labels.find(({ name }) => name === wanted)?.value ?? '';
    if (value !== '') return { label: wanted, name: value };
  }
  return undefined;
}

function toRange(
  fromMillis: number,
  toMillis: number,
): { readonly from: bigint; readonly to: bigint } {
  return { from: BigInt(fromMillis) * nanosPerMilli, to: BigInt(toMillis) * nanosPerMilli - 1n };
}

/** Returns the answer; undefined if the query fails because no such profiles exist yet. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (errorCode(error) === 'not-found' || error instanceof UnknownTypeError) return undefined;
    throw error;
  }
}
