// Tails of the normal distribution and of Student's t distribution, and their quantiles.

/**
 * Maximum number of steps of the continued fraction. It reaches full precision after a few dozen
 * steps.
 */
const fractionStepsMax = 500;
const tiny = 1e-300;

/** Number of bisections, after which the interval is narrow enough. */
const bisectionSteps = 40;

/** Coefficients of Lanczos' approximation of the gamma function. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];

/**
 * Returns the probability that a variable with Student's t distribution exceeds `value`. `freedom`
 * need not be an integer; Infinity is the normal distribution.
 */
export function upperTail(value: number, freedom: number): number {
  if (value < 0) return 1 - upperTail(-value, freedom);
  if (freedom === Infinity) return normalTail(value);
  const share = freedom / (freedom + value * value);
  return incompleteBeta(share, freedom / 2, 0.5) / 2;
}

/** Returns the value that is exceeded with `probability`, which must be less than one half. */
export function upperQuantile(probability: number, freedom: number): number {
  let [low, high] = [0, 1];
  while (upperTail(high, freedom) > probability) high *= 2;
  for (let i = 0; i < bisectionSteps; i += 1) {
    const middle = (low + high) / 2;
    if (upperTail(middle, freedom) > probability) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * Returns the upper tail of the normal distribution, which is half of the incomplete gamma function
 * with parameter 1/2. It is computed by a series or by a continued fraction.
 */
function normalTail(value: number): number {
  const x = (value * value) / 2;
  const scale = Math.exp(-x) / Math.sqrt(Math.PI);
  if (x < 1.5) {
    let [term, sum] = [2 * Math.sqrt(x), 2 * Math.sqrt(x)];
    for (let n = 1; Math.abs(term) > sum * Number.EPSILON; n += 1) {
      term *= x / (n + 0.5);
      sum += term;
    }
    return (1 - scale * sum) / 2;
  }
  let b = x + 0.5;
  let c = 1 / tiny;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n <= fractionStepsMax; n += 1) {
    const a = -n * (n - 0.5);
    b += 2;
    d = 1 / (a * d + b || tiny);
    c = b + a / c || tiny;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < Number.EPSILON) break;
  }
  return (scale * Math.sqrt(x) * fraction) / 2;
}

/** Returns the regularized incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The continued fraction converges fast only on this side.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const logs = logGamma(a + b) - logGamma(a) - logGamma(b);
  const front = Math.exp(logs + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let fraction = d;
  for (let m = 1; m <= fractionStepsMax; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d || tiny);
    c = 1 + even / c || tiny;
    fraction *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d || tiny);
    c = 1 + odd / c || tiny;
    fraction *= c * d;
    if (Math.abs(c * d - 1) < Number.EPSILON) break;
  }
  return front * fraction;
}

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const t = x + 6.5;
  let sum = lanczos[0];
  for (let i = 1; i < lanczos.length; i += 1) sum += lanczos[i] / (x - 1 + i);
  return Math.log(Math.sqrt(2 * Math.PI) * sum) + (x - 0.5) * Math.log(t) - t;
}
