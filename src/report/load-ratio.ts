// Estimates the load of one side of a diff relative to the other, from the ratio that most
// functions share.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex } from '../model/rows.ts';

/** Ratio of the sums of functions that did not change, and its error. */
export interface LoadRatio {
  /** Value on the compared side for each unit of the base, for a function that did not change. */
  readonly ratio: number;
  /** Standard error of the ratio, relative to the ratio. */
  readonly relativeError: number;
  /** Number of functions that the median was taken over. */
  readonly functionCount: number;
}

/** Flat values of the functions of a side. */
export interface FunctionValues {
  readonly values: ReadonlyMap<number, number>;
  /** Number of samples per unit of value; 0 if unknown. */
  readonly samplesPerValue: number;
}

/**
 * Samples that a function needs on each side, so that its ratio is known to within about a third.
 */
const samplesMin = 20;
/** Functions that a median needs; fewer might all have changed. */
const functionsMin = 5;
/**
 * Share of each side that these functions must have: two different programs have less in common.
 */
const shareMin = 0.2;
/** Standard deviations in a median absolute deviation, for a normal distribution. */
const deviationsOfMad = 1.4826;
/** Standard error of a median relative to that of a mean. */
const errorOfMedian = 1.2533;

/**
 * Returns the median ratio of the flat values of functions that have enough samples on both sides,
 * so that a changed function, however large, does not affect the ratio. Undefined if both sides
 * have too few functions in common.
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
  // Rounded to the 15 digits that the exponential of a logarithm has.
  const middle = findMedian(logs);
  const deviation = deviationsOfMad * findMedian(logs.map((log) => Math.abs(log - middle)));
  const relativeError = (errorOfMedian * deviation) / Math.sqrt(logs.length);
  return {
    ratio: Number(Math.exp(middle).toPrecision(15)),
    relativeError,
    functionCount: logs.length,
  };
}

/** Sums stacks by the function that they end in; by location if its name is unknown. */
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
