// Selects profiles from the store and merges them: one side of a diff, or a whole report.
import { AppError } from '../../base/errors.ts';
import { selectedSeriesBytes } from '../limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import { areNamesPending, type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import { formatProfileType, type ProfileType, type ValueType } from '../../model/profile-type.ts';
import { formatSumNote } from '../../model/sum-note.ts';
import { printSelector } from '../../promql-like/print.ts';
import type { ResolvedTypes } from '../../promql-like/resolve.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';
import { throwMissing } from '../notes/missing.ts';
import {
  checkMagnitude,
  isScalable,
  isScaledByPeriod,
  computeMagnitude,
  scaledValueType,
} from './scaling.ts';
import { summarize, type Summary } from './summary.ts';
import { AnswerCache, questionKey } from '../cache/answer-cache.ts';
import { RecordingQuerier } from '../running/recording-querier.ts';
import type { ResolvedSelection } from '../plan/plan.ts';
import {
  refuseIncrease,
  samplesWithin,
  splitRange,
  totalLength,
  withOffset,
} from '../plan/ranges.ts';
import type { QueryContext } from '../running/context.ts';
import { endingWith } from '../running/ending-querier.ts';
import { groupStacks, type GroupedStacks } from './grouped-stacks.ts';
import { checkCounts, selectIncrease, unknownSentence, withStarts } from './increase.ts';
import { JoiningTools } from './add-sums.ts';
import { selectRanges, type TypedQuery } from './joined-selection.ts';
import { readSampleFacts } from './samples-in.ts';

export interface MergeOptions {
  /** Labels to group by. Each combination of their values is a group. */
  readonly labelNames: readonly string[];
  /** True to group also by the time of profiles. */
  readonly byTime: boolean;
  /** True to convert numbers of samples to the values that they represent. */
  readonly scales: boolean;
  readonly listsSeriesLabels: boolean;
}

/** A selection and its merge. */
export interface MergedSelection {
  readonly summary: Summary;
  /** True if values were multiplied by their profiles' periods. */
  readonly isScaled: boolean;
  /** True if values are increases of counters. */
  readonly isIncrease: boolean;
  /** Types of the profiles, which all have the same meaning. */
  readonly profileTypes: ResolvedTypes;
  readonly valueType: ValueType;
  readonly stacks: GroupedStacks;
  /** Label names, if requested. */
  readonly seriesLabels: readonly string[];
  /** Approximate sum of the magnitudes of its profiles. */
  readonly magnitude: number;
  /** Sentences about data that should be in the merge but cannot be read. */
  readonly missing: readonly string[];
  /** Missing names; they do not affect the values. */
  readonly nameGaps: NameGaps;
  /** Sentences about a total that is not a real amount. */
  readonly notes: readonly string[];
}

/** The facts about a merge, without its stacks. */
export type SelectionFacts = Omit<MergedSelection, 'stacks'>;

/** Merges selections, or finds merges in the cache. */
export class SelectionMerger {
  readonly #querier: Querier;
  readonly #cache: MergeCache;
  readonly #tools = new JoiningTools();
  readonly #onDictionary: (dictionary: Dictionary) => void;

  /** `onDictionary` is called with each dictionary before rows that refer to it are merged. */
  constructor(
    querier: Querier,
    cacheBytesMax: number,
    onDictionary: (dictionary: Dictionary) => void,
  ) {
    this.#onDictionary = onDictionary;
    this.#cache = new MergeCache(cacheBytesMax);
    this.#querier = querier;
  }

