// Finds when and how a share changed: in a step at one window, or in a slow drift.
import type { Span } from './windows.ts';

/** Fits of a function's shares over time. A gain is the logarithm of a likelihood ratio. */
export interface ChangeCourse {
  /** Window at which the best-fitting step begins. */
  readonly bestAt: number;
  /** Returns the gain of a step at a window, compared with no change. */
  readonly stepGain: (at: number) => number;
  /** Largest gain of a straight line, over all windows at which it may start. */
  readonly rampGain: number;
}

/** Minimum number of windows on each side of a step. */
const sideMin = 2;

/**
 * Fits a step at each window, and straight lines, to the ratio of two columns in a span of windows.
 */
export function findCourse(
  own: Float32Array,
  base: Float32Array,
  { from, to }: Span,
): ChangeCourse {
  const count = to - from;
  const shares = Float64Array.from(
    { length: count },
    (_, i) => own[from + i] / Math.max(1, base[from + i]),
  );
  const sums = prefixSums(shares);
  const squares = prefixSums(shares.map((one) => one ** 2));
  const restOf = (start: number, end: number): number => {
    const sum = sums[end] - sums[start];
    return squares[end] - squares[start] - sum ** 2 / Math.max(1, end - start);
  };
  const whole = restOf(0, count);
  // Without this minimum, shares without noise would have an infinite likelihood.
  const gainOf = (rest: number): number =>
    (count / 2) * Math.log(whole / Math.max(rest, whole * smallestRest));
  const stepGain = (at: number): number =>
    whole === 0 ? 0 : gainOf(restOf(0, at - from) + restOf(at - from, count));
  let bestAt = from + sideMin;
  for (let at = from + sideMin; at <= to - sideMin; at += 1) {
    if (stepGain(at) > stepGain(bestAt)) bestAt = at;
  }
  let rampRest = whole;
  for (let start = 0; start < count - rampMin; start += rampStep) {
    rampRest = Math.min(rampRest, restOfRamp(shares, start));
  }
  return { bestAt, stepGain, rampGain: whole === 0 ? 0 : gainOf(rampRest) };
}

const smallestRest = 1e-9;
/**
 * Minimum number of windows of a slow change, and the distance in windows between the starts that
 * are tried.
 */
const rampMin = 48;
const rampStep = 12;

/**
 * Fits a constant up to `start` and a straight line after it. Returns the sum of squared residuals.
 */
function restOfRamp(shares: Float64Array, start: number): number {
  const { length } = shares;
  const slopeAt = (i: number): number => Math.max(0, i - start);
  let [meanX, meanY] = [0, 0];
  shares.forEach((one, i) => {
    meanX += slopeAt(i) / length;
    meanY += one / length;
  });
  let [xx, xy, yy] = [0, 0, 0];
  shares.forEach((one, i) => {
    const [x, y] = [slopeAt(i) - meanX, one - meanY];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  });
  return xx === 0 ? yy : yy - xy ** 2 / xx;
}

function prefixSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i += 1) sums[i + 1] = sums[i] + values[i];
  return sums;
}
