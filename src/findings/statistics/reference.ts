// Reference with which functions are compared: all samples of the service, or only those of
// unchanged functions. Unchanged functions are needed when one function grows, because the shares
// of all others then fall.
import { type FunctionWindows, type ServiceWindows, type Span, sumOf } from './windows.ts';

/** Samples that functions are compared with. */
export interface Reference {
  /** Factor by which the share of an unchanged function has changed. */
  readonly factor: number;
  /** Returns the samples of the reference in each window, without those of the given function. */
  readonly without: (one: FunctionWindows) => Float32Array;
}

/** Samples that a function must have on each side, and functions that are needed for a median. */
const samplesMin = 20;
const functionsMin = 5;
/** Number of standard errors up to which a common shift of all shares is attributed to chance. */
const chanceErrors = 2;
/**
 * Number of standard deviations from the median shift up to which a function counts as unchanged.
 */
const unchangedDeviations = 3;
/** Smallest share of each side's samples that unchanged functions must have. */
const partMin = 0.05;

/** Finds the reference of a comparison. */
export function findReference(
  { functions, samples }: ServiceWindows,
  before: Span,
  after: Span,
): Reference {
  const whole: Reference = { factor: 1, without: () => samples };
  const [allBefore, allAfter] = [sumOf(samples, before), sumOf(samples, after)];
  const shifts: { readonly one: FunctionWindows; readonly log: number }[] = [];
  for (const one of functions) {
    const [earlier, later] = [sumOf(one.flat, before), sumOf(one.flat, after)];
    if (earlier < samplesMin || later < samplesMin) continue;
    shifts.push({ one, log: Math.log(later / allAfter / (earlier / allBefore)) });
  }
  if (shifts.length < functionsMin) return whole;
  const middle = medianOf(shifts.map(({ log }) => log));
  const deviation = 1.4826 * medianOf(shifts.map(({ log }) => Math.abs(log - middle)));
  const error = (1.2533 * deviation) / Math.sqrt(shifts.length);
  if (Math.abs(middle) < chanceErrors * error) return whole;
  const unchanged = new Set(
    shifts
      .filter(({ log }) => Math.abs(log - middle) <= unchangedDeviations * deviation)
      .map(({ one }) => one),
  );
  const sums = new Float32Array(samples.length);
  for (const { flat } of unchanged) for (let i = 0; i < sums.length; i += 1) sums[i] += flat[i];
  const isEnough =
    sumOf(sums, before) >= partMin * allBefore && sumOf(sums, after) >= partMin * allAfter;
  if (!isEnough) return whole;
  return {
    factor: Math.exp(middle),
    without: (one) => (unchanged.has(one) ? sums.map((sum, i) => sum - one.flat[i]) : sums),
  };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
