// Estimates the load of one side of a diff relative to the other, from the ratio that most
// functions share.
import type { Dictionary } from '../model/dictionary.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { FunctionIndex } from '../model/rows.ts';

/** Ratio of the sums of functions that did not change, and its error. */
export interface LoadRatio {
  /** Value of the compared side for each value of the base, of a function that did not change. */
  readonly ratio: number;
  /** Standard error of the ratio, as a part of it. */
  readonly relativeError: number;
  /** Number of functions of the median. */
  readonly functionCount: number;
}

/** Own values of the functions of a side. */
export interface FunctionValues {
  readonly values: ReadonlyMap<number, number>;
  /** Samples behind a value of 1; 0 if unknown. */
  readonly samplesPerValue: number;
}

/** Samples that a function needs on each side for its ratio to be known to about a third. */
const samplesMin = 20;
/** Functions that a median needs: fewer may all have changed. */
const functionsMin = 5;
/**
 * Share of each side that these functions must have: two programs have less in common by chance.
 */
const shareMin = 0.2;
/** Standard deviations in a median of absolute deviations, of a normal distribution. */
const deviationsOfMad = 1.4826;
/** Standard error of a median relative to that of a mean. */
const errorOfMedian = 1.2533;

/**
 * Returns the median ratio of the own values of functions that have enough samples on both sides,
 * so that a function that changed, however large it is, does not change the ratio. Undefined if too
 * few functions of both sides are the same.
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
  // To 15 digits, which an exponential of a logarithm has.
  const middle = findMedian(logs);
  const deviation = deviationsOfMad * findMedian(logs.map((log) => Math.abs(log - middle)));
  const relativeError = (errorOfMedian * deviation) / Math.sqrt(logs.length);
  return {
    ratio: Number(Math.exp(middle).toPrecision(15)),
    relativeError,
    functionCount: logs.length,
  };
}

/** Sums stacks by the function that they end in; by location where its name is unknown. */
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
