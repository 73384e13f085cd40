// Turns an answer with a flame graph into a tree.
import type { queryResponse } from '../rpc/messages.gen.ts';
import type { ValueOf } from '../rpc/protobuf.ts';
import { buildTree } from './build-tree.ts';
import { readCoverage } from './coverage.ts';
import type { AnsweredTree, AnswerSide, TreeQuestion } from './tree-messages.ts';

/** An answer of the server. */
export type QueryResponse = NonNullable<ValueOf<typeof queryResponse>>;

/** Options of a tree apart from its answer. */
interface TreeOptions extends Pick<TreeQuestion, 'order' | 'scale' | 'own'> {
  readonly isDiff: boolean;
}

/** Returns the tree. Errors: RangeError if there is none; errors of buildTree. */
export function answeredTree(
  response: QueryResponse,
  { order, scale, isDiff, own }: TreeOptions,
): AnsweredTree {
  const graph = response.flamegraphArrow;
  if (graph === undefined) throw new RangeError('the answer has no flame graph');
  const { total, filtered, base: baseFacts, profileCount, warnings, zoomedFrames } = response;
  const coverage = readCoverage(response);
  const baseSide = baseFacts && { total: baseFacts.total, coverage: readCoverage(baseFacts) };
  const { load, profileTypes } = response;
  // Both sides have too few functions in common to estimate the load, so shares are compared.
  const found = scale === 'load' && load === undefined ? 'total' : scale;
  const baseFactor =
    baseSide && computeBaseFactor(found, baseSide, { total, coverage }, load?.ratio);
  const totals = { total, trimmed: graph.trimmed, isDiff, baseFactor, own };
  const tree = buildTree(graph.record, totals, order);
  return {
    ...tree,
    profileTypes,
    scale: found,
    load: load && baseSide && { ...load, perTime: load.ratio * timeRatio(baseSide, { coverage }) },
    coverage,
    baseSide,
    filtered,
    profileCount: Number(profileCount),
    warnings,
    zoomedFrames,
  };
}

/** Returns the ratio of the base's values to the other side's values. */
function computeBaseFactor(
  scale: TreeQuestion['scale'],
  base: AnswerSide,
  compared: AnswerSide,
  loadRatio: number | undefined,
): number | undefined {
  if (scale === 'total') return undefined;
  if (scale === 'load') {
    const total = Number(compared.total);
    return total > 0 ? (Number(base.total) * (loadRatio ?? 1)) / total : undefined;
  }
  // The page may have assumed wrongly that profiles have a duration, or that they are snapshots.
  // With that scale, the change of a row would not match the values of its sides.
  const isKnown = base.coverage[scale] > 0 && compared.coverage[scale] > 0;
  const unit = isKnown ? scale : scale === 'seconds' ? 'snapshots' : 'seconds';
  const [before, now] = [base, compared].map(
    ({ total, coverage }) => Number(total) / coverage[unit],
  );
  const factor = before / now;
  return Number.isFinite(factor) ? factor : undefined;
}

/** Returns the ratio of the base's time, or number of snapshots, to the other side's. */
function timeRatio(base: AnswerSide, { coverage }: Pick<AnswerSide, 'coverage'>): number {
  const { seconds, snapshots } = base.coverage;
  const ratio = seconds > 0 ? seconds / coverage.seconds : snapshots / coverage.snapshots;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : 1;
}
