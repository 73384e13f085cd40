// What the values of a profile type mean, and how a value becomes a rate, an average or a total.
import * as numbers from './numbers.ts';

/** What is measured; decides words and units. */
export type MeasureKind = 'cpu' | 'wait' | 'bytes' | 'count';

/** The measured quantity of a query. */
export interface Measure {
  readonly kind: MeasureKind;
  /** True for profiles that cover a time (rates), false for states (averages). */
  readonly delta: boolean;
}

/** How the values of one answer relate to time. */
export interface Coverage {
  /** Seconds that delta profiles cover together; 0 while unknown. */
  readonly seconds: number;
  /** How often a state is in the merged total: total by average; 0 while unknown. */
  readonly snapshots: number;
}

export const unknownCoverage: Coverage = { seconds: 0, snapshots: 0 };

const waitingTypes = new Set(['delay', 'contentions', 'wall', 'off_cpu', 'offcpu', 'block']);

/** Reads a profile type's text (the part of a query before its matchers). */
export function measureOf(profileType: string): Measure {
  const [, sampleType = '', sampleUnit = '', periodType = '', periodUnit = '', delta] =
    profileType.split(':');
  // Samples are scaled by their period, so they take the period's meaning.
  const scaled = sampleType === 'samples' && sampleUnit === 'count' && delta === 'delta';
  const type = scaled ? periodType : sampleType;
  const unit = scaled ? periodUnit : sampleUnit;
  return { kind: kindOf(type, unit), delta: delta === 'delta' };
}

function kindOf(type: string, unit: string): MeasureKind {
  if (unit === 'bytes') return 'bytes';
  if (unit !== 'nanoseconds') return 'count';
  return waitingTypes.has(type) ? 'wait' : 'cpu';
}

/**
 * The value in its primary unit: cores, seconds of waiting per second, bytes or things per second
 * for rates; the average of the snapshots for states. undefined while the coverage is unknown.
 */
export function formatRate(
  value: bigint,
  measure: Measure,
  coverage: Coverage,
): string | undefined {
  const divisor = measure.delta ? coverage.seconds : coverage.snapshots;
  if (divisor <= 0) return undefined;
  return formatPerSecond(ratio(value, divisor, measure), measure);
}

/** A point of the metrics graph, as the server's `value_per_second` has it. */
export function formatPerSecond(value: number, measure: Measure): string {
  const { kind, delta } = measure;
  if (kind === 'cpu') return delta ? numbers.formatCores(value) : numbers.formatNanos(value);
  if (kind === 'wait') {
    return delta ? `${numbers.formatSignificant(value)}\u202fs/s` : numbers.formatNanos(value);
  }
  if (kind === 'bytes') return numbers.formatBytes(value) + (delta ? '/s' : '');
  return numbers.formatCount(value) + (delta ? '\u202f/s' : '');
}

/** The summed value itself: time, bytes or a count. */
export function formatTotal(value: bigint, measure: Measure): string {
  if (measure.kind === 'cpu' || measure.kind === 'wait') return numbers.formatNanos(value);
  if (measure.kind === 'bytes') return numbers.formatBytes(value);
  return numbers.formatCount(value);
}

/**
 * Parca's server gives nanoseconds other than CPU per second; as seconds they are readable.
 *
 * Returns the factor from `value_per_second` to the unit of formatPerSecond.
 */
export function perSecondFactor(profileType: string): number {
  const measure = measureOf(profileType);
  if (!measure.delta || (measure.kind !== 'wait' && measure.kind !== 'cpu')) return 1;
  const [, sampleType, sampleUnit, periodType, periodUnit] = profileType.split(':');
  const scaled = sampleType === 'samples' && sampleUnit === 'count';
  const name = scaled ? `${periodType}:${periodUnit}` : `${sampleType}:${sampleUnit}`;
  return name === 'cpu:nanoseconds' ? 1 : 1e-9;
}

function ratio(value: bigint, divisor: number, measure: Measure): number {
  const perUnit = Number(value) / divisor;
  const time = measure.kind === 'cpu' || measure.kind === 'wait';
  return measure.delta && time ? perUnit / 1e9 : perUnit;
}

/** One bucket of one series, from the metrics graph. */
export interface CoveredPoint {
  readonly series: number;
  readonly timeMillis: number;
  /** 0 for states. */
  readonly durationMillis: number;
  readonly value: number;
}

/** Seconds that the points inside [from, to] cover; overlaps count once, gaps not at all. */
export function coveredSeconds(points: readonly CoveredPoint[], from: number, to: number): number {
  const inside = points
    .filter(({ timeMillis }) => timeMillis >= from && timeMillis <= to)
    .sort((a, b) => a.timeMillis - b.timeMillis);
  let covered = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const point of inside) {
    const pointEnd = point.timeMillis + point.durationMillis;
    covered += Math.max(0, pointEnd - Math.max(end, point.timeMillis));
    end = Math.max(end, pointEnd);
  }
  return covered / 1_000;
}

/** What all series are together on average inside [from, to]: the sum of each one's mean. */
export function averageState(points: readonly CoveredPoint[], from: number, to: number): number {
  const means = new Map<number, { sum: number; count: number }>();
  for (const { series, timeMillis, value } of points) {
    if (timeMillis < from || timeMillis > to) continue;
    const mean = means.get(series) ?? { sum: 0, count: 0 };
    means.set(series, { sum: mean.sum + value, count: mean.count + 1 });
  }
  let average = 0;
  for (const { sum, count } of means.values()) average += sum / count;
  return average;
}
