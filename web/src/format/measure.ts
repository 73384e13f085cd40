// The meaning of a profile type's values, and how they are shown as rate, average or total.
import * as numbers from './numbers.ts';

/** Kind of quantity, which decides words and units. */
export type MeasureKind = 'cpu' | 'wait' | 'bytes' | 'count';

/** The measured quantity of a query. */
export interface Measure {
  readonly kind: MeasureKind;
  /** True for values over time (rates): deltas, or an increase; false for states (averages). */
  readonly delta: boolean;
  /** True if values count samples or are multiples of their period: then n is exact. */
  readonly sampled: boolean;
}

/** Relation of an answer's values to time and samples, from the server. */
export interface Coverage {
  /** Divisor that turns delta values into rates; 0 while unknown. */
  readonly seconds: number;
  /** Number of profiles in the merged total of a state: total divided by average; 0 while unknown. */
  readonly snapshots: number;
  /** Samples in the whole answer. */
  readonly samples: number;
  /** Value of one sample; 0 if samples of different values are merged. */
  readonly period: number;
}

export const unknownCoverage: Coverage = { seconds: 0, snapshots: 0, samples: 0, period: 0 };

const waitingTypes = new Set(['delay', 'contentions', 'wall', 'off_cpu', 'offcpu', 'block']);

/**
 * Reads the string form of a profile type (the part of a query before its matchers); `isIncrease`:
 * the query contains `increase`.
 */
export function parseMeasure(profileType: string, isIncrease = false): Measure {
  const [, sampleType = '', sampleUnit = '', periodType = '', periodUnit = '', suffix] =
    profileType.split(':');
  const delta = isIncrease || suffix === 'delta';
  // Samples are scaled by their period, so they take the period's meaning.
  const scaled = sampleType === 'samples' && sampleUnit === 'count' && delta;
  const type = scaled ? periodType : sampleType;
  const unit = scaled ? periodUnit : sampleUnit;
  const sampled = scaled || (sampleType === periodType && sampleUnit === periodUnit);
  return { kind: findKind(type, unit), delta, sampled };
}

function findKind(type: string, unit: string): MeasureKind {
  if (unit === 'bytes') return 'bytes';
  if (unit !== 'nanoseconds') return 'count';
  return waitingTypes.has(type) ? 'wait' : 'cpu';
}

/**
 * Formats the value in its primary unit: cores, seconds of waiting per second, bytes or things per
 * second for rates; the average of the snapshots for states. Returns undefined while the coverage
 * is unknown.
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

/** Formats a point of the metrics graph: the server's `value_per_second`. */
export function formatPerSecond(value: number, measure: Measure): string {
  const { kind, delta } = measure;
  if (kind === 'cpu') return delta ? numbers.formatCores(value) : numbers.formatNanos(value);
  if (kind === 'wait') {
    return delta ? `${numbers.formatSignificant(value)}\u202fs/s` : numbers.formatNanos(value);
  }
  if (kind === 'bytes') return numbers.formatBytes(value) + (delta ? '/s' : '');
  return numbers.formatCount(value) + (delta ? '\u202f/s' : '');
}

/** Formats the summed value: time, bytes or a count. */
export function formatTotal(value: bigint, measure: Measure): string {
  if (measure.kind === 'cpu' || measure.kind === 'wait') return numbers.formatNanos(value);
  if (measure.kind === 'bytes') return numbers.formatBytes(value);
  return numbers.formatCount(value);
}

/**
 * Parca's server gives nanoseconds other than CPU per second; they are readable as seconds.
 *
 * Returns the factor from `value_per_second` to the unit of formatPerSecond.
 */
export function perSecondFactor(profileType: string, measure: Measure): number {
  if (!measure.delta || (measure.kind !== 'wait' && measure.kind !== 'cpu')) return 1;
  const [, sampleType, sampleUnit, periodType, periodUnit] = profileType.split(':');
  const scaled = sampleType === 'samples' && sampleUnit === 'count';
  const name = scaled ? `${periodType}:${periodUnit}` : `${sampleType}:${sampleUnit}`;
  return name === 'cpu:nanoseconds' ? 1 : 1e-9;
}

/** Share of the range below which the page shows how much of it is covered. */
const coverageShownMax = 0.95;

/**
 * Returns "data for 4 min 40 s of 15 min" if profiles cover less than nearly all of `rangeSeconds`.
 */
export function formatCoverage(
  { seconds }: Pick<Coverage, 'seconds'>,
  rangeSeconds: number,
): string | undefined {
  if (seconds <= 0 || seconds / rangeSeconds > coverageShownMax) return undefined;
  return `data for ${numbers.formatNanos(seconds * 1e9)} of ${numbers.formatNanos(rangeSeconds * 1e9)}`;
}

function ratio(value: bigint, divisor: number, measure: Measure): number {
  const perUnit = Number(value) / divisor;
  const time = measure.kind === 'cpu' || measure.kind === 'wait';
  return measure.delta && time ? perUnit / 1e9 : perUnit;
}

/** Smallest error that is shown. */
const errorShownMin = 0.01;

/**
 * Formats the number of samples of the whole answer, and the statistical error: `7.90 k samples,
 * ±1.1 %`.
 *
 * The error is that of counting, 1 / sqrt(n), shown if it is more than 1 % and all samples have the
 * same weight. Undefined for types whose values do not count samples.
 */
export function formatSamples(
  { samples, period }: Coverage,
  { delta, sampled }: Measure,
): string | undefined {
  if (!delta || !sampled || samples < 1) return undefined;
  return samplesText(samples, period > 0);
}

/**
 * Does the same for a part of the answer; returns undefined if its samples have different weights.
 */
export function formatSamplesPart(
  value: bigint,
  { period }: Coverage,
  { delta, sampled }: Measure,
): string | undefined {
  // Rounded down, as the server does for the whole answer.
  const samples = period > 0 ? Math.floor(Number(value) / period) : 0;
  if (!delta || !sampled || samples < 1) return undefined;
  return samplesText(samples, true);
}

function samplesText(samples: number, hasError: boolean): string {
  const error = 1 / Math.sqrt(samples);
  const whole = Math.round(samples);
  const count = `${numbers.formatCount(whole)} ${whole === 1 ? 'sample' : 'samples'}`;
  return hasError && error > errorShownMin ? `${count}, ±${numbers.formatPercent(error)}` : count;
}

/** Units of the numbers in a list. */
export type ListUnit = 'percent' | 'rate' | 'total';

/** Returns the units to choose from: states have averages, and their sums mean nothing. */
export function listUnits({ delta }: Measure): readonly ListUnit[] {
  return delta ? ['percent', 'rate', 'total'] : ['percent', 'rate'];
}

/** Returns the chosen unit if it is available. */
export function listUnit(chosen: ListUnit, measure: Measure): ListUnit {
  return listUnits(measure).includes(chosen) ? chosen : 'rate';
}
