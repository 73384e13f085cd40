// Compares the frames of a diff by their share in their side.
import { formatPercent, formatSignificant } from '../format/numbers.ts';
import type { Tree } from './tree.ts';

/** A tree with a base. */
export type DiffTree = Tree & { readonly base: BigInt64Array };

/** Largest colour step: -4 is a quarter or less, 4 is four times or more, 0 is no change. */
export const stepsMax = 4;
/** Step of frames that only one side has. */
export const newStep = 5;
export const goneStep = -5;
/** Step of a change that is certain, but smaller than step 1. */
export const smallMoreStep = 6;
export const smallLessStep = -6;
/** Step of a difference that may be chance, but may also be at least step 1. */
export const chanceStep = 7;

/** Smallest |log2| of the ratio of a change that is not small, as in the server's `smallChange`. */
const smallDoublings = 0.15;
/** Smallest |log2| of the ratio for the steps 1, 2, 3 and 4. */
const stepStarts = [smallDoublings, 0.5, 1, 2];
/** Half the width of a 95 % interval in standard errors, as in the list. */
const deviations = 1.96;
/** Ratio above which "×2.4" reads better than "+140 %". */
const timesMin = 2;

export function isDiffTree(tree: Tree): tree is DiffTree {
  return tree.base !== undefined;
}

/**
 * Returns the base value of a row; if amounts are compared, as a share of the other side's total.
 */
function baseAmount(tree: DiffTree, row: number): number {
  return baseShare(tree, row) * tree.baseFactor;
}

/** Returns a row's share in the base's total. */
export function baseShare({ base }: DiffTree, row: number): number {
  return base[0] > 0n ? Number(base[row]) / Number(base[0]) : 0;
}

/**
 * Data for distinguishing changes from chance: the samples of both sides, and the scale of the
 * base.
 */
export interface DiffNoise {
  readonly base: number;
  readonly compared: number;
  /** True if shares are compared; otherwise the factor of the base is fixed. */
  readonly areShares: boolean;
  /** Relative standard error of the factor. */
  readonly factorError: number;
}

/**
 * Returns half the width of the 95 % interval of a row's difference, as a share of the compared
 * total. The rule is the same as in the server's list (`src/report/sampling-noise.ts`).
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

/** Returns the colour step of each row. `noise` is undefined if values do not count samples. */
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

/** Returns the step of a difference that may be chance: 0 if it is known to be small. */
function couldChange(before: number, difference: number, half: number): number {
  const most = Math.max(Math.abs(difference - half), Math.abs(difference + half));
  return most <= before * (1 - 2 ** -smallDoublings) ? 0 : chanceStep;
}

/** Returns true if the ratio of now to before is close to 1. */
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

/** Returns the words for a step other than more, less, new or gone; undefined for these. */
function stepWords(step: number): string | undefined {
  if (step === 0) return 'no change';
  if (step === chanceStep) return 'may be chance';
  return step === smallMoreStep || step === smallLessStep ? 'real but small' : undefined;
}

/** Formats the change of a row's share or amount: "+27 %", "−31 %", "×2.4", "new" or "gone". */
export function changeText(tree: DiffTree, row: number): string {
  const [before, now] = [baseAmount(tree, row), tree.share[row]];
  if (before === 0) return now > 0 ? 'new' : formatPercent(0);
  if (now === 0) return 'gone';
  const ratio = now / before;
  if (ratio === 1) return `±${formatPercent(0)}`;
  if (ratio >= timesMin) return `×${formatSignificant(ratio)}`;
  return `${ratio < 1 ? '−' : '+'}${formatPercent(Math.abs(ratio - 1))}`;
}

/** Formats the change of a row with its certainty: "+3.0 %, may be chance". */
export function changeWords(tree: DiffTree, row: number, steps: Int8Array | undefined): string {
  const words = steps === undefined ? undefined : stepWords(steps[row]);
  return [changeText(tree, row), words].filter((part) => part !== undefined).join(', ');
}

/** Returns the number to draw on a frame: its share, or in a diff its change. */
export function frameNumber(tree: Tree, row: number): string {
  return isDiffTree(tree) ? changeText(tree, row) : formatPercent(tree.share[row]);
}
