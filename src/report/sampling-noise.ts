// Estimates how much of the difference between two profiles may be chance, because both are
// samples.
import type { BaseRatio } from './base-ratio.ts';

/** One side of a comparison, before filters. */
export interface SampledSide {
  readonly total: bigint;
  /** Number of samples in the total; for states, the average per snapshot. */
  readonly sampleCount: number;
}

/** Number of standard deviations around the mean that contain 95 % of a normal distribution. */
const deviations = 1.96;

/**
 * Noise of the difference `compared` minus `base` times `ratio`. The value of a sample is the total
 * of its side divided by the side's number of samples.
 *
 * With a fixed ratio, numbers of samples have a Poisson distribution: n samples with the value u
 * each have the variance u^2 (n + 1). With a ratio of totals (`isShare`), shares are compared: for
 * n of N samples, p = (n + 1) / (N + 2) has the variance p (1 - p) / (N + 2), after Agresti and
 * Caffo. Because of the added samples, rows without samples do not look certain: 5 samples against
 * 0 may be chance, but 6 against 0 may not, as in the exact test of two Poisson means.
 */
export class SamplingNoise {
  readonly #compared: SampledSide;
  readonly #base: SampledSide;
  readonly #isShare: boolean;
  /** Value of a sample in `compared`. */
  readonly #comparedUnit: number;
  readonly #baseUnit: number;
  readonly #factor: number;
  readonly #ratioError: number;

  /** `ratioError` is the standard error of a fixed ratio, relative to the ratio. */
  constructor(
    compared: SampledSide,
    base: SampledSide,
    ratio: BaseRatio,
    isShare: boolean,
    ratioError = 0,
  ) {
    this.#ratioError = ratioError;
    this.#compared = compared;
    this.#base = base;
    this.#isShare = isShare;
    this.#factor = Number(ratio.numerator) / Number(ratio.denominator);
    const own = valuePerSample(compared);
    const other = valuePerSample(base) * this.#factor;
    // An empty side is assumed to have samples with the same value as the other side.
    this.#comparedUnit = own || other;
    this.#baseUnit = other || own;
  }

  /** Returns the number of samples in a value of `compared`. */
  comparedSamples(value: bigint): number {
    return this.#comparedUnit === 0 ? 0 : Math.abs(Number(value)) / this.#comparedUnit;
  }

  /** Returns the number of samples in an unscaled value of `base`. */
  baseSamples(value: bigint): number {
    if (this.#baseUnit === 0) return 0;
    return (Math.abs(Number(value)) * this.#factor) / this.#baseUnit;
  }

  /** Returns `compared` minus the scaled `base`. */
  difference(compared: bigint, base: bigint): number {
    return Number(compared) - Number(base) * this.#factor;
  }

  /**
   * Returns the number of standard deviations from no change, with the sign of the difference. It
   * is the square root of the deviance of two Poisson numbers, which is accurate even for few
   * samples.
   */
  score(compared: bigint, base: bigint): number {
    const n = Math.max(0, Number(compared)) && this.comparedSamples(compared);
    const m = Math.max(0, Number(base)) && this.baseSamples(base);
    const all = n + m;
    if (all === 0) return 0;
    const share = this.#baseUnit / (this.#comparedUnit + this.#baseUnit);
    const expected = all * share;
    const deviance = 2 * (timesLog(n, n / expected) + timesLog(m, m / (all - expected)));
    // The ratio's error adds to the variance of the quotient's logarithm.
    const error = 1 + this.#ratioError ** 2 * all * share * (1 - share);
    return Math.sign(n - expected) * Math.sqrt(Math.max(0, deviance) / error);
  }

  /**
   * Returns half the width of the interval that contains the true difference with 95 % confidence.
   */
  halfWidth(compared: bigint, base: bigint): number {
    const n = this.comparedSamples(compared);
    const m = this.baseSamples(base);
    if (!this.#isShare) {
      const variance = this.#comparedUnit ** 2 * (n + 1) + this.#baseUnit ** 2 * (m + 1);
      const scaled = this.#ratioError * this.#factor * Number(base);
      return deviations * Math.sqrt(variance + scaled ** 2);
    }
    const own = shareVariance(n, this.#compared.sampleCount);
    const other = shareVariance(m, this.#base.sampleCount);
    return deviations * Math.abs(Number(this.#compared.total)) * Math.sqrt(own + other);
  }
}

/** Returns `count` times the logarithm of `quotient`; 0 if `count` is 0. */
function timesLog(count: number, quotient: number): number {
  return count === 0 ? 0 : count * Math.log(quotient);
}

function valuePerSample({ total, sampleCount }: SampledSide): number {
  return sampleCount > 0 ? Math.abs(Number(total)) / sampleCount : 0;
}

function shareVariance(samples: number, all: number): number {
  const share = (Math.min(samples, all) + 1) / (all + 2);
  return (share * (1 - share)) / (all + 2);
}
