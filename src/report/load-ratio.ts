// Estimates the load of one side of a diff relative to the other: the ratio that most functions
// share.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex } from '../model/rows.ts';

/** Ratio of unchanged functions, and its error. */
export interface LoadRatio {
  /** Value on the compared side per unit of the base, for an unchanged function. */
  readonly ratio: number;
  /** Standard error of the ratio, relative to the ratio. */
  readonly relativeError: number;
  /** Number of functions in the median. */
  readonly functionCount: number;
}

/** Flat values of all functions of one side. */
export interface FunctionValues {
  readonly values: ReadonlyMap<number, number>;
  /** Number of samples per unit of value; 0 if unknown. */
  readonly samplesPerValue: number;
}

/**
 * Minimum number of samples that a function needs on each side, so that its ratio errs by a third.
 */
const samplesMin = 20;
/**
 * Minimum number of functions that the median needs. If there are fewer, all might have changed.
 */
const functionsMin = 5;
/**
 * Smallest share of each side that these functions must have. Different programs have less in
 * common.
 */
const shareMin = 0.2;
/** Ratio of the standard deviation to the median absolute deviation of a normal distribution. */
const deviationsOfMad = 1.4826;
/** Ratio of the standard error of the median to the standard error of the mean. */
const errorOfMedian = 1.2533;

/**
 * Returns the median ratio of flat values over functions with enough samples on both sides. A
 * single changed function, however large, does not affect the median. Returns undefined if both
 * sides have too little in common.
 */
export function findLoadRatio(
  compared: FunctionValues,
  base: FunctionValues,
): LoadRatio | undefined {
  const logs: number[] = [];
  let [comparedSum, baseSum] = [0, 0];
  for (const [key, value] of compared.values) {
    const before = base.values.get(key) ?? 0;
    const isSeen =
      value * compared.samplesPerValue >= samplesMin && before * base.samplesPerValue >= samplesMin;
    if (!isSeen) continue;
    logs.push(Math.log(value / before));
    comparedSum += value;
    baseSum += before;
  }
  const isKnown =
    logs.length >= functionsMin &&
    comparedSum >= shareMin * sumOwnValues(compared) &&
    baseSum >= shareMin * sumOwnValues(base);
  if (!isKnown) return undefined;
  // Rounded to 15 digits, which is the precision of the exponential and the logarithm.
  const middle = findMedian(logs);
  const deviation = deviationsOfMad * findMedian(logs.map((log) => Math.abs(log - middle)));
  const relativeError = (errorOfMedian * deviation) / Math.sqrt(logs.length);
  return {
    ratio: Number(Math.exp(middle).toPrecision(15)),
    relativeError,
    functionCount: logs.length,
  };
}

/** Sums stacks by their innermost function, or by location if its name is unknown. */
export function sumByFunction(
  dictionary: Dictionary,
  groups: readonly { readonly merged: MergedStacks }[],
): Map<number, number> {
  const { leaf, nodeLocation } = dictionary.stacks;
  const { lineStart, lineFunction } = dictionary.locations;
  const values = new Map<number, number>();
  for (const { merged } of groups) {
    for (let i = 0; i < merged.stacks.length; i += 1) {
      const location = nodeLocation[leaf[merged.stacks[i]]];
      const line = lineStart[location];
      const key =
        line === lineStart[location + 1]
          ? -1 - location
          : dictionary.functions.displayName(lineFunction[line] as FunctionIndex);
      values.set(key, (values.get(key) ?? 0) + Number(merged.values[i]));
    }
  }
  return values;
}

function sumOwnValues({ values }: FunctionValues): number {
  let sum = 0;
  for (const value of values.values()) sum += Math.abs(value);
  return sum;
}

function findMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
