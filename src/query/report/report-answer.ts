// Answers queries for reports: selects, merges, and builds the report.
import { type ColumnMemory, ownMemory } from '../../model/column-memory.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { JoinedDictionaries } from '../../model/dictionaries/joined-dictionary.ts';
import { StackMerger, sumValues, sumMagnitude } from '../../model/merge.ts';
import { joinNameGaps } from '../../model/name-gaps.ts';
import { createNameMatcher } from '../../model/pattern.ts';
import type { ResolvedTypes } from '../../promql-like/resolve.ts';
import { unscaled } from '../../report/base-ratio.ts';
import type { FunctionMeasure } from '../../report/changes.ts';
import { searchStacks } from '../../report/name-search.ts';
import type { StackView } from '../../report/stacks/stack-view.ts';
import { StackViewer, type ViewedMerge } from '../../report/stacks/viewed-stacks.ts';
import { TreeScratch } from '../../report/tree/call-tree-builder.ts';
import type { CallTree, StackGroup } from '../../report/tree/call-tree.ts';
import type { Querier } from '../../storage/interface.ts';
import { groupNotes } from '../notes/group-notes.ts';
import { missingSentences } from '../notes/missing.ts';
import { areCountsMixed } from '../merge/scaling.ts';
import { countSamples } from '../merge/summary.ts';
import type { AnswerFacts, Report, ReportHead } from '../interface.ts';
import { emptyStacks, inOneDictionary, inOrder } from '../merge/grouped-stacks.ts';
import {
  SelectionMerger,
  type MergedSelection,
  type MergeOptions,
  type SelectionFacts,
} from '../merge/selection-merger.ts';
import type { BuildPlan } from '../plan/build-plan.ts';
import type { ReportPlan, ResolvedSelection } from '../plan/plan.ts';
import { splitRange } from '../plan/ranges.ts';
import { resolveSides } from '../plan/select.ts';
import type { QueryContext } from '../running/context.ts';
import { endingWith } from '../running/ending-querier.ts';
import { buildReport, type ReportParts } from '../report-kinds.ts';
import { compareSides, type Comparison, computeLoad, rankSides } from './comparison.ts';
import { buildTree, showFrames } from './report-tree.ts';

/** Merges the data for reports, and builds them. */
export class ReportAnswerer {
  readonly #querier: Querier;
  readonly #selections: SelectionMerger;
  readonly #builder = new ReportBuilder();
  readonly #keepsCounts: boolean;

  /**
   * `cacheBytesMax` limits the cache of merges. `onDictionary` is called with a dictionary before
   * its stacks are merged. For `keepsCounts`, see QueryEngineParts.
   */
  constructor(
    querier: Querier,
    cacheBytesMax: number,
    options: {
      readonly onDictionary?: (dictionary: Dictionary) => void;
      readonly keepsCounts?: boolean;
    } = {},
  ) {
    const { onDictionary = () => undefined, keepsCounts = false } = options;
    this.#keepsCounts = keepsCounts;
    this.#querier = querier;
    this.#selections = new SelectionMerger(querier, cacheBytesMax, onDictionary);
  }

  async answer(plan: ReportPlan, context: QueryContext): Promise<Report> {
    return this.build(plan.build, await this.merge(plan, context));
  }

  /** Builds a report on this thread. */
  build(plan: BuildPlan, merges: readonly MergedSelection[]): Report {
    return this.#builder.build(plan, merges);
  }

