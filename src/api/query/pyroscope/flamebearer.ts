// The other parts of a flame graph in Pyroscope's JSON: units, and timelines without gaps.
import type { MetricsSeries } from '../../../query/interface.ts';
import type { SeriesPlan } from './request.ts';

/** Unit of the numbers of bars, and how many of them make a second. */
export interface BarUnits {
  readonly sampleRate: number;
  readonly units: string;
  /** Name of the sample type. */
  readonly name: string;
}

/** Parts of an answer in addition to the bars; each is JSON text. */
export interface FlamebearerParts {
  readonly timeline?: string;
  readonly groups?: string;
}

/** Returns an answer in Pyroscope's JSON; `bars` is the JSON that `encodeFlamebearer` made. */
export function flamebearerJson(
  bars: string,
  units: BarUnits,
  { timeline = 'null', groups = 'null' }: FlamebearerParts = {},
): string {
  const ticks = /"leftTicks":(\d+),"rightTicks":(\d+)\}$/.exec(bars);
  const format = ticks === null ? 'single' : 'double';
  const { sampleRate, units: unit, name } = units;
  const metadata = { format, spyName: '', sampleRate, units: unit, name };
  const parts = [
    '"version":1',
    `"flamebearer":${bars}`,
    `"metadata":${JSON.stringify(metadata)}`,
    `"timeline":${timeline}`,
    `"groups":${groups}`,
    '"heatmap":null',
    ...(ticks === null ? [] : [`"leftTicks":${ticks[1]}`, `"rightTicks":${ticks[2]}`]),
  ];
  return `{${parts.join(',')}}`;
}

const objectTypes: ReadonlySet<string> = new Set([
  'inuse_objects',
  'alloc_objects',
  'goroutine',
  'samples',
]);

/** Returns the units that Pyroscope's clients know for a type. */
export function barUnits(profileType: string): BarUnits {
  const [, name = '', unit = ''] = profileType.split(':');
  if (name === 'cpu' && unit === 'nanoseconds') {
    return { sampleRate: 1_000_000_000, units: 'samples', name };
  }
  return { sampleRate: 100, units: objectTypes.has(name) ? 'objects' : unit, name };
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Grafana's intervals. Each has the length below which it is chosen. */
const intervals: readonly (readonly [belowMillis: number, millis: number])[] = [
  [17.5 * second, 15 * second],
  [25 * second, 20 * second],
  [45 * second, 30 * second],
  [1.5 * minute, minute],
  [3.5 * minute, 2 * minute],
  [7.5 * minute, 5 * minute],
  [12.5 * minute, 10 * minute],
  [17.5 * minute, 15 * minute],
  [25 * minute, 20 * minute],
  [45 * minute, 30 * minute],
  [1.5 * hour, hour],
  [2.5 * hour, 2 * hour],
  [4.5 * hour, 3 * hour],
  [9 * hour, 6 * hour],
  [day, 12 * hour],
  [7 * day, day],
];

/** Approximate number of points in a timeline. */
const pointsWanted = 1_500;

/** Returns the step of a timeline, which is one of Grafana's intervals. */
export function timelineStepMillis(rangeMillis: number): number {
  const wanted = rangeMillis / pointsWanted;
  return intervals.find(([below]) => wanted < below)?.[1] ?? 7 * day;
}

/** A timeline in Pyroscope's JSON; times are in seconds. */
export interface Timeline {
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly durationDelta: number;
  readonly watermarks: object;
}

/** Returns a timeline of `count` points; a point that is missing in the line becomes 0. */
export function toTimeline(
  line: MetricsSeries | undefined,
  { pointMillis, stepMillis }: Pick<SeriesPlan, 'pointMillis'> & { readonly stepMillis: number },
  startMillis: number,
  count: number,
): Timeline {
  const samples = Array.from({ length: count }, () => 0);
  line?.timeNanos.forEach((bucket, i) => {
    const at = Math.round((Number(pointMillis(bucket)) - startMillis) / stepMillis);
    if (at >= 0 && at < count) samples[at] = Number(line.value[i]);
  });
  return {
    startTime: startMillis / second,
    samples,
    durationDelta: stepMillis / second,
    watermarks: {},
  };
}
