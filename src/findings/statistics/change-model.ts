// Estimates how much a function's share changed, taking daily and weekly cycles and noise into
// account.
import { normalScore } from './evidence.ts';
import { type Fit, fitWeighted } from './least-squares.ts';
import { type Span, sumOf } from './windows.ts';

/** Form of a change: a step between two windows, or a ramp over all of them. */
export type Shape = 'step' | 'ramp';

/** Windows to compare. */
export interface Compared {
  readonly before: Span;
  readonly after: Span;
  readonly shape: Shape;
}

/** Estimated change of a function's share. */
export interface Estimate {
  /** Samples of the function per sample of the base, before the change. */
  readonly share: number;
  /**
   * Difference of the share after the change. For a ramp, difference between its start and its end.
   */
  readonly difference: number;
  /** Standard error of the difference. It does not include the uncertainty about the noise. */
  readonly error: number;
  /**
   * Difference divided by its error, as a score of the normal distribution. It is smaller if only
   * few windows show the noise.
   */
  readonly score: number;
}

const dayMillis = 86_400_000;
const harmonics = 3;
/** Number of columns: the mean, the harmonics of a day, weekends, and the change. */
const width = 1 + 2 * harmonics + 1 + 1;
/**
 * Prior standard deviation of the daily cycle and of the effect of weekends, relative to the share.
 * Shares of CPU time hardly depend on the load; those of memory do, if some of it stays.
 */
const cycleDeviation = 0.15;
const heldCycleDeviation = 0.5;
/** Largest distance, in windows, at which the noise of two windows may be correlated. */
const lags = 12;
/**
 * Prior of the factor that longRunFactor returns, and the weight of the prior in windows. A few
 * windows do not show how much they correlate.
 */
const usualFactor = 2;
const usualWindows = 24;
/** Number of standard errors above which a window has less weight (Huber's weights). */
const robustFrom = 2.5;
const rounds = 3;
/** Number of standard errors below which an estimate is not refined. */
const clearErrors = 2;

const [ridge, heldRidge] = [cycleDeviation, heldCycleDeviation].map((deviation) =>
  Float64Array.from({ length: width }, (_, i) =>
    i === 0 || i === width - 1 ? 0 : 1 / deviation ** 2,
  ),
);

/** Columns of a comparison, which do not depend on the function. */
export interface Design {
  readonly compared: Compared;
  /** Compared windows; those of `before` are first. */
  readonly windows: Int32Array;
  readonly columns: Float64Array;
  /** Penalty of each column. */
  readonly ridge: Float64Array;
}

/** Builds the columns that all functions of a comparison share. */
export function makeDesign(
  startMillis: Float64Array,
  compared: Compared,
  holdsSamples: boolean,
): Design {
  const { before, after, shape } = compared;
  const beforeCount = before.to - before.from;
  const windows = Int32Array.from({ length: beforeCount + after.to - after.from }, (_, i) =>
    i < beforeCount ? before.from + i : after.from + i - beforeCount,
  );
  const columns = new Float64Array(windows.length * width);
  const start = startMillis[after.from];
  const length = startMillis[after.to - 1] - start;
  windows.forEach((window, row) => {
    const time = startMillis[window];
    const at = row * width;
    columns[at] = 1;
    for (let k = 1; k <= harmonics; k += 1) {
      const angle = (2 * Math.PI * k * time) / dayMillis;
      columns[at + 2 * k - 1] = Math.cos(angle);
      columns[at + 2 * k] = Math.sin(angle);
    }
    columns[at + width - 2] = isWeekend(time) ? 1 : 0;
    const isAfter = row >= beforeCount;
    columns[at + width - 1] =
      shape === 'ramp' && isAfter ? (time - start) / length : Number(isAfter);
  });
  return { compared, windows, columns, ridge: holdsSamples ? heldRidge : ridge };
}

/** 1 January 1970 was a Thursday. */
function isWeekend(timeMillis: number): boolean {
  const day = (Math.floor(timeMillis / dayMillis) + 4) % 7;
  return day === 0 || day === 6;
}

/**
 * Estimates the change of a function from its samples `own`, relative to `base`, by window. Returns
 * undefined if there are no samples, or if the change is clearly noise.
 */
export function estimateChange(
  { compared, windows, columns, ridge: penalties }: Design,
  own: Float32Array,
  base: Float32Array,
): Estimate | undefined {
  const { length } = windows;
  const share = pooledShare(windows, own, base);
  if (share === 0) return undefined;
  const values = new Float64Array(length);
  const chance = new Float64Array(length).fill(unknownVariance);
  for (let row = 0; row < length; row += 1) {
    const count = base[windows[row]];
    if (count <= 0) continue;
    values[row] = own[windows[row]] / count / share - 1;
    chance[row] = (1 / share + 1) / count;
  }
  const fitted = fitRobustly(columns, values, chance, penalties);
  if (fitted === undefined) return undefined;
  const { fit, weights, residuals, freedom } = fitted;
  const dependence = longRunFactor(residuals, weights);
  const error = Math.sqrt(fit.lastVariance * dependence);
  const change = fit.coefficients[width - 1];
  return {
    share:
      compared.shape === 'step'
        ? shareIn(compared.before, own, base)
        : Math.max(0, 1 + fit.coefficients[0]) * share,
    difference: change * share,
    error: error * share,
    score: normalScore(change / error, Math.max(3, freedom / dependence)),
  };
}

