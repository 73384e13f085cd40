// The result of a merge: one value per stack.
import type { LabelSet } from './labels.ts';

/**
 * Values summed by stack; every stack appears once, in ascending order.
 *
 * Shape: both columns have the same length. Units: the merged value type's.
 */
export interface MergedStacks {
  /** StackIndex of each row. */
  readonly stacks: Uint32Array;
  readonly values: BigInt64Array;
}

/** Merged stacks whose samples share labels. */
export interface LabelledStacks {
  readonly labels: LabelSet;
  readonly merged: MergedStacks;
  /** Of a diff: what is to be subtracted. */
  readonly base?: MergedStacks;
}
