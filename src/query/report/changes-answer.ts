// The ranked list of changes between two merged selections.
import type { Dictionary } from '../../model/dictionary.ts';
import { sumValues } from '../../model/merge.ts';
import { subtractBase } from '../../report/base-ratio.ts';
import type { CallTree, StackGroup } from '../../report/tree/call-tree.ts';
import { rankChanges, type FunctionMeasure } from '../../report/changes.ts';
import { SamplingNoise, type SampledSide } from '../../report/sampling-noise.ts';
import type { ComparedSide, Comparison } from './comparison.ts';
import type { ReportBody } from '../interface.ts';
import type { SelectionFacts } from '../merge/selection-merger.ts';
import { countSamples } from '../facts/summary.ts';

/**
 * Ranks the functions of `tree`, which was built of `groups`; `top` is the largest number of
 * functions, 0 = all.
 */
export function answerChanges(
  dictionary: Dictionary,
  tree: CallTree,
  groups: readonly StackGroup[],
  { compared, base, baseScale, ratio }: Comparison,
  measure: FunctionMeasure,
  top: number,
): ReportBody {
  const noise = new SamplingNoise(
    sampled(compared),
    sampled(base),
    ratio,
    // Shares of an empty side were not scaled.
    baseScale === 'total' && compared.total > 0n && base.total > 0n,
  );
  const total = groups.reduce((sum, { merged }) => sum + sumValues(merged.values), 0n);
  const baseTotal = groups.reduce((sum, group) => sum + sumValues(group.base?.values ?? none), 0n);
  const [difference] = subtractBase(BigInt64Array.of(total), BigInt64Array.of(baseTotal), ratio);
  return {
    kind: 'changes',
    changes: rankChanges(dictionary, tree, { measure, ratio, noise }),
    ...{ difference, top },
  };
}

const none = new BigInt64Array(0);

/**
 * Returns the samples of a side. Snapshots repeat the same samples, so that only those of an
 * average snapshot count.
 */
function sampled({ selection, total }: ComparedSide): SampledSide {
  const { snapshots } = selection.summary.times;
  return { total, sampleCount: Number(samplesOf(selection, total)) / Math.max(snapshots, 1) };
}

function samplesOf({ summary, profileType, isScaled }: SelectionFacts, total: bigint): bigint {
  return countSamples(summary, profileType, total, isScaled);
}