/** Variance of a window that has no samples of the base. */
const unknownVariance = 1e9;

/** Returns the share of a function in the samples of a span. */
export function shareIn(span: Span, own: Float32Array, samples: Float32Array): number {
  const all = sumOf(samples, span);
  return all === 0 ? 0 : sumOf(own, span) / all;
}

function pooledShare(windows: Int32Array, own: Float32Array, samples: Float32Array): number {
  let [part, all] = [0, 0];
  for (const window of windows) {
    part += own[window];
    all += samples[window];
  }
  return all === 0 ? 0 : part / all;
}

/** A fit whose weights depend on its own residuals. */
interface RobustFit {
  readonly fit: Fit;
  readonly weights: Float64Array;
  readonly residuals: Float64Array;
  readonly freedom: number;
}

/**
 * Fits the model, and estimates the variance between windows in addition to `chance`. The estimate
 * makes the sum of squared residuals, each divided by its variance, equal to the degrees of
 * freedom.
 */
function fitRobustly(
  columns: Float64Array,
  values: Float64Array,
  chance: Float64Array,
  penalties: Float64Array,
): RobustFit | undefined {
  const { length } = values;
  const freedom = length - 3;
  if (freedom < 3) return undefined;
  const weights = Float64Array.from(chance, (one) => 1 / one);
  const residuals = new Float64Array(length);
  let fit = fitWeighted(columns, width, values, weights, penalties);
  for (let round = 0; round < rounds && fit !== undefined; round += 1) {
    for (let row = 0; row < length; row += 1) {
      let expected = 0;
      for (let i = 0; i < width; i += 1) expected += columns[row * width + i] * fit.coefficients[i];
      residuals[row] = values[row] - expected;
    }
    const between = varianceBetween(residuals, chance, freedom);
    for (let row = 0; row < length; row += 1) {
      const variance = chance[row] + between;
      const size = Math.abs(residuals[row]) / Math.sqrt(variance);
      weights[row] = (size > robustFrom ? robustFrom / size : 1) / variance;
    }
    fit = fitWeighted(columns, width, values, weights, penalties);
    if (fit !== undefined && isClearlyNone(fit)) return undefined;
  }
  return fit === undefined ? undefined : { fit, weights, residuals, freedom };
}

/** Returns true if the change is so small that more exact weights would not make it significant. */
function isClearlyNone({ coefficients, lastVariance }: Fit): boolean {
  return coefficients[width - 1] ** 2 < clearErrors ** 2 * lastVariance;
}

function varianceBetween(residuals: Float64Array, chance: Float64Array, freedom: number): number {
  const excess = (between: number): number => {
    let sum = 0;
    for (let i = 0; i < residuals.length; i += 1) sum += residuals[i] ** 2 / (chance[i] + between);
    return sum - freedom;
  };
  if (excess(0) <= 0) return 0;
  let [low, high] = [0, residuals.reduce((most, one) => Math.max(most, one ** 2), 0) * 2];
  for (let i = 0; i < 30; i += 1) {
    const middle = (low + high) / 2;
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the factor by which the variance of a mean grows because consecutive windows have similar
 * noise. It is the larger of two estimates: one from neighbours (as in a Markov chain), and one
 * from several lags (Newey and West). With few windows, the factor stays near its prior.
 */
function longRunFactor(residuals: Float64Array, weights: Float64Array): number {
  const scaled = residuals.map((one, i) => one * Math.sqrt(weights[i]));
  const { length } = scaled;
  const squares = scaled.reduce((sum, one) => sum + one ** 2, 0);
  if (squares === 0) return 1;
  const correlation = (lag: number): number => {
    let products = 0;
    for (let i = lag; i < length; i += 1) products += scaled[i] * scaled[i - lag];
    return products / squares;
  };
  const next = correlation(1);
  // A fit makes the residuals of neighbours look less correlated than they are. Adding a standard
  // error makes up for that.
  const unbiased = Math.min(correlationMax, next + (1 + 3 * next) / length + 1 / Math.sqrt(length));
  let sum = 1;
  for (let lag = 1; lag <= lags; lag += 1) sum += 2 * (1 - lag / (lags + 1)) * correlation(lag);
  const factor = Math.max(1, sum, (1 + unbiased) / (1 - unbiased));
  return (factor * length + usualFactor * usualWindows) / (length + usualWindows);
}

/** Largest correlation between neighbours that is assumed. */
const correlationMax = 0.9;