  /**
   * Returns the merge, or an equal one from the cache.
   *
   * Errors: AppError 'not-found' if a single profile is requested and no profile has that time.
   */
  async merge(
    selection: ResolvedSelection,
    options: MergeOptions,
    context: QueryContext,
  ): Promise<MergedSelection> {
    // The key has no stages except `increase`, and no offset, because they do not affect the merge.
    const { profileTypes, selector, mode, increase } = selection;
    const types = profileTypes.map(formatProfileType);
    const name = printSelector({ profile: undefined, matchers: selector.matchers });
    const asked = readRanges(selection);
    const key = questionKey([types, name, mode, asked, increase !== undefined, options]);
    const kept = key === undefined ? undefined : await this.#cache.get(key);
    if (kept !== undefined) {
      context.recorder?.include(kept.recorder);
      return kept.merged;
    }
    const recorder = new RecordingQuerier(this.#querier);
    const merged = await this.#askStore(selection, asked, options, context, recorder);
    context.recorder?.include(recorder);
    if (key !== undefined) await this.#cache.put(key, merged, recorder);
    return merged;
  }

  async #askStore(
    { profileTypes, selector, mode, increase }: ResolvedSelection,
    { from, ranges, samples }: AskedRanges,
    { labelNames, byTime, scales, listsSeriesLabels }: MergeOptions,
    context: QueryContext,
    querier: Querier,
  ): Promise<MergedSelection> {
    const { matchers } = selector;
    // The first type stands for all types, because they have the same meaning.
    const [profileType] = profileTypes;
    const isIncrease = increase !== undefined;
    if (isIncrease) checkCounts(profileType, selector, increase);
    const query = { matchers, profileTypes };
    const seriesLabels = await listLabels(querier, query, listsSeriesLabels ? ranges : []);
    const read = isIncrease ? withStarts(ranges) : ranges;
    const ending = endingWith(querier, context.signal);
    using selection = await selectRanges(ending, query, read, this.#tools);
    context.throwIfAborted();
    const { budget } = context;
    const selectedBytes = selection.series.length * selectedSeriesBytes;
    budget.hold(selectedBytes);
    const arePeriodsRead = !isIncrease || (scales && isScalable(profileType));
    const facts = samples && (await readSampleFacts(selection, samples, context));
    const stored = facts?.periods ?? (arePeriodsRead ? await selection.periods(context) : []);
    const isScaled = scales && isScaledByPeriod(profileType, stored);
    const asked = { ranges, isScaled, isByStep: byTime, isTimed: true };
    const gained = isIncrease ? await selectIncrease(selection, asked, context) : undefined;
    if (mode === 'single' && (gained?.seriesCount ?? selection.series.length) === 0) {
      throwMissing('show this profile', selection.missing);
      throw new AppError('not-found', 'could not find profile at requested time and selectors');
    }
    const magnitude = gained?.magnitude ?? computeMagnitude(stored, isScaled);
    if (!isIncrease) await checkMagnitude(magnitude, selection, isScaled, context);
    const sums = await selection.merge(
      {
        groupBy: labelNames,
        byTime,
        timesPeriod: isScaled,
        steps: gained?.steps,
        samplesIn: samples,
        onDictionary: this.#onDictionary,
      },
      context,
    );
    const timelines = gained?.timelines ?? facts?.timelines ?? (await selection.timelines(context));
    budget.release(selectedBytes);
    const kind = { type: profileType, isOverTime: isIncrease || profileType.delta };
    const said = summarize(gained?.periods ?? stored, [...timelines.values()], kind, {
      from,
      lengthNanos: totalLength(samples === undefined ? ranges : [samples]),
    });
    const unknown = gained && unknownSentence(gained);
    const summary = {
      ...said,
      rowCount: gained === undefined ? said.rowCount : BigInt(gained.lastRowCount),
      unknown: unknown === undefined ? [] : [unknown],
    };
    return {
      summary,
      isScaled,
      isIncrease,
      profileTypes,
      magnitude,
      seriesLabels,
      valueType: scaledValueType(profileType, isScaled),
      stacks: groupStacks(sums),
      missing: selection.missing,
      nameGaps: selection.nameGaps ?? noNameGaps,
      notes: isIncrease ? [] : sumNotes(profileType, said.times, timelines.size),
    };
  }
}

/** Ranges that a query reads. */
interface AskedRanges {
  /** Start of the requested range. */
  readonly from: bigint;
  readonly ranges: readonly TimeRange[];
  /** Times of the samples to sum; undefined for whole profiles. */
  readonly samples: TimeRange | undefined;
}

/**
 * Returns the ranges that a selection reads. Errors: QueryError for samples of an increase; errors
 * of samplesWithin.
 */
function readRanges(selection: ResolvedSelection): AskedRanges {
  const { selector, mode, range, increase, samples: written } = selection;
  if (written === undefined) {
    const ranges = splitRange(selection);
    return { from: ranges.at(0)?.from ?? range.from, ranges, samples: undefined };
  }
  refuseIncrease(selector.text, increase);
  if (mode === 'single') {
    return { from: range.from, ranges: [range], samples: withOffset(written, selector) };
  }
  const within = samplesWithin(selection, written);
  const { profiles = [], samples } = within ?? {};
  return { from: samples?.from ?? range.from, ranges: profiles, samples };
}

/** Returns the label names of the series in `ranges`, sorted. */
async function listLabels(
  querier: Querier,
  { matchers, profileTypes }: TypedQuery,
  ranges: readonly TimeRange[],
): Promise<string[]> {
  const labels = new Set<string>();
  for (const range of ranges) {
    for (const profileType of profileTypes) {
      const names = await querier.labelNames({ matchers, profileType, range });
      for (const label of names) labels.add(label);
    }
  }
  return [...labels].sort();
}

function sumNotes(
  type: ProfileType,
  { profileCount, snapshots }: Summary['times'],
  seriesCount: number,
): string[] {
  const note = formatSumNote(type, { profileCount, snapshots, seriesCount });
  return note === undefined ? [] : [note];
}

/** A merge that may still be valid, with the record of the data that it read. */
interface KeptResult {
  readonly merged: MergedSelection;
  readonly recorder: RecordingQuerier;
}

interface KeptMerge {
  readonly merge: SelectionFacts;
  readonly groups: MergedSelection['stacks']['groups'];
  /**
   * The reference is weak, because the cache of blocks decides how long the symbols of a block stay
   * in memory.
   */
  readonly dictionary: WeakRef<Dictionary> | undefined;
  readonly recorder: RecordingQuerier;
}

/** Approximate memory of a group without its stacks. */
const groupBytes = 200;

/**
 * Caches merges by query, up to a size in bytes; 0 disables the cache. Another report of the same
 * stacks, such as a zoom, does not read the store again. Zooming into one service takes 5 ms
 * instead of 13 ms.
 */
class MergeCache {
  readonly #cache: AnswerCache<KeptMerge>;

  constructor(bytesMax: number) {
    this.#cache = new AnswerCache(bytesMax);
  }

  async get(key: string): Promise<KeptResult | undefined> {
    const kept = await this.#cache.get(key);
    if (kept === undefined) return undefined;
    const dictionary = kept.dictionary?.deref();
    if (dictionary === undefined && kept.dictionary !== undefined) return undefined;
    const stacks = { dictionary, groups: kept.groups };
    return { merged: { ...kept.merge, stacks }, recorder: kept.recorder };
  }

  /**
   * Caches a merge, unless it lacks parts or names, or the data that it was computed from has
   * changed.
   */
  async put(
    key: string,
    { stacks, ...merge }: MergedSelection,
    recorder: RecordingQuerier,
  ): Promise<void> {
    if (merge.missing.length > 0 || areNamesPending(merge.nameGaps)) return;
    const { dictionary, groups } = stacks;
    let bytes = 0;
    for (const { merged } of groups) {
      bytes += groupBytes + merged.stacks.byteLength + merged.values.byteLength;
    }
    const weak = dictionary && new WeakRef(dictionary);
    await this.#cache.put(key, { merge, groups, dictionary: weak, recorder }, bytes, recorder);
  }
}
