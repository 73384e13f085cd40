// Answers questions for reports: select, merge, and hand over to src/report.
import { AppError } from '../base/errors.ts';
import { mergeInWorkerRowsMin } from '../base/limits.ts';
import { assertUnreachable } from '../base/assert.ts';
import type { Dictionary } from '../model/dictionary.ts';
import { StackMerger, sumValues } from '../model/merge.ts';
import type { ScaledStacks } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { buildCallTree } from '../report/build-call-tree.ts';
import { buildCallGraph } from '../report/call-graph.ts';
import type { StackGroup } from '../report/call-tree.ts';
import { TreeScratch } from '../report/call-tree-builder.ts';
import { buildFlameGraph } from '../report/flame-graph.ts';
import { FrameIdentity } from '../report/frame-identity.ts';
import { mappingFilesOf } from '../report/mapping-files.ts';
import { plainView, StackViewer } from '../report/stack-view.ts';
import { buildTable } from '../report/table.ts';
import { buildTop } from '../report/top.ts';
import type { Querier, Selection, TimeRange } from '../storage/interface.ts';
import { parseGroupBy } from './group-by.ts';
import type { GroupBy } from './group-by.ts';
import type { ProfileSelector, Report, ReportBody, ReportQuestion } from './interface.ts';
import { throwIfCancelled } from './merge-pool.ts';
import type { MergePool } from './merge-pool.ts';
import { groupRuns } from './run-lists.ts';
import type { GroupedRuns, PeriodRuns } from './run-lists.ts';
import { checkSumFits, isScaledByPeriod, scaledValueType } from './scaling.ts';
import { checkRange, resolveQuery } from './select.ts';
import { countSamples, summarize } from './summary.ts';

const nanosPerMilli = 1_000_000n;

/** Builds reports; keeps scratch memory between them. */
export class ReportAnswerer {
  private readonly querier: Querier;
  private readonly pool: MergePool;
  private readonly merger = new StackMerger();
  private readonly scratch = new TreeScratch();

  constructor(querier: Querier, pool: MergePool) {
    this.querier = querier;
    this.pool = pool;
  }

  async answer(question: ReportQuestion, signal: AbortSignal): Promise<Report> {
    const { select, report } = question;
    const groupBy = parseGroupBy(question.groupBy);
    const range = rangeOf(select);
    const { profileType, matchers } = await resolveQuery(select.query, this.querier);
    const seriesQuery = { matchers, profileType, range };
    const seriesLabels = report === 'metadata' ? await this.querier.labelNames(seriesQuery) : [];
    const selection = await this.querier.select(seriesQuery);
    throwIfCancelled(signal);
    if (select.mode === 'single' && selection.series.length === 0) {
      throw new AppError('not-found', 'could not find profile at requested time and selectors');
    }
    // Parca's exports turn counts into nanoseconds under a header that says counts; ours do not.
    const isScaled =
      select.mode === 'merge' && report !== 'profile' && isScaledByPeriod(profileType, selection);
    checkSumFits(selection, isScaled);
    const summary = summarize(selection, profileType, range);
    const { dictionary } = selection;
    const labelNames = report === 'flame-graph' ? groupBy.labelNames : [];
    const selected = await this.mergeGroups(selection, isScaled, labelNames, signal);
    const viewer = new StackViewer(dictionary, question.view ?? plainView, this.merger);
    const groups: StackGroup[] = [];
    let total = 0n;
    let filtered = 0n;
    for (const { labelValues, merged } of selected) {
      const viewed = viewer.apply(merged);
      groups.push({ labelValues, merged: viewed.merged });
      total += sumValues(viewed.merged.values);
      filtered += viewed.filtered;
    }
    const valueType = scaledValueType(profileType, isScaled);
    const sampleCount = countSamples(summary, profileType, total, isScaled);
    const head = { ...summary.times, sampleCount, profileType, valueType, total, filtered };
    return { ...head, ...this.build(question, groupBy, viewer.dictionary, groups, seriesLabels) };
  }

  private build(
    question: ReportQuestion,
    { labelNames, frameFields }: GroupBy,
    dictionary: Dictionary,
    groups: readonly StackGroup[],
    seriesLabels: readonly string[],
  ): ReportBody {
    switch (question.report) {
      case 'flame-graph':
      case 'nested-flame-graph':
      case 'flame-graph-table': {
        const identity =
          frameFields.size === 0 ? undefined : new FrameIdentity(dictionary, frameFields);
        const tree = buildCallTree(dictionary, groups, identity, this.scratch);
        const showAddress = frameFields.has('location_address');
        const options = { ...question, labelNames, showAddress };
        const graph = buildFlameGraph(dictionary, tree, groups, options);
        return { kind: question.report, graph };
      }
      case 'top': {
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        return { kind: 'top', top: buildTop(dictionary, tree) };
      }
      case 'table': {
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        return { kind: 'table', table: buildTable(dictionary, tree) };
      }
      case 'call-graph': {
        const tree = buildCallTree(dictionary, groups, undefined, this.scratch);
        return { kind: 'call-graph', graph: buildCallGraph(dictionary, tree) };
      }
      case 'profile':
        return { kind: 'profile', dictionary, stacks: groups[0].merged };
      case 'metadata': {
        const mappingFiles = mappingFilesOf(dictionary, groups[0].merged);
        return { kind: 'metadata', mappingFiles, labelNames: seriesLabels };
      }
      default:
        return assertUnreachable(question.report);
    }
  }

  /** One merge for each combination of label values; a single one without labels. */
  private async mergeGroups(
    selection: Selection,
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
      ? [{ labelValues: labelNames.map(() => ''), merged: empty }]
      : merged;
  }

  private async mergeRuns(
    { runs, factor }: PeriodRuns,
    { memories, isShared }: GroupedRuns,
    { segments }: Selection,
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

const empty: MergedStacks = { stacks: new Uint32Array(0), values: new BigInt64Array(0) };

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
