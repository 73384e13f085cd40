// Answers questions for reports: select, merge, and hand over to src/report.
import { AppError } from '../base/errors.ts';
import { StackMerger, sumValues } from '../model/merge.ts';
import { createNameMatcher } from '../model/name-matcher.ts';
import { unscaled } from '../report/base-ratio.ts';
import type { StackGroup } from '../report/call-tree.ts';
import { TreeScratch } from '../report/call-tree-builder.ts';
import { searchStacks } from '../report/name-search.ts';
import { StackViewer } from '../report/stack-view.ts';
import type { ViewedMerge } from '../report/stack-view.ts';
import type { Querier } from '../storage/interface.ts';
import { AnswerView, emptyStacks, inOneDictionary, inOrder } from './answer-stacks.ts';
import { buildReport, isChart } from './build-report.ts';
import { compareSides } from './comparison.ts';
import type { QueryContext } from './context.ts';
import { parseGroupBy } from './group-by.ts';
import type { GroupBy } from './group-by.ts';
import type { AnswerFacts, Report, ReportKind, ReportQuestion } from './interface.ts';
import type { MergePool } from './merge-pool.ts';
import { missingSentences } from './missing.ts';
import { planReport } from './plan.ts';
import type { PlannedSelection, ReportPlan } from './plan.ts';
import { SelectionMerger } from './selection-merger.ts';
import type { MergedSelection } from './selection-merger.ts';
import { countSamples } from './summary.ts';
import { ViewDictionary } from './view-dictionary.ts';
import { viewSide } from './viewed-side.ts';
import type { ViewedSide } from './viewed-side.ts';

/** Reports that tell groups by labels apart; others are of the whole selection. */
const labelledReports: ReadonlySet<ReportKind> = new Set(['flame-graph', 'profile']);

/** Merges what reports are made of, and makes them. */
export class ReportAnswerer {
  private readonly selections: SelectionMerger;
  private readonly merger = new StackMerger();
  private readonly builder = new ReportBuilder();
  private readonly views = new ViewDictionary();

  /** `cacheBytesMax`: merges that are kept for later questions. */
  constructor(querier: Querier, pool: MergePool, cacheBytesMax: number) {
    this.selections = new SelectionMerger(querier, pool, this.merger, cacheBytesMax);
  }

  async answer(question: ReportQuestion, context: QueryContext): Promise<Report> {
    return this.build(question, await this.merge(question, context));
  }

  /** Makes a report on this thread. */
  build(question: ReportQuestion, merges: readonly MergedSelection[]): Report {
    return this.builder.build(question, merges);
  }

  /** Merges what the report is made of: one selection, or what is compared and its base. */
  async merge(question: ReportQuestion, context: QueryContext): Promise<MergedSelection[]> {
    const { report } = question;
    const plan = planReport(question);
    const groupBy = parseGroupBy(plan.groupBy);
    const byTime = isChart(report, groupBy);
    if (byTime && plan.base !== undefined) {
      throw new AppError('invalid-argument', 'cannot compare over time: a diff has no timestamps');
    }
    const planned = sidesOf(plan);
    const options = {
      labelNames: groupedLabels(report, groupBy),
      byTime,
      // Parca's exports turn counts into nanoseconds under a header that says counts; ours do not.
      scales: report !== 'profile' && planned.some(({ mode }) => mode === 'merge'),
      listsSeriesLabels: report === 'metadata',
    };
    const view = new AnswerView(this.views, this.merger);
    const merges: MergedSelection[] = [];
    for (const side of planned) {
      merges.push(await this.selections.merge(side, options, view, context));
    }
    return merges;
  }
}

/** Makes reports of what was merged, on any thread; keeps scratch memory between them. */
export class ReportBuilder {
  private readonly merger = new StackMerger();
  private readonly scratch = new TreeScratch();
  private readonly views = new ViewDictionary();

