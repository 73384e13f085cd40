// Compares the sides of an answer, frame by frame.
import { diffSteps, isDiffTree } from './diff.ts';
import type { AnsweredTree } from './tree-messages.ts';

/**
 * Returns the colour step of each frame in a diff; undefined without a diff. `counts` is true if
 * values count samples over time.
 */
export function answerSteps(tree: AnsweredTree, counts: boolean): Int8Array | undefined {
  if (!isDiffTree(tree)) return undefined;
  const noise = {
    base: tree.baseSide?.coverage.samples ?? 0,
    compared: tree.coverage.samples,
    areShares: tree.scale === 'total',
    factorError: tree.scale === 'load' ? (tree.load?.relativeError ?? 0) : 0,
  };
  return diffSteps(tree, counts ? noise : undefined);
}
