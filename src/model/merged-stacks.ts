// The result of a merge: one value per stack.

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
