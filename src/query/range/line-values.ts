// The values that a metrics graph shows for the buckets of a line: rates, and averages over the
// whole range.
import type { ProfileType } from '../../model/profile-type.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type { LineOverTime, SelectedSeries } from '../../storage/interface.ts';
import { averagingDivisor, averagingFactors } from '../merge/coverage.ts';
import { scaledValueType } from '../merge/scaling.ts';
import type { CoveredValues, MetricsSeries } from '../interface.ts';

const nanosPerSecond = 1e9;

/**
 * Meaning of a bucket's value: the sum of its deltas, the first state of each series, or the sum of
 * increases over steps, which may be longer than a bucket.
 */
export type LineKind = 'delta' | 'state' | 'increase';

/** Options that all lines of a graph share. */
export interface LineOptions {
  readonly profileType: ProfileType;
  readonly isScaled: boolean;
  readonly kind: LineKind;
  /** Width of a bucket; 0 = one bucket for each distinct time. */
  readonly stepNanos: bigint;
}

/** Factor for the sum of a bucket, and its covered time in nanoseconds; both 0 if unknown. */
export interface CoveredBucket {
  readonly factor: number;
  readonly coveredNanos: number;
}

/** A line in order of time, with rates over the covered time if it is known. */
export interface LineValues {
  readonly series: MetricsSeries;
  readonly rates: Pick<CoveredValues, 'rate' | 'coveredNanos'> | undefined;
}

/**
 * Returns the line in order of time, without averages. With `findCovered`, which takes the start of
 * a bucket, the line has rates over the covered time, and the sums of states include all snapshots.
 */
export function computeValues(
  line: LineOverTime,
  { profileType, isScaled, kind, stepNanos }: LineOptions,
  findCovered?: (startNanos: bigint) => CoveredBucket,
): LineValues {
  const sampleType = scaledValueType(profileType, isScaled);
  const isCpuTime = sampleType.type === 'cpu' && sampleType.unit === 'nanoseconds';
  /** Time unit of rates: CPU time gives cores, all other rates are per second. */
  const unitNanos = isCpuTime ? 1 : nanosPerSecond;
  const step = stepNanos > 0n ? stepNanos : 1n;
  const isAverage = kind === 'state' && findCovered !== undefined;
  const time = kind === 'state' && !isAverage ? line.firstNanos : line.startNanos;
  const order = Uint32Array.from(time, (_, i) => i);
  order.sort((a, b) => (time[a] < time[b] ? -1 : 1));
  const series = {
    labels: line.labels,
    sampleType,
    periodType: profileType.period,
    timeNanos: BigInt64Array.from(order, (i) => time[i]),
    value: BigInt64Array.from(order, (i) => line.value[i]),
    valuePerSecond: new Float64Array(order.length),
    durationNanos: new BigInt64Array(order.length),
    count: order.map((i) => line.count[i]),
    total: line.total,
    average: 0,
  };
  const rate = new Float64Array(order.length);
  const covered = new BigInt64Array(order.length);
  order.forEach((bucket, i) => {
    const value = line.value[bucket];
    if (findCovered !== undefined) {
      const { factor, coveredNanos } = findCovered(line.startNanos[bucket]);
      covered[i] = BigInt(Math.round(coveredNanos));
      rate[i] = Number(value) * factor * (isAverage ? 1 : unitNanos);
    }
    if (isAverage) {
      series.value[i] = BigInt(Math.round(rate[i]));
      series.valuePerSecond[i] = rate[i];
      return;
    }
    if (kind === 'state') {
      series.valuePerSecond[i] = Number(value);
      return;
    }
    const duration = line.isMixed[bucket] === 1 ? step : line.durationNanos[bucket];
    series.durationNanos[i] = duration;
    if (kind === 'increase') {
      const rate = Number(value - line.longValue[bucket]) / (Number(step) / unitNanos);
      series.valuePerSecond[i] = rate + line.longRate[bucket] * unitNanos;
      return;
    }
    const units = Number(duration) / unitNanos;
    series.valuePerSecond[i] = units === 0 ? 0 : Number(value) / units;
  });
  // Profiles without a duration cover no time, so they get the rate over the bucket.
  for (let i = 0; i < rate.length; i += 1)
    if (covered[i] === 0n) rate[i] = series.valuePerSecond[i];
  const known = findCovered !== undefined;
  return { series, rates: known ? { rate, coveredNanos: covered } : undefined };
}

/** Returns the divisor for the total of this line, which a report of only this line would use. */
export function findOwnDivisor(
  { shares }: LineOverTime,
  timelines: ReadonlyMap<SelectedSeries, Timeline>,
  isOverTime: boolean,
  rangeNanos: number,
): Pick<CoveredValues, 'durationNanos' | 'snapshots'> {
  const own = Array.from(shares.keys()).flatMap((series) => timelines.get(series) ?? []);
  const divisor = averagingDivisor(own, isOverTime, rangeNanos);
  return isOverTime
    ? { durationNanos: BigInt(Math.round(divisor)), snapshots: 0 }
    : { durationNanos: 0n, snapshots: divisor };
}

/**
 * Returns the contribution of each line to the average of all lines, per nanosecond or snapshot.
 */
export function computeAverages(
  lines: readonly LineOverTime[],
  timelines: ReadonlyMap<SelectedSeries, Timeline>,
  isOverTime: boolean,
  rangeNanos: number,
): number[] {
  const factors = averagingFactors([...timelines.values()], isOverTime, rangeNanos);
  const factorBySeries = new Map(Array.from(timelines.keys(), (series, i) => [series, factors[i]]));
  return lines.map(({ shares }) => {
    let average = 0;
    for (const [series, value] of shares)
      average += Number(value) * (factorBySeries.get(series) ?? 0);
    return average;
  });
}
