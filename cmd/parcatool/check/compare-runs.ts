// Compares a value in several runs of both sides: finds the difference of the means, and how much
// of the difference may be chance.

/** A value in the runs of a side, and its number of samples. */
export interface Measured {
  /** One value per run. */
  readonly values: readonly number[];
  /** Number of samples in the values of all runs. */
  readonly samples: number;
  /** Number of samples in the totals of all runs. */
  readonly allSamples: number;
  /** Value of one sample. */
  readonly sampleValue: number;
}

/**
 * Source of an interval: the differences between runs, the differences between pairs, or the number
 * of samples.
 */
export type NoiseSource = 'runs' | 'pairs' | 'samples';

/** A difference of means, with its standard error. */
export interface Difference {
  readonly base: number;
  readonly compared: number;
  readonly difference: number;
  readonly standardError: number;
  /** Degrees of freedom of the error; Infinity if it is based on the number of samples. */
  readonly freedom: number;
  readonly source: NoiseSource;
  /** Part of the squared error that does not shrink with more samples in the same runs. */
  readonly fixedVariance: number;
}

/**
 * Minimum number of runs per side for which the noise is measured from the differences between
 * runs.
 */
const runsMin = 3;
/**
 * Minimum number of pairs that are compared as pairs. A paired test cancels out noise that both
 * runs of a pair have in common, but has half the degrees of freedom. With fewer pairs, the loss is
 * greater than the gain.
 */
const pairsMin = 8;

/**
 * Compares the means. With three or more runs on both sides, the error comes from Welch's t test,
 * but is at least the error of a binomial number of samples. With fewer runs, it is the error of a
 * Poisson number of samples, plus `runNoise`, which is an assumed standard deviation between runs
 * relative to a value. If the runs of both sides are pairs in the same order, and there are at
 * least `pairsMin` pairs, the error comes from a paired t test. If the machine is slow during both
 * runs of a pair, this cancels out.
 */
export function compareRuns(
  base: Measured,
  compared: Measured,
  runNoise: number,
  isPaired = false,
): Difference {
  const [before, after] = [mean(base.values), mean(compared.values)];
  const means = { base: before, compared: after, difference: after - before };
  const count = base.values.length;
  if (isPaired && count >= pairsMin && count === compared.values.length) {
    const differences = compared.values.map((value, i) => value - base.values[i]);
    const sampling = samplingVariance(base, true) + samplingVariance(compared, true);
    return {
      ...means,
      standardError: Math.sqrt(Math.max(varianceOfMean(differences), sampling)),
      freedom: count - 1,
      source: 'pairs',
      fixedVariance: 0,
    };
  }
  if (base.values.length >= runsMin && compared.values.length >= runsMin) {
    const [own, other] = [compared, base].map((side) =>
      Math.max(varianceOfMean(side.values), samplingVariance(side, true)),
    );
    const sum = own + other;
    const parts = own ** 2 / (compared.values.length - 1) + other ** 2 / (base.values.length - 1);
    // Without any values, there is nothing to estimate.
    const freedom = parts > 0 ? sum ** 2 / parts : Infinity;
    return {
      ...means,
      standardError: Math.sqrt(sum),
      freedom,
      source: 'runs',
      fixedVariance: 0,
    };
  }
  const fixedVariance =
    (runNoise * before) ** 2 / base.values.length +
    (runNoise * after) ** 2 / compared.values.length;
  const sampling = samplingVariance(base, false) + samplingVariance(compared, false);
  return {
    ...means,
    standardError: Math.sqrt(sampling + fixedVariance),
    freedom: Infinity,
    source: 'samples',
    fixedVariance,
  };
}

/**
 * Returns the variance of the mean number of samples. The distribution is Poisson, or binomial if
 * each run takes about the same total number of samples. One sample is added, so that a side
 * without samples does not look certain; src/report/sampling-noise.ts does the same.
 */
function samplingVariance(
  { values, samples, allSamples, sampleValue }: Measured,
  isBinomial: boolean,
): number {
  const rest = isBinomial && allSamples > 0 ? Math.max(0, 1 - samples / allSamples) : 1;
  return (sampleValue ** 2 * (samples * rest + 1)) / values.length ** 2;
}

function varianceOfMean(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return squares / (values.length - 1) / values.length;
}

/** Returns the mean of at least one value. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
