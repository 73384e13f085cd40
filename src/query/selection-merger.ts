// Selects profiles from the store and merges them: one side of a diff, or all of a report.
import { AppError } from '../base/errors.ts';
import { mergeInWorkerRowsMin } from '../base/limits.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { ScaledStacks, StackMerger } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { StackGroup } from '../report/call-tree.ts';
import type { Querier, TimeRange } from '../storage/interface.ts';
import type { ProfileSelector } from './interface.ts';
import { loadSelection } from './loaded-selection.ts';
import type { LoadedSelection } from './loaded-selection.ts';
import { throwIfCancelled } from './merge-pool.ts';
import type { MergePool } from './merge-pool.ts';
import { groupRuns } from './run-lists.ts';
import type { GroupedRuns, PeriodRuns } from './run-lists.ts';
import { checkSumFits, isScaledByPeriod, scaledValueType } from './scaling.ts';
import { checkRange, resolveQuery } from './select.ts';
import type { Summary } from './summary.ts';
import { summarize } from './summary.ts';

const nanosPerMilli = 1_000_000n;

export interface MergeOptions {
  /** Each distinct combination of values is a group. */
  readonly labelNames: readonly string[];
  /** Whether counts of samples become what each sample stands for. */
  readonly scales: boolean;
  readonly listsSeriesLabels: boolean;
}

/** What was selected, merged. */
export interface MergedSelection {
  readonly summary: Summary;
  /** Whether values were multiplied by their profiles' periods. */
  readonly isScaled: boolean;
  readonly profileType: ProfileType;
  readonly valueType: ValueType;
  readonly dictionary: Dictionary;
  /** At least one. */
  readonly groups: readonly StackGroup[];
  /** Names, where they were asked for. */
  readonly seriesLabels: readonly string[];
  /** About the sum of the magnitudes of its profiles. */
  readonly magnitude: number;
}

export const emptyStacks: MergedStacks = {
  stacks: new Uint32Array(0),
  values: new BigInt64Array(0),
};

/** Merges selections, in workers when they are large. */
export class SelectionMerger {
  private readonly querier: Querier;
  private readonly pool: MergePool;
  private readonly merger: StackMerger;

  constructor(querier: Querier, pool: MergePool, merger: StackMerger) {
    this.querier = querier;
    this.pool = pool;
    this.merger = merger;
  }

  /** Errors: AppError 'not-found' when there is no profile at the time of a single one. */
  async merge(
    select: ProfileSelector,
    { labelNames, scales, listsSeriesLabels }: MergeOptions,
    signal: AbortSignal,
  ): Promise<MergedSelection> {
    const range = rangeOf(select);
    const { profileType, matchers } = await resolveQuery(select.query, this.querier);
    const seriesQuery = { matchers, profileType, range };
    const seriesLabels = listsSeriesLabels ? await this.querier.labelNames(seriesQuery) : [];
    using selected = await this.querier.select(seriesQuery);
    const selection = await loadSelection(selected);
    throwIfCancelled(signal);
    if (select.mode === 'single' && selection.series.length === 0) {
      throw new AppError('not-found', 'could not find profile at requested time and selectors');
    }
    const isScaled = scales && isScaledByPeriod(profileType, selection);
    const magnitude = checkSumFits(selection, isScaled);
    const { dictionary } = selection;
    const summary = summarize(selection, profileType, range);
    const groups = await this.mergeGroups(selection, isScaled, labelNames, signal);
    const valueType = scaledValueType(profileType, isScaled);
    const facts = { summary, isScaled, profileType, valueType, magnitude };
    return { ...facts, dictionary, groups, seriesLabels };
  }

  /** One merge for each combination of label values; a single one without labels. */
  private async mergeGroups(
    selection: LoadedSelection,
    isScaled: boolean,
    labelNames: readonly string[],
    signal: AbortSignal,
  ): Promise<StackGroup[]> {
    // What is read of the selection is read before the first await.
    const stackCount = selection.dictionary.stacks.length;
    const grouped = groupRuns(selection, isScaled, labelNames);
    const merged: StackGroup[] = [];
    for (const { labelValues, byPeriod } of grouped.groups) {
      const parts: ScaledStacks[] = [];
      for (const runs of byPeriod) {
        parts.push(...(await this.mergeRuns(runs, grouped, selection, stackCount, signal)));
      }
      merged.push({ labelValues, merged: this.merger.combine(parts, stackCount) });
    }
    return merged.length === 0
      ? [{ labelValues: labelNames.map(() => ''), merged: emptyStacks }]
      : merged;
  }

  private async mergeRuns(
    { runs, factor }: PeriodRuns,
    { memories, isShared }: GroupedRuns,
    { segments }: LoadedSelection,
    stackCount: number,
    signal: AbortSignal,
  ): Promise<ScaledStacks[]> {
    if (!isShared || runs.rowCount < mergeInWorkerRowsMin) {
      return [{ merged: this.merger.merge(runs, memories, stackCount), factor }];
    }
    const parts = await this.pool.merge({ runs, segments, stackCount }, signal);
    return parts.map((merged) => ({ merged, factor }));
  }
}

function rangeOf(select: ProfileSelector): TimeRange {
  if (select.mode === 'merge') {
    checkRange(select.range);
    return select.range;
  }
  // Clients know times to the millisecond only.
  const rest = select.timeNanos % nanosPerMilli;
  const from = select.timeNanos - (rest < 0n ? rest + nanosPerMilli : rest);
  return { from, to: from + nanosPerMilli - 1n };
}