  /** Merges the selections of a report. `types` are the resolved profile types of the query. */
  async merge(
    { selections, grouped, build }: ReportPlan,
    context: QueryContext,
    types?: ResolvedTypes,
  ): Promise<MergedSelection[]> {
    const { report, labelNames, baseScale } = build;
    const options = {
      labelNames,
      byTime: build.tree.isChart,
      // Parca's exports convert counts to nanoseconds, but their header still says that values are
      // counts. Our exports have counts if all counts have the same meaning, and otherwise the
      // values that they represent; the header names the right unit. A scaled base never has
      // counts, because fractions of samples would be lost.
      scales:
        !this.#keepsCounts &&
        (report === 'profile'
          ? selections.length > 1 && baseScale !== 'none'
          : selections.some(({ mode }) => mode === 'merge')),
      listsSeriesLabels: report === 'metadata',
    };
    const sides =
      types === undefined
        ? await resolveSides(
            selections,
            endingWith(context.recorder ?? this.#querier, context.signal),
          )
        : selections.map((side) => ({ ...side, profileTypes: types }));
    const { bytesHeld } = context.budget;
    let merges = await this.#mergeSides(sides, options, context);
    if (!options.scales && areCountsMixed(merges)) {
      context.budget.startAgain(bytesHeld);
      merges = await this.#mergeSides(sides, { ...options, scales: true }, context);
    }
    return this.#withGroupNotes(grouped, sides[0], merges, context);
  }

  /** Adds a note to the first merge for each label that the query groups by but no profile has. */
  async #withGroupNotes(
    grouped: readonly string[],
    side: ResolvedSelection,
    merges: MergedSelection[],
    { recorder, signal }: QueryContext,
  ): Promise<MergedSelection[]> {
    const { selector, profileTypes } = side;
    const selected = { matchers: selector.matchers, profileTypes, ranges: splitRange(side) };
    const notes = await groupNotes(grouped, selected, recorder ?? this.#querier, signal);
    if (notes.length === 0) return merges;
    const [first, ...others] = merges;
    return [{ ...first, notes: [...first.notes, ...notes] }, ...others];
  }

  async #mergeSides(
    sides: readonly ResolvedSelection[],
    options: MergeOptions,
    context: QueryContext,
  ): Promise<MergedSelection[]> {
    const merges: MergedSelection[] = [];
    for (const side of sides) merges.push(await this.#selections.merge(side, options, context));
    return merges;
  }
}

/** Stacks as they are shown, and their statistics. */
interface PreparedReport {
  /** Head of the report, without the results of a search. */
  readonly head: ReportHead;
  readonly parts: ReportParts;
}

/** Builds reports from merges, on any thread. It keeps scratch memory between reports. */
export class ReportBuilder {
  readonly #merger = new StackMerger();
  readonly #scratch = new TreeScratch();
  readonly #dictionaries = new JoinedDictionaries();

  /**
   * Builds a report, which is valid as long as `memory` is not reused. `merges` must come from
   * ReportAnswerer for the same plan.
   */
  build(
    plan: BuildPlan,
    merges: readonly MergedSelection[],
    memory: ColumnMemory = ownMemory,
  ): Report {
    const { search } = plan;
    const { head, parts } = this.#prepare(plan, merges, memory);
    const matches = search && createNameMatcher(search);
    const { ratio } = parts;
    return {
      ...head,
      ...(matches && { search: searchStacks(parts.dictionary, parts.groups, matches, ratio) }),
      ...buildReport(plan.report, parts, plan),
    };
  }

