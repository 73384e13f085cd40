// Changes between two profiles: functions by the size of their difference, significant differences
// first.
import type { Dictionary } from '../model/dictionary.ts';
import { unknownGroup } from '../model/group-names.ts';
import { comparablePackage, programPackage } from '../model/package-name.ts';
import type { FunctionIndex, StringIndex } from '../model/rows.ts';
import { type BaseRatio, subtractBase } from './base-ratio.ts';
import { collectEdges } from './call-edges.ts';
import { type Cause, findCause, findRise } from './find-cause.ts';
import type { SamplingNoise } from './sampling-noise.ts';
import { describeTop, slotsByFlat, type Top } from './top.ts';
import type { CallTree } from './tree/call-tree.ts';
import { FrameSums, pickValues } from './frame-sums.ts';

/** A function's own value, or its value including all callees. */
export type FunctionMeasure = 'flat' | 'cumulative';

/** Values of one measure on both sides; columns by row of `Changes`. */
export interface MeasureChange {
  readonly compared: BigInt64Array;
  /** Unscaled values of the base. */
  readonly base: BigInt64Array;
  /** Difference between `compared` and the scaled base. */
  readonly difference: BigInt64Array;
  /** Half the width of the interval that contains the true difference with 95 % confidence. */
  readonly halfWidth: Float64Array;
  /**
   * Number of samples in the values: exact if the values are numbers of samples, otherwise
   * estimated from the mean value.
   */
  readonly comparedSamples: Float64Array;
  readonly baseSamples: Float64Array;
}

/**
 * All functions of both sides: first functions with a significant difference, then the others. Both
 * groups are sorted by absolute difference, then in the order of `Top`.
 */
export interface Changes {
  /** Names and other facts about the rows, with values of the compared side. */
  readonly functions: Top;
  readonly flat: MeasureChange;
  readonly cumulative: MeasureChange;
  /** Number of rows with significant differences. */
  readonly significantCount: number;
  /**
   * Cause of the difference; undefined if there is no significant change, or all functions changed
   * alike.
   */
  readonly cause: ChangeCause | undefined;
  /**
   * If the cause is a fall, the function that grew most among those that are known to have grown;
   * undefined if there is none.
   */
  readonly rise: ChangeCause | undefined;
  /** Number of insignificant rows that are known to have changed by less than `smallChange`. */
  readonly unchangedCount: number;
}

/** Cause of a difference; functions are rows of `Changes`. */
export interface ChangeCause {
  readonly row: number;
  /** Row of the caller; -1 = none, or several. */
  readonly callerRow: number;
  /** True if only the calls from `callerRow` changed. */
  readonly isCall: boolean;
  /**
   * Package, if several of its functions are the cause; `row` is the function that changed most.
   */
  readonly package: string | undefined;
  readonly compared: bigint;
  readonly base: bigint;
  /** Difference relative to the load of both sides, and half the width of its 95 % interval. */
  readonly difference: number;
  readonly halfWidth: number;
  /** Change of the garbage collection that the function's allocations cause; 0 = none. */
  readonly collected: number;
}

/**
 * Relative change below which a change is small. If the interval contains only small changes, the
 * function counts as unchanged. The page uses the same number.
 */
export const smallChange = 1 - 2 ** -0.15;

export interface ChangesOptions {
  /** Measure that determines the order and the significance. */
  readonly measure: FunctionMeasure;
  readonly ratio: BaseRatio;
  readonly noise: SamplingNoise;
  /** Noise for the search of a cause: by load if the load is known, otherwise by time. */
  readonly causeNoise: SamplingNoise;
}

/**
 * Sums a tree of two sides by function name; the tree's keys must be calls of Dictionary.callNodes.
 */
