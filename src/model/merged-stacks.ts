// The result of a merge: one value per stack.
import type { LabelSet } from './labels.ts';

/**
 * Values summed by stack. Each stack appears once, in ascending order.
 *
 * Shape: both columns have the same length. Units: those of the sample type.
 */
export interface MergedStacks {
  /** StackIndex of each row. */
  readonly stacks: Uint32Array;
  readonly values: BigInt64Array;
}

/** Merged stacks of samples that have the same labels. */
export interface LabelledStacks {
  readonly labels: LabelSet;
  readonly merged: MergedStacks;
  /** Values to subtract, in a diff. */
  readonly base?: MergedStacks;
}