  /** Does the work that is common to all kinds of reports. */
  #prepare(
    plan: BuildPlan,
    merges: readonly MergedSelection[],
    memory: ColumnMemory,
  ): PreparedReport {
    const { labelNames, tree: kind } = plan;
    const viewedSides = merges.map((merged, i) =>
      viewSide(merged, plan.sideViews[i], this.#merger),
    );
    // Stacks that exist only in this query must not be added to dictionaries that queries share.
    const isOwn = viewedSides.some(({ isRewritten }) => isRewritten);
    const { dictionary, sides } = inOneDictionary(
      viewedSides.map(({ stacks }) => stacks),
      isOwn ? new JoinedDictionaries() : this.#dictionaries,
      this.#merger,
    );
    const valueNames = kind.isChart ? [...labelNames, 'timestamp'] : labelNames;
    const [compared, baseGroups] = sides.map((groups) => withoutNone(groups, valueNames));
    const [selected, base] = viewedSides;
    const comparison =
      base && compareMerges(plan, dictionary, [selected, compared], [base, baseGroups]);
    const viewer = new StackViewer(dictionary, plan.views, this.#merger);
    const paired = base === undefined ? compared : pairGroups(compared, baseGroups);
    const { groups, own, other } = viewGroups(paired, viewer);
    const head = {
      ...toFacts(selected, own),
      profileType: selected.profileTypes[0],
      profileTypes: selected.profileTypes,
      valueType: selected.valueType,
      ...(base && { base: toFacts(base, other), load: comparison?.load }),
      missing: missingSentences(merges.flatMap((one) => unavailableData(one, plan.report))),
      nameGaps: joinNameGaps(merges.map(({ nameGaps }) => nameGaps)),
      notes: [...new Set(merges.flatMap(({ notes }) => notes))],
    };
    const { period } = selected.summary.times;
    const shown = { dictionary: viewer.dictionary, groups, memory };
    const { unit } = head.valueType;
    const tree = (): CallTree => buildTree({ ...shown, unit, period }, kind, this.#scratch);
    const parts = {
      ...shown,
      ratio: comparison?.ratio ?? unscaled,
      seriesLabels: selected.seriesLabels,
      tree,
      frames: () => showFrames(shown, kind, this.#scratch),
      marks: (rowCount: number) => this.#scratch.marks(rowCount),
      changes:
        comparison &&
        ((ranked: CallTree, measure: FunctionMeasure) =>
          rankSides(viewer.dictionary, ranked, groups, comparison, measure)),
    };
    return { head, parts };
  }
}

/**
 * Returns the sentences about data that a merge lacks. For functions over time, sentences about
 * what is unknown are left out, because they are reported once for the complete range.
 */
function unavailableData(
  { missing, summary }: MergedSelection,
  report: Report['kind'],
): readonly string[] {
  return report === 'functions' ? missing : [...missing, ...summary.unknown];
}

type SideStacks = readonly [side: MergedSelection, groups: readonly StackGroup[]];

function compareMerges(
  { baseScale }: BuildPlan,
  dictionary: Dictionary,
  ...sides: readonly SideStacks[]
): Comparison {
  const [compared, base] = sides.map(([side, groups]) => {
    return { selection: withoutStacks(side), total: sumGroups(groups), groups };
  });
  const load = computeLoad(dictionary, compared, base);
  // Only these fields are passed on. Otherwise the groups would stay in memory.
  const [own, other] = [compared, base].map(({ selection, total }) => ({ selection, total }));
  return compareSides(own, other, baseScale, load);
}

/**
 * Returns a selection without its stacks. A comparison does not need them, and they would stay in
 * memory.
 */
function withoutStacks(selection: MergedSelection): SelectionFacts {
  const { summary, isScaled, isIncrease, profileTypes, valueType, magnitude } = selection;
  const { seriesLabels, missing, nameGaps, notes } = selection;
  return {
    summary,
    isScaled,
    isIncrease,
    profileTypes,
    valueType,
    magnitude,
    seriesLabels,
    missing,
    nameGaps,
    notes,
  };
}

/** The stacks of a side that remain after a view, and the sum of the dropped stacks. */
interface ViewedSums {
  total: bigint;
  filtered: bigint;
}

/** Returns the groups as they are shown, and the sums of both sides. */
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
    // Either all groups have a base, or no group has one.
    return base === undefined
      ? { labelValues, merged }
      : { labelValues, merged, base: otherViewed[i].merged };
  });
  return { groups, own: sumViewed(ownViewed), other: sumViewed(otherViewed) };
}

function sumViewed(viewed: readonly ViewedMerge[]): ViewedSums {
  let total = 0n;
  let filtered = 0n;
  for (const one of viewed) {
    total += sumValues(one.merged.values);
    filtered += one.filtered;
  }
  return { total, filtered };
}

function toFacts(
  { summary, profileTypes, isScaled, filtered: dropped }: ViewedSide,
  { total, filtered: hidden }: ViewedSums,
): AnswerFacts {
  const filtered = dropped + hidden;
  const sampleCount = countSamples(summary, profileTypes, total, isScaled);
  return { ...summary.times, sampleCount, total, filtered };
}

/** Returns the groups; if there are none, returns one empty group. */
function withoutNone(
  groups: readonly StackGroup[],
  labelNames: readonly string[],
): readonly StackGroup[] {
  if (groups.length > 0) return groups;
  return [{ labelValues: labelNames.map(() => ''), merged: emptyStacks }];
}

function sumGroups(groups: readonly StackGroup[]): bigint {
  return groups.reduce((sum, { merged }) => sum + sumValues(merged.values), 0n);
}

/** Pairs the groups of both sides by their labels, and sorts the pairs by their labels. */
function pairGroups(selected: readonly StackGroup[], base: readonly StackGroup[]): StackGroup[] {
  const toKey = ({ labelValues }: StackGroup): string => JSON.stringify(labelValues);
  const byKey = new Map(selected.map((group) => [toKey(group), group]));
  for (const group of base) {
    const { labelValues, merged } = group;
    const other = byKey.get(toKey(group)) ?? { labelValues, merged: emptyStacks };
    byKey.set(toKey(group), { ...other, base: merged });
  }
  return inOrder([...byKey.values()].map((group) => ({ base: emptyStacks, ...group })));
}

/** One side after its stages: the stacks, totals and magnitudes that remain. */
interface ViewedSide extends MergedSelection {
  /** Sum of the stacks that were dropped. */
  readonly filtered: bigint;
  /** True if only this query uses its dictionary. */
  readonly isRewritten: boolean;
}

/** Applies views to a single side; the result is valid until the next await. */
function viewSide(
  merged: MergedSelection,
  views: readonly StackView[],
  merger: StackMerger,
): ViewedSide {
  const { dictionary } = merged.stacks;
  if (dictionary === undefined || views.length === 0) {
    return { ...merged, filtered: 0n, isRewritten: false };
  }
  const viewer = new StackViewer(dictionary, views, merger);
  const viewed = viewer.apply(merged.stacks.groups.map((group) => group.merged));
  let filtered = 0n;
  let magnitude = 0;
  for (const one of viewed) {
    filtered += one.filtered;
    magnitude += sumMagnitude(one.merged.values);
  }
  const groups = merged.stacks.groups.map(({ labelValues }, i) => {
    return { labelValues, merged: viewed[i].merged };
  });
  const isRewritten = viewer.dictionary !== dictionary;
  const stacks = { dictionary: viewer.dictionary, groups };
  return { ...merged, stacks, filtered, magnitude, isRewritten };
}