export function rankChanges(
  dictionary: Dictionary,
  tree: CallTree,
  options: ChangesOptions,
): Changes {
  const sums = new FrameSums(tree);
  const slots = slotsByFlat(tree, sums);
  const { compared, difference, halfWidth } = measureChange(sums, options.measure, slots, options);
  const size = Float64Array.from(difference, (value) => Math.abs(Number(value)));
  const isSignificant = Uint8Array.from(size, (one, i) => (one > halfWidth[i] ? 1 : 0));
  const ranked = Uint32Array.from(slots, (_, i) => i).sort(
    (a, b) => isSignificant[b] - isSignificant[a] || size[b] - size[a] || a - b,
  );
  const order = ranked.map((i) => slots[i]);
  const functions = describeTop(dictionary, tree, sums, order, options.ratio);
  return {
    functions,
    ...describeCauses(functions, tree, sums, order, options.causeNoise),
    flat: measureChange(sums, 'flat', order, options),
    cumulative: measureChange(sums, 'cumulative', order, options),
    significantCount: isSignificant.reduce((count, one) => count + one, 0),
    unchangedCount: countUnchanged({ compared, difference, halfWidth }, isSignificant),
  };
}

function describeCauses(
  { dictionary, mapping, function: functionOf }: Top,
  tree: CallTree,
  sums: FrameSums,
  order: Uint32Array,
  noise: SamplingNoise,
): Pick<Changes, 'cause' | 'rise'> {
  const rowOfSlot = new Int32Array(sums.length).fill(-1);
  for (let row = 0; row < order.length; row += 1) rowOfSlot[order[row]] = row;
  const { functions, strings, mappings } = dictionary;
  const name = (slot: number): string => tree.frames.text(sums.keys[slot]);
  const binary = (slot: number): string =>
    strings.text(mappings.fileName[mapping[rowOfSlot[slot]]] as StringIndex);
  const file = (slot: number): string =>
    strings.text(functions.fileName[functionOf[rowOfSlot[slot]] as FunctionIndex] as StringIndex);
  const packageName = (slot: number): string => {
    const found = comparablePackage(name(slot), file(slot), binary(slot));
    return found === programPackage || found === unknownGroup ? '' : found;
  };
  const edges = collectEdges(tree, sums.target);
  const input = { tree, sums, edges, noise, name, packageName };
  const cause = describeCause(findCause(input), rowOfSlot, noise);
  const isFall = cause !== undefined && cause.difference < 0;
  const rise = isFall ? describeCause(findRise(input), rowOfSlot, noise) : undefined;
  return { cause, rise };
}

function describeCause(
  found: Cause | undefined,
  rowOfSlot: Int32Array,
  noise: SamplingNoise,
): ChangeCause | undefined {
  if (found === undefined) return undefined;
  const { slot, caller, isCall, compared, base, collected } = found;
  return {
    row: rowOfSlot[slot],
    callerRow: caller === -1 ? -1 : rowOfSlot[caller],
    isCall,
    package: found.package,
    compared,
    base,
    difference: noise.difference(compared, base),
    halfWidth: noise.halfWidth(compared, base),
    collected: collected === undefined ? 0 : noise.difference(collected.compared, collected.base),
  };
}

/** Counts insignificant rows that have no value, or whose interval has only small changes. */
function countUnchanged(
  { compared, difference, halfWidth }: Pick<MeasureChange, 'compared' | 'difference' | 'halfWidth'>,
  isSignificant: Uint8Array,
): number {
  let count = 0;
  for (let i = 0; i < compared.length; i += 1) {
    if (isSignificant[i] === 1) continue;
    const [now, change] = [Number(compared[i]), Number(difference[i])];
    const isEmpty = now === 0 && change === 0;
    const most = Math.abs(change) + halfWidth[i];
    if (isEmpty || most <= smallChange * Math.abs(now - change)) count += 1;
  }
  return count;
}

function measureChange(
  sums: FrameSums,
  measure: FunctionMeasure,
  order: Uint32Array,
  { ratio, noise }: ChangesOptions,
): MeasureChange {
  const compared = pickValues(sums[measure], order);
  const base = pickValues(sums.base[measure], order);
  return {
    compared,
    base,
    difference: subtractBase(compared, base, ratio),
    halfWidth: Float64Array.from(compared, (value, i) => noise.halfWidth(value, base[i])),
    comparedSamples: Float64Array.from(compared, (value) => noise.comparedSamples(value)),
    baseSamples: Float64Array.from(base, (value) => noise.baseSamples(value)),
  };
}
