// Compares the two sides of a diff: checks them, computes the factor of the base, and ranks the
// changes.
import { AppError } from '../../base/errors.ts';
import {
  type BaseRatio,
  type BaseScale,
  loadFactor,
  relativeRatio,
  subtractBase,
  timeRatio,
  unscaled,
} from '../../report/base-ratio.ts';
import type { SelectionFacts } from '../merge/selection-merger.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { sumValues } from '../../model/merge.ts';
import type { CallTree, StackGroup } from '../../report/tree/call-tree.ts';
import { type FunctionMeasure, rankChanges } from '../../report/changes.ts';
import { type LoadRatio, findLoadRatio, sumByFunction } from '../../report/load-ratio.ts';
import { type SampledSide, SamplingNoise } from '../../report/sampling-noise.ts';
import type { RankedChanges } from '../report-kinds.ts';
import { countSamples } from '../merge/summary.ts';

/** One side of a diff, before filters. */
export interface ComparedSide {
  readonly selection: SelectionFacts;
  readonly total: bigint;
}

/** Two sides, and the scale that makes them comparable. */
export interface Comparison {
  readonly compared: ComparedSide;
  readonly base: ComparedSide;
  /** Scale that was used; 'total' if a load is unknown. */
  readonly baseScale: BaseScale;
  readonly ratio: BaseRatio;
  /** Load of `compared` relative to `base`; undefined if unknown. */
  readonly load: LoadRatio | undefined;
}

/**
 * Checks both sides, and computes the factor of the base.
 *
 * Errors: AppError 'invalid-argument' if the sides have different types, 'out-of-range' if
 * differences may not fit an int64.
 */
export function compareSides(
  compared: ComparedSide,
  base: ComparedSide,
  wished: BaseScale,
  load: LoadRatio | undefined,
): Comparison {
  const { valueType, summary, magnitude } = compared.selection;
  const other = base.selection;
  const isKnown = summary.times.profileCount > 0 && other.summary.times.profileCount > 0;
  const [name, baseName] = [valueType, other.valueType].map(({ type, unit }) => `${type}:${unit}`);
  // Profilers spell "CPU" in two ways.
  if (isKnown && name.toLowerCase() !== baseName.toLowerCase()) {
    throw new AppError(
      'invalid-argument',
      `cannot compare ${name} with ${baseName}: both sides must be of one type`,
    );
  }
  if (isKnown && other.isIncrease !== compared.selection.isIncrease) {
    const isStates = !summary.isOverTime || !other.summary.isOverTime;
    if (isStates) {
      throw new AppError(
        'invalid-argument',
        'cannot compare an increase with totals: take the increase of both sides',
      );
    }
  }
  const baseScale = wished === 'load' && load === undefined ? 'total' : wished;
  const ratio = chooseRatio(compared, base, baseScale, load);
  const scaled = (other.magnitude * Number(ratio.numerator)) / Number(ratio.denominator);
  if (magnitude + scaled >= 2 ** 63) {
    throw new AppError('out-of-range', 'cannot compare profiles: differences may pass 2^63');
  }
  return { compared, base, baseScale, ratio, load };
}

/**
 * Number of units into which a snapshot is divided, because the number of snapshots is fractional
 * if series start or end in the range.
 */
const snapshotParts = 1e6;

/** Computes the load of one side relative to the other. `dictionary` has the stacks of both. */
export function computeLoad(
  dictionary: Dictionary,
  compared: ComparedSide & SideGroups,
  base: ComparedSide & SideGroups,
): LoadRatio | undefined {
  const [own, other] = [compared, base].map((side) => {
    const { total, sampleCount } = sampled(side);
    const samplesPerValue = total === 0n ? 0 : sampleCount / Math.abs(Number(total));
    return { values: sumByFunction(dictionary, side.groups), samplesPerValue };
  });
  return findLoadRatio(own, other);
}

interface SideGroups {
  readonly groups: readonly StackGroup[];
}

function chooseRatio(
  compared: ComparedSide,
  base: ComparedSide,
  baseScale: BaseScale,
  load: LoadRatio | undefined,
): BaseRatio {
  if (baseScale === 'none') return unscaled;
  if (baseScale === 'load' && load !== undefined) return loadFactor(load.ratio);
  if (baseScale === 'total') return relativeRatio(compared.total, base.total);
  const covered = ({ selection }: ComparedSide): number => {
    const { durationNanos, snapshots } = selection.summary.times;
    return selection.summary.isOverTime ? Number(durationNanos) : snapshots * snapshotParts;
  };
  return timeRatio(covered(compared), covered(base));
}

/**
 * Ranks the functions of `tree`, which was built from `groups`. `top` is the number of functions to
 * name; 0 = all.
 */
export function rankSides(
  dictionary: Dictionary,
  tree: CallTree,
  groups: readonly StackGroup[],
  { compared, base, baseScale, ratio, load }: Comparison,
  measure: FunctionMeasure,
): RankedChanges {
  const noise = new SamplingNoise(
    sampled(compared),
    sampled(base),
    ratio,
    // Shares cannot be computed if one side is empty.
    baseScale === 'total' && compared.total > 0n && base.total > 0n,
    baseScale === 'load' ? load?.relativeError : 0,
  );
  const timeScale = chooseRatio(compared, base, 'time', undefined);
  const causeNoise = new SamplingNoise(
    sampled(compared),
    sampled(base),
    load === undefined ? timeScale : loadFactor(load.ratio),
    false,
    load?.relativeError,
  );
  const total = groups.reduce((sum, { merged }) => sum + sumValues(merged.values), 0n);
  const baseTotal = groups.reduce((sum, group) => sum + sumValues(group.base?.values ?? none), 0n);
  const [difference] = subtractBase(BigInt64Array.of(total), BigInt64Array.of(baseTotal), ratio);
  return {
    changes: rankChanges(dictionary, tree, { measure, ratio, noise, causeNoise }),
    difference,
    ratio,
    baseScale,
  };
}

const none = new BigInt64Array(0);

/**
 * Returns the number of samples of a side. Snapshots repeat the same samples, so the result is the
 * number of samples in an average snapshot.
 */
function sampled({ selection, total }: ComparedSide): SampledSide {
  const { snapshots } = selection.summary.times;
  return { total, sampleCount: Number(estimateSamples(selection, total)) / Math.max(snapshots, 1) };
}

function estimateSamples(
  { summary, profileTypes, isScaled }: SelectionFacts,
  total: bigint,
): bigint {
  return countSamples(summary, profileTypes, total, isScaled);
}
