// Answers queries for the metrics graph: values of profiles over time, in buckets.
import { AppError } from '../../base/errors.ts';
import { selectedSeriesBytes } from '../limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { nameGapSentences, noNameGaps } from '../../model/name-gaps.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import { formatLineNote } from '../../model/sum-note.ts';
import { dropsStacks, type StackView } from '../../report/stacks/stack-view.ts';
import type {
  LineOverTime,
  Querier,
  SelectedSeries,
  Selection,
  StackFilter,
} from '../../storage/interface.ts';
import { groupNotes } from '../notes/group-notes.ts';
import { missingSentences, throwMissing } from '../notes/missing.ts';
import { checkMagnitude, isScalable, isScaledByPeriod } from '../merge/scaling.ts';
import type { MetricsSeries, RangeAnswer, RangeQuestion } from '../interface.ts';
import { checkCounts, selectIncrease, unknownSentence, withStarts } from '../merge/increase.ts';
import { selectRanges } from '../merge/joined-selection.ts';
import { planRange, type RangePlan } from '../plan/plan.ts';
import { totalLength, splitRange } from '../plan/ranges.ts';
import { resolveSelector } from '../plan/select.ts';
import type { QueryContext } from '../running/context.ts';
import { joinByFirstLabels } from './first-label.ts';
import {
  computeAverages,
  type LineKind,
  type LineOptions,
  findOwnDivisor,
  computeValues,
} from './line-values.ts';
import type { BucketGrid } from './covered-rates.ts';
import { coveredTimes, makeGrid, listProfiles, type TimesQuestion } from './covered-times.ts';
import { grown } from '../../model/column.ts';
import { ViewedStacks } from '../../report/stacks/viewed-stacks.ts';

const nothingFound =
  'No data found for the query, try a different query or time range or no data has been ' +
  'written to be queried yet.';

/**
 * Answers one query. Values of delta types are summed over each bucket, by the labels in `sumBy`.
 * For other types, each bucket has the earliest value of every series. These values are summed by
 * `sumBy`; without labels in `sumBy`, each series is a line. With a step of 0, each distinct time
 * is a bucket.
 */