  /** `merges` as of ReportAnswerer, for the same question. */
  build(question: ReportQuestion, merges: readonly MergedSelection[]): Report {
    const plan = planReport(question);
    const planned = sidesOf(plan);
    const groupBy = parseGroupBy(plan.groupBy);
    const labelNames = groupedLabels(question.report, groupBy);
    const view = new AnswerView(this.views, this.merger);
    const viewedSides = merges.map((merged, i) => viewSide(merged, planned[i].views, this.merger));
    const { dictionary, sides } = inOneDictionary(
      viewedSides.map(({ stacks }) => stacks),
      // What exists in this query alone does not belong among what all queries share.
      viewedSides.some(({ isRewritten }) => isRewritten)
        ? new AnswerView(new ViewDictionary(), this.merger)
        : view,
    );
    const isByTime = isChart(question.report, groupBy);
    const valueNames = isByTime ? [...labelNames, 'timestamp'] : labelNames;
    const [compared, baseGroups] = sides.map((groups) => withoutNone(groups, valueNames));
    const [selected, base] = viewedSides;
    const comparison =
      base === undefined
        ? undefined
        : compareSides(
            { selection: selected, total: totalOf(compared) },
            { selection: base, total: totalOf(baseGroups) },
            plan.baseScale,
          );
    const { seriesLabels } = selected;
    const ratio = comparison?.ratio ?? unscaled;
    const viewer = new StackViewer(dictionary, plan.views, this.merger);
    const matches = question.search && createNameMatcher(question.search);
    const paired = base === undefined ? compared : pairGroups(compared, baseGroups);
    const { groups, own, other } = viewGroups(paired, viewer);
    const head = {
      ...factsOf(selected, own),
      profileType: selected.profileType,
      valueType: selected.valueType,
      ...(base && { base: factsOf(base, other) }),
      ...(matches && { search: searchStacks(viewer.dictionary, groups, matches, ratio) }),
      missing: missingSentences(merges.flatMap((one) => one.missing)),
    };
    const parts = {
      ...{ dictionary: viewer.dictionary, groups, comparison, seriesLabels, top: plan.top },
      ...{ unit: selected.valueType.unit, period: selected.summary.times.period },
    };
    return { ...head, ...buildReport(question, groupBy, parts, this.scratch) };
  }
}

/** What a view leaves of a side, and what it drops. */
interface ViewedSums {
  total: bigint;
  filtered: bigint;
}

/** The groups as they are shown, and the sums of what is compared and of the other side. */
function viewGroups(
  paired: readonly StackGroup[],
  viewer: StackViewer,
): { groups: StackGroup[]; own: ViewedSums; other: ViewedSums } {
  const own = paired.map(({ merged }) => merged);
  const other = paired.flatMap(({ base }) => base ?? []);
  const viewed = viewer.apply([...own, ...other]);
  const ownViewed = viewed.slice(0, own.length);
  const otherViewed = viewed.slice(own.length);
  const groups = paired.map(({ labelValues, base }, i) => {
    const { merged } = ownViewed[i];
    // All groups have a base, or none.
    return base === undefined
      ? { labelValues, merged }
      : { labelValues, merged, base: otherViewed[i].merged };
  });
  return { groups, own: sumsOf(ownViewed), other: sumsOf(otherViewed) };
}

function sumsOf(viewed: readonly ViewedMerge[]): ViewedSums {
  let total = 0n;
  let filtered = 0n;
  for (const one of viewed) {
    total += sumValues(one.merged.values);
    filtered += one.filtered;
  }
  return { total, filtered };
}

function factsOf(
  { summary, profileType, isScaled, filtered: dropped }: ViewedSide,
  { total, filtered: hidden }: ViewedSums,
): AnswerFacts {
  const filtered = dropped + hidden;
  const sampleCount = countSamples(summary, profileType, total, isScaled);
  return { ...summary.times, sampleCount, total, filtered };
}

/** What is compared comes first. */
function sidesOf({ main, base }: ReportPlan): readonly PlannedSelection[] {
  return base === undefined ? [main] : [main, base];
}

/** Names of the labels that a report tells groups apart by. */
function groupedLabels(report: ReportKind, { labelNames }: GroupBy): readonly string[] {
  return labelledReports.has(report) ? labelNames : [];
}

/** At least one group, that of nothing when there is none. */
function withoutNone(
  groups: readonly StackGroup[],
  labelNames: readonly string[],
): readonly StackGroup[] {
  if (groups.length > 0) return groups;
  return [{ labelValues: labelNames.map(() => ''), merged: emptyStacks }];
}

function totalOf(groups: readonly StackGroup[]): bigint {
  return groups.reduce((sum, { merged }) => sum + sumValues(merged.values), 0n);
}

/** Groups of both sides by their labels, in order of these. */
function pairGroups(selected: readonly StackGroup[], base: readonly StackGroup[]): StackGroup[] {
  const keyOf = ({ labelValues }: StackGroup): string => JSON.stringify(labelValues);
  const byKey = new Map(selected.map((group) => [keyOf(group), group]));
  for (const group of base) {
    const { labelValues, merged } = group;
    const other = byKey.get(keyOf(group)) ?? { labelValues, merged: emptyStacks };
    byKey.set(keyOf(group), { ...other, base: merged });
  }
  return inOrder([...byKey.values()].map((group) => ({ base: emptyStacks, ...group })));
}
