// Compares the frames of a diff by their share of their own side.
import { formatPercent, formatSignificant } from '../format/numbers.ts';
import type { Tree } from './tree.ts';

/** A tree whose values are compared with those of a base. */
export type DiffTree = Tree & { readonly base: BigInt64Array };

/** Steps from -4, a quarter or less, to 4, four times or more; 0 means no change. */
export const stepsMax = 4;
/** Frames that one of the sides does not have. */
export const newStep = 5;
export const goneStep = -5;
/** Change that is real, but smaller than that of step 1. */
export const smallMoreStep = 6;
export const smallLessStep = -6;
/** Difference that may be chance, but may also be a change of at least step 1. */
export const chanceStep = 7;

/** Smallest |log2| of the ratio of a change that is not small; the server's `smallChange`. */
const smallDoublings = 0.15;
/** Smallest |log2| of the ratio of a frame with step 1, 2, 3 and 4. */
const stepStarts = [smallDoublings, 0.5, 1, 2];
/** Standard errors around a difference that contain it with 95 % confidence, as in the list. */
const deviations = 1.96;
/** Ratio above which "×2.4" reads better than "+140 %". */
const timesMin = 2;

export function isDiffTree(tree: Tree): tree is DiffTree {
  return tree.base !== undefined;
}

/**
 * Returns the base's value of a row; if amounts are compared, as a share of the other side's total.
 */
function baseAmount(tree: DiffTree, row: number): number {
  return baseShare(tree, row) * tree.baseFactor;
}

/** Returns the share of a row in the base's total. */
export function baseShare({ base }: DiffTree, row: number): number {
  return base[0] > 0n ? Number(base[row]) / Number(base[0]) : 0;
}

/**
 * Facts that tell a change from chance: the samples of both sides, and the scale of the
 * base.
 */
export interface DiffNoise {
  readonly base: number;
  readonly compared: number;
  /** True if shares are compared; otherwise the factor of the base is fixed. */
  readonly areShares: boolean;
  /** Standard error of the factor, relative to the factor. */
  readonly factorError: number;
}

/**
 * Returns half the width of the interval that contains the difference of a row with 95 %
 * confidence, in shares of the compared total: the same rule as in the server's list
 * (`src/report/sampling-noise.ts`).
 */
export function computeHalfWidth(tree: DiffTree, row: number, noise: DiffNoise): number {
  const { base, compared, areShares, factorError } = noise;
  const n = tree.share[row] * compared;
  const m = baseShare(tree, row) * base;
  if (areShares) return deviations * Math.sqrt(shareVariance(n, compared) + shareVariance(m, base));
  const own = 1 / (compared || 1);
  const other = tree.baseFactor / (base || 1);
  const scaled = factorError * baseAmount(tree, row);
  return deviations * Math.sqrt(own ** 2 * (n + 1) + other ** 2 * (m + 1) + scaled ** 2);
}

function shareVariance(samples: number, all: number): number {
  const share = (Math.min(samples, all) + 1) / (all + 2);
  return (share * (1 - share)) / (all + 2);
}

/** Returns the step of each row. `noise`: undefined if values do not count samples. */
export function diffSteps(tree: DiffTree, noise: DiffNoise | undefined): Int8Array {
  return Int8Array.from({ length: tree.count }, (_, row) => {
    const [before, now] = [baseAmount(tree, row), tree.share[row]];
    if (noise !== undefined) {
      const half = computeHalfWidth(tree, row, noise);
      if (Math.abs(now - before) <= half) return couldChange(before, now - before, half);
    }
    return chooseStep(before, now);
  });
}

/** Returns the step for a difference that may be chance: 0 if it cannot be a larger change. */
function couldChange(before: number, difference: number, half: number): number {
  const most = Math.max(Math.abs(difference - half), Math.abs(difference + half));
  return most <= before * (1 - 2 ** -smallDoublings) ? 0 : chanceStep;
}

/** Returns true for a ratio of now to before that is close to 1. */
export function isSmallChange(ratio: number): boolean {
  return ratio > 0 && Math.abs(Math.log2(ratio)) < smallDoublings;
}

function chooseStep(before: number, now: number): number {
  if (before === 0) return now > 0 ? newStep : 0;
  if (now === 0) return goneStep;
  const doublings = Math.log2(now / before);
  const step = stepStarts.filter((start) => Math.abs(doublings) >= start).length;
  if (step === 0) return doublings === 0 ? 0 : doublings < 0 ? smallLessStep : smallMoreStep;
  return doublings < 0 ? -step : step;
}

/** Returns the words for a step that is not more, less, new or gone; undefined for those. */
function stepWords(step: number): string | undefined {
  if (step === 0) return 'no change';
  if (step === chanceStep) return 'may be chance';
  return step === smallMoreStep || step === smallLessStep ? 'real but small' : undefined;
}

/** Formats the change of a row's share, or amount: "+27 %", "−31 %", "×2.4", "new" or "gone". */
export function changeText(tree: DiffTree, row: number): string {
  const [before, now] = [baseAmount(tree, row), tree.share[row]];
  if (before === 0) return now > 0 ? 'new' : formatPercent(0);
  if (now === 0) return 'gone';
  const ratio = now / before;
  if (ratio === 1) return `±${formatPercent(0)}`;
  if (ratio >= timesMin) return `×${formatSignificant(ratio)}`;
  return `${ratio < 1 ? '−' : '+'}${formatPercent(Math.abs(ratio - 1))}`;
}

/** Formats the change of a row with a note on its certainty: "+3.0 %, may be chance". */
export function changeWords(tree: DiffTree, row: number, steps: Int8Array | undefined): string {
  const words = steps === undefined ? undefined : stepWords(steps[row]);
  return [changeText(tree, row), words].filter((part) => part !== undefined).join(', ');
}

/** Returns the number that is drawn on a frame: its share, or in a diff the change. */
export function frameNumber(tree: Tree, row: number): string {
  return isDiffTree(tree) ? changeText(tree, row) : formatPercent(tree.share[row]);
}
