// Compares the two sides of a diff: checks that this is possible, and finds the factor of the base.
import { AppError } from '../../base/errors.ts';
import {
  relativeRatio,
  timeRatio,
  unscaled,
  type BaseRatio,
  type BaseScale,
} from '../../report/base-ratio.ts';
import type { SelectionFacts } from '../merge/selection-merger.ts';

/** One side before filters. */
export interface ComparedSide {
  readonly selection: SelectionFacts;
  readonly total: bigint;
}

/** Two sides, and the scale that makes the second one comparable. */
export interface Comparison {
  readonly compared: ComparedSide;
  readonly base: ComparedSide;
  readonly baseScale: BaseScale;
  readonly ratio: BaseRatio;
}

/**
 * Finds the factor of the base.
 *
 * Errors: AppError 'invalid-argument' when the sides are of different types, 'out-of-range' when
 * differences may not fit an int64.
 */
export function compareSides(
  compared: ComparedSide,
  base: ComparedSide,
  baseScale: BaseScale,
): Comparison {
  const { valueType, summary, magnitude } = compared.selection;
  const other = base.selection;
  const isKnown = summary.times.profileCount > 0 && other.summary.times.profileCount > 0;
  const [name, baseName] = [valueType, other.valueType].map(({ type, unit }) => `${type}:${unit}`);
  if (isKnown && name !== baseName) {
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
  const ratio = ratioOf(compared, base, baseScale);
  const scaled = (other.magnitude * Number(ratio.numerator)) / Number(ratio.denominator);
  if (magnitude + scaled >= 2 ** 63) {
    throw new AppError('out-of-range', 'cannot compare profiles: differences may pass 2^63');
  }
  return { compared, base, baseScale, ratio };
}

/** Resolution of numbers of snapshots, which are fractions where series come and go. */
const snapshotParts = 1e6;

function ratioOf(compared: ComparedSide, base: ComparedSide, baseScale: BaseScale): BaseRatio {
  if (baseScale === 'none') return unscaled;
  if (baseScale === 'total') return relativeRatio(compared.total, base.total);
  const covered = ({ selection }: ComparedSide): number => {
    const { durationNanos, snapshots } = selection.summary.times;
    return selection.summary.isOverTime ? Number(durationNanos) : snapshots * snapshotParts;
  };
  return timeRatio(covered(compared), covered(base));
}
