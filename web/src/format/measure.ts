// Meaning of a profile type's values, and their formats: rate, average or total.
import * as numbers from './numbers.ts';

/** Kind of quantity, which determines words and units. */
export type MeasureKind = 'cpu' | 'wait' | 'bytes' | 'count';

/** Measured quantity of a query. */
export interface Measure {
  readonly kind: MeasureKind;
  /**
   * True for values over time (deltas or `increase`), shown as rates; false for states, shown as
   * averages.
   */
  readonly delta: boolean;
  /**
   * True if values count samples or are multiples of the sampling period, so that the number of
   * samples is exact.
   */
  readonly sampled: boolean;
}

/** Time and samples of an answer, from the server. */
export interface Coverage {
  /** Divisor for converting deltas to rates; 0 = unknown. */
  readonly seconds: number;
  /** Number of profiles in the total of a state: total divided by average; 0 = unknown. */
  readonly snapshots: number;
  /** Number of samples in the answer. */
  readonly samples: number;
  /** Value of one sample; 0 if samples have different values. */
  readonly period: number;
}

export const unknownCoverage: Coverage = { seconds: 0, snapshots: 0, samples: 0, period: 0 };

const waitingTypes = new Set(['delay', 'contentions', 'wall', 'off_cpu', 'offcpu', 'block']);

/**
 * Parses the string form of a profile type (the start of a query); `isIncrease` is true if the
 * query contains `increase`.
 */
export function parseMeasure(profileType: string, isIncrease = false): Measure {
  const [, sampleType = '', sampleUnit = '', periodType = '', periodUnit = '', suffix] =
    profileType.split(':');
  const delta = isIncrease || suffix === 'delta';
  // The server multiplies samples by their period, so the values have the meaning of the period.
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
 * Formats the value in its main unit: for rates, cores, seconds of waiting per second, bytes or
 * counts per second; for states, the average of the snapshots. Returns undefined while the coverage
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

/** Formats `value_per_second`, a point of the metrics graph. */
export function formatPerSecond(value: number, measure: Measure): string {
  const { kind, delta } = measure;
  if (kind === 'cpu') return delta ? numbers.formatCores(value) : numbers.formatNanos(value);
  if (kind === 'wait') {
    return delta ? `${numbers.formatSignificant(value)}\u202fs/s` : numbers.formatNanos(value);
  }
  if (kind === 'bytes') return numbers.formatBytes(value) + (delta ? '/s' : '');
  return numbers.formatCount(value) + (delta ? '\u202f/s' : '');
}

/** Formats the sum: a time, bytes or a count. */
export function formatTotal(value: bigint, measure: Measure): string {
  if (measure.kind === 'cpu' || measure.kind === 'wait') return numbers.formatNanos(value);
  if (measure.kind === 'bytes') return numbers.formatBytes(value);
  return numbers.formatCount(value);
}

/**
 * Returns the factor from `value_per_second` to the unit of formatPerSecond. The server returns
 * nanoseconds per second, except for CPU time; seconds are more readable.
 */
export function perSecondFactor(profileType: string, measure: Measure): number {
  if (!measure.delta || (measure.kind !== 'wait' && measure.kind !== 'cpu')) return 1;
  const [, sampleType, sampleUnit, periodType, periodUnit] = profileType.split(':');
  const scaled = sampleType === 'samples' && sampleUnit === 'count';
  const name = scaled ? `${periodType}:${periodUnit}` : `${sampleType}:${sampleUnit}`;
  return name === 'cpu:nanoseconds' ? 1 : 1e-9;
}

/** Share of the range that profiles cover; the page shows a smaller share. */
const coverageShownMax = 0.95;

/** Returns "data for 4 min 40 s of 15 min" if profiles cover clearly less than `rangeSeconds`. */
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
 * Formats the number of samples in the answer and the statistical error: `7.90 k samples, ±1.1 %`.
 *
 * The error is 1 / sqrt(n), shown if it is above 1 % and all samples have the same value. Returns
 * undefined for types whose values do not count samples.
 */
export function formatSamples(
  { samples, period }: Coverage,
  { delta, sampled }: Measure,
): string | undefined {
  if (!delta || !sampled || samples < 1) return undefined;
  return samplesText(samples, period > 0);
}

/**
 * Does the same as `formatSamples` for a part of the answer; returns undefined if samples have
 * different values.
 */
export function formatSamplesPart(
  value: bigint,
  { period }: Coverage,
  { delta, sampled }: Measure,
): string | undefined {
  // Rounded down, as on the server.
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

/** Unit of the numbers in a list. */
export type ListUnit = 'percent' | 'rate' | 'total';

/** Returns the available units: states have only averages, because their sums are meaningless. */
export function listUnits({ delta }: Measure): readonly ListUnit[] {
  return delta ? ['percent', 'rate', 'total'] : ['percent', 'rate'];
}

/** Returns the chosen unit if it is available, otherwise the default. */
export function listUnit(chosen: ListUnit, measure: Measure): ListUnit {
  return listUnits(measure).includes(chosen) ? chosen : 'rate';
}
