// Applies the stages of a diff side's own query to its stacks.
import { sumMagnitude, type StackMerger } from '../../model/merge.ts';
import type { StackView } from '../../report/stacks/stack-view.ts';
import { StackViewer } from '../../report/stacks/viewed-stacks.ts';
import type { MergedSelection } from '../merge/selection-merger.ts';

/** One side after its stages: stacks, totals and magnitudes are those that are left. */
export interface ViewedSide extends MergedSelection {
  /** Sum of the stacks that were dropped. */
  readonly filtered: bigint;
  /** True if its dictionary belongs to this query alone. */
  readonly isRewritten: boolean;
}

/** Applies views to a single side; the result is valid until the next await. */
export function viewSide(
  merged: MergedSelection,
  views: readonly StackView[],
  merger: StackMerger,
): ViewedSide {
  const { dictionary } = merged.stacks;
  if (dictionary === undefined || views.length === 0) {
    return { ...merged, filtered: 0n, isRewritten: false };
  }
  const viewer = new StackViewer(dictionary, views, merger);
  const viewed = viewer.apply(merged.stacks.groups.map((group) => group.merged));
  let filtered = 0n;
  let magnitude = 0;
  for (const one of viewed) {
    filtered += one.filtered;
    magnitude += sumMagnitude(one.merged.values);
  }
  const groups = merged.stacks.groups.map(({ labelValues }, i) => {
    return { labelValues, merged: viewed[i].merged };
  });
  const isRewritten = viewer.dictionary !== dictionary;
  const stacks = { dictionary: viewer.dictionary, groups };
  return { ...merged, stacks, filtered, magnitude, isRewritten };
}