export async function answerRange(
  question: RangeQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<RangeAnswer> {
  const plan = planRange(question);
  const { stepNanos, averages: isAveraged = false } = question;
  if (stepNanos < 0n) {
    throw new AppError('invalid-argument', `step must not be negative, got ${stepNanos}`);
  }
  const { profileTypes, matchers } = await resolveSelector(plan, querier);
  // All types have the same meaning.
  const [profileType] = profileTypes;
  if (plan.increase !== undefined) checkCounts(profileType, plan.selector, plan.increase);
  const isIncrease = plan.increase !== undefined;
  const ranges = splitRange(plan);
  const selected = isIncrease ? withStarts(ranges) : ranges;
  using selection = await selectRanges(querier, { matchers, profileTypes }, selected);
  context.throwIfAborted();
  context.budget.hold(selection.series.length * selectedSeriesBytes);
  if (selection.series.length === 0) throw nothingToShow(selection);
  const isOverTime = isIncrease || profileType.delta;
  const isScaled =
    isOverTime &&
    isScalable(profileType) &&
    isScaledByPeriod(profileType, await selection.periods(context));
  const asked = { ranges, isScaled, isByStep: true, isTimed: isAveraged, keepsRecords: isAveraged };
  const gained = isIncrease ? await selectIncrease(selection, asked, context) : undefined;
  const kind: LineKind = isIncrease ? 'increase' : profileType.delta ? 'delta' : 'state';
  const { offsetNanos } = plan;
  const grid = isAveraged ? makeGrid(ranges, stepNanos, offsetNanos) : undefined;
  const { lines: read, magnitude } = await selection.overTime(
    {
      stepNanos,
      offsetNanos,
      timesPeriod: isScaled,
      groupBy: plan.sumBy.length === 0 && kind === 'state' ? undefined : plan.sumBy,
      isFirstOnly: kind === 'state' && grid === undefined,
      keeps: viewFilter(plan.views),
      steps: gained?.steps,
      tellsShares: isAveraged,
    },
    context,
  );
  if (gained === undefined) await checkMagnitude(magnitude, selection, isScaled, context);
  const lines = joinLines(read, question, plan);
  const options = { profileType, isScaled, kind, stepNanos };
  const all = isAveraged
    ? await valuesByTime(lines, options, {
        grid,
        timelines: gained?.timelines ?? (await selection.timelines(context)),
        profiles: gained === undefined ? selection.profiles(context) : listProfiles(gained),
        isInParts: gained === undefined && ranges.length > 1,
        kind,
        rangeNanos: totalLength(ranges),
        context,
      })
    : lines.map((line) => computeValues(line, options).series);
  const { nameGaps = noNameGaps } = selection;
  const shown = all.filter(({ timeNanos }) => timeNanos.length > 0);
  const series = limitSeries(shown, plan.limit);
  const unknown = gained && unknownSentence(gained);
  if (series.length === 0) throw nothingToShow(selection, unknown ?? nameGapSentences(nameGaps)[0]);
  const missing = unknown === undefined ? selection.missing : [...selection.missing, unknown];
  const grouped = { matchers, profileTypes, ranges };
  const notes = [
    ...sumNotes(profileType, selection.series, isIncrease),
    ...(await groupNotes(plan.grouped, grouped, querier, context.signal)),
  ];
  return { profileTypes, series, missing: missingSentences(missing), nameGaps, notes };
}

/** Joins lines by the first labels that they have, if the query requests it. */
function joinLines(
  lines: readonly LineOverTime[],
  { isByFirstLabel = false, firstOf, stepNanos }: RangeQuestion,
  { sumBy }: RangePlan,
): readonly LineOverTime[] {
  const lists = isByFirstLabel ? [sumBy] : firstOf;
  return lists === undefined ? lines : joinByFirstLabels(lines, lists, stepNanos);
}

/** Returns the sentence about totals that are not real amounts. */
function sumNotes(
  type: ProfileType,
  series: readonly SelectedSeries[],
  isIncrease: boolean,
): string[] {
  if (isIncrease) return [];
  const profileCount = series.reduce((sum, one) => sum + one.profileCount, 0);
  const note = formatLineNote(type, { profileCount, seriesCount: series.length });
  return note === undefined ? [] : [note];
}

/** Returns lines with their averages, over the covered time if there is a grid. */
async function valuesByTime(
  lines: readonly LineOverTime[],
  options: LineOptions,
  { grid, ...times }: Omit<TimesQuestion, 'grid'> & { readonly grid: BucketGrid | undefined },
): Promise<MetricsSeries[]> {
  const { timelines, kind, rangeNanos } = times;
  const isOverTime = kind !== 'state';
  const averages = computeAverages(lines, timelines, isOverTime, rangeNanos);
  const findCovered = grid && (await coveredTimes(lines, { grid, ...times }));
  return lines.map((line, i) => {
    const { series, rates } = computeValues(line, options, findCovered?.(i));
    const own = findOwnDivisor(line, timelines, isOverTime, rangeNanos);
    const covered = rates && { ...rates, ...own };
    return { ...series, average: averages[i], ...(covered === undefined ? {} : { covered }) };
  });
}

/** Returns the filter for stacks that remain after the views; undefined if all remain. */
function viewFilter(views: readonly StackView[]): ((of: Dictionary) => StackMask) | undefined {
  const dropping = droppingViews(views);
  if (dropping.length === 0) return undefined;
  return (dictionary) => new StackMask(dictionary, dropping);
}

function nothingToShow({ missing }: Selection, unknown?: string): AppError {
  throwMissing('show profiles over time', missing);
  return new AppError('not-found', unknown === undefined ? nothingFound : `No data: ${unknown}.`);
}

/**
 * Returns the series with the largest values, at most `limit` (0 = all), in their original order.
 */
function limitSeries(all: MetricsSeries[], limit: number): MetricsSeries[] {
  if (limit === 0 || all.length <= limit) return all;
  const largest = new Map(all.map((series) => [series, series.value.reduce(larger)]));
  const ranked = all.toSorted((a, b) => Number((largest.get(b) ?? 0n) - (largest.get(a) ?? 0n)));
  const kept = new Set(ranked.slice(0, limit));
  return all.filter((series) => kept.has(series));
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

const dropped = 1;
const kept = 2;

/** Decides which stacks of a dictionary remain. The dictionary may grow in the meantime. */
class StackMask implements StackFilter {
  readonly #dictionary: Dictionary;
  readonly #viewed: ViewedStacks;
  /** Decision for each stack; 0 = not decided yet. */
  #known: Uint8Array;

  constructor(dictionary: Dictionary, views: readonly StackView[]) {
    this.#dictionary = dictionary;
    this.#viewed = new ViewedStacks(dictionary, views);
    this.#known = new Uint8Array(dictionary.stacks.length);
  }

  /**
   * Returns true if any frame of a stack remains after the views.
   *
   * Errors: AppError 'data-loss' for a stack that is not in the dictionary.
   */
  keeps(stack: number): boolean {
    const known = this.#known[stack];
    return known === kept || (known !== dropped && this.#decide(stack));
  }

  #decide(stack: number): boolean {
    const { length } = this.#dictionary.stacks;
    if (stack >= length) {
      throw new AppError('data-loss', `cannot read rows: they have stack ${stack} of ${length}`);
    }
    this.#known = grown(this.#known, length);
    const isKept = this.#viewed.view(stack) !== -1;
    this.#known[stack] = isKept ? kept : dropped;
    return isKept;
  }
}

/** Returns the views up to the last view that drops stacks. Later views do not change totals. */
function droppingViews(views: readonly StackView[]): readonly StackView[] {
  return views.slice(0, views.findLastIndex(dropsStacks) + 1);
}
