// The children of each row of a call tree, as lists.
import type { CallTree } from './call-tree.ts';

/** By row of a tree; 0 = none, as the root is nobody's child. Siblings are in the order of rows. */
export interface ChildLinks {
  /** The first child of a row. */
  readonly first: Int32Array;
  /** The sibling after a row. */
  readonly next: Int32Array;
}

/** Looks at every row once: what goes into a part of a tree then needs no more than the part. */
export function linkChildren({ length, parent }: CallTree): ChildLinks {
  const first = new Int32Array(length);
  const next = new Int32Array(length);
  for (let row = length - 1; row > 0; row -= 1) {
    const above = parent[row];
    next[row] = first[above];
    first[above] = row;
  }
  return { first, next };
}
