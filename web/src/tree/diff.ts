// Compares the frames of a diff, by the share that each has of its own side.
import { formatPercent, formatSignificant } from '../format/numbers.ts';
import type { Tree } from './tree.ts';

/** A tree whose values are compared with those of a base. */
export type DiffTree = Tree & { readonly base: BigInt64Array };

/** Steps from -4, a quarter or less of the share, to 4, four times or more; 0 may be chance. */
export const stepsMax = 4;
/** Frames that one of the sides does not have. */
export const newStep = 5;
export const goneStep = -5;

/** Least |log2| of the ratio of a frame with step 1, 2, 3 and 4. */
const stepStarts = [0.15, 0.5, 1, 2];
/** Number of standard errors below which a difference counts as chance. */
const errorsMin = 2;
/** Ratio from which on "×2.4" reads better than "+140 %". */
const timesMin = 2;

export function isDiffTree(tree: Tree): tree is DiffTree {
  return tree.base !== undefined;
}

/**
 * Returns the base's part of a row; if amounts are compared, as a share of the other side's total.
 */
function baseAmount(tree: DiffTree, row: number): number {
  return baseShare(tree, row) * tree.baseFactor;
}

/** Returns the share of a row in the base's total. */
export function baseShare({ base }: DiffTree, row: number): number {
  return base[0] > 0n ? Number(base[row]) / Number(base[0]) : 0;
}

/** Numbers of samples of both sides of a diff, to tell change from chance. */
export interface SampleCounts {
  readonly base: number;
  readonly compared: number;
}

/** Returns the step of each row. `samples`: undefined if values do not count samples. */
export function diffSteps(tree: DiffTree, samples: SampleCounts | undefined): Int8Array {
  return Int8Array.from({ length: tree.count }, (_, row) => {
    const [before, now] = [baseAmount(tree, row), tree.share[row]];
    if (samples !== undefined) {
      const error = Math.sqrt(
        (before * tree.baseFactor) / (samples.base || 1) + now / (samples.compared || 1),
      );
      if (Math.abs(now - before) < errorsMin * error) return 0;
    }
    return stepOf(before, now);
  });
}

function stepOf(before: number, now: number): number {
  if (before === 0) return now > 0 ? newStep : 0;
  if (now === 0) return goneStep;
  const doublings = Math.log2(now / before);
  const step = stepStarts.filter((start) => Math.abs(doublings) >= start).length;
  return doublings < 0 ? -step : step;
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

/** Returns the number that is drawn on a frame: its share, or in a diff the change. */
export function frameNumber(tree: Tree, row: number): string {
  return isDiffTree(tree) ? changeText(tree, row) : formatPercent(tree.share[row]);
}
