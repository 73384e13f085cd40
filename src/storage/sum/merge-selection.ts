// Sums a selection by stack. Works part by part, in batches, and in workers if the selection is
// large.
import { forEachAtOnce } from '../../base/at-once.ts';
import {
  mergeBatchBytesMax,
  mergeBatchRowsMax,
  mergeInWorkerRowsMin,
  slicesReadAtOnce,
} from '../limits.ts';
import type { JoinedDictionaries } from '../../model/dictionaries/joined-dictionary.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { StackMerger } from '../../model/merge.ts';
import {
  copyColumns,
  noProfiles,
  type ProfileColumns,
} from '../../model/profiles/profile-columns.ts';
import { partsOfSteps, stepsAt } from '../../model/profiles/steps.ts';
import type { MergeQuestion, ReadContext, StackSums, TimeRange } from '../interface.ts';
import type { RowSource, SelectedPart, SeriesSlice } from '../selection.ts';
import { chooseProfiles } from './chosen-profiles.ts';
import type { ChunkSummer } from './chunk-sums.ts';
import { GroupSums } from './group-sums.ts';
import type { MergePool } from './merge-pool.ts';
import { PartMerge } from './part-merge.ts';
import { checkRowsAreThere } from './range-rows.ts';
import { type SliceRows, RowGrouper } from './row-grouper.ts';
import {
  noteGone,
  type MissingSentences,
  readNowOrNote,
  readOrNote,
  type SumSeries,
} from './spans.ts';
import { StepReads } from './step-reads.ts';
import { chooseTimed, timedGroups } from './timed-profiles.ts';

/** Tools for summing that all queries share. */
export interface SumTools {
  /** Pool of workers; undefined if all rows are summed on the calling thread. */
  readonly pool: MergePool | undefined;
  readonly merger: StackMerger;
  readonly summer: ChunkSummer;
  readonly dictionaries: JoinedDictionaries;
}

/** Rows to sum. */
export interface SummedRows extends MissingSentences {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly SumSeries[];
}

/**
 * Minimum number of rows above which a merge waits 0.2 s for workers to start. Summing 4 million
 * rows on the main thread would block other work for 10 ms.
 */
const mergeInNewWorkerRowsMin = 4_000_000;

/** Answers Selection.merge. */
export async function mergeSelection(
  selection: SummedRows,
  question: MergeQuestion,
  tools: SumTools,
  context: ReadContext,
): Promise<StackSums> {
  const { steps, samplesIn } = question;
  // If only samples in a range are summed, rows are counted later, when it is known which profiles
  // have such samples.
  const rowCount = samplesIn === undefined ? await countRows(selection, question, context) : 0;
  context.budget.selectRows(rowCount);
  // For fewer rows, starting workers would take longer than summing the rows here.
  const { pool } = tools;
  const isLarge =
    pool !== undefined &&
    rowCount >= mergeInWorkerRowsMin &&
    (pool.wake() || rowCount >= mergeInNewWorkerRowsMin);
  const reads = steps && new StepReads();
  const merge = new SelectionMerge(selection, question, { ...tools, isLarge }, reads, context);
  if (reads === undefined || steps === undefined) return merge.run();
  for (const { profileCount } of steps.values()) reads.expect(profileCount);
  return reads.readAll(selection, () => merge.run());
}

/**
 * Counts the rows to read. The number comes from digests, which are computed for this, or from the
 * profiles that steps need.
 */
async function countRows(
  { series }: SummedRows,
  { steps }: MergeQuestion,
  context: ReadContext,
): Promise<number> {
  let rowCount = 0;
  if (steps !== undefined) {
    for (const own of steps.values()) rowCount += own.rowCount;
    return rowCount;
  }
  for (const { slices } of series) {
    for (const slice of slices) rowCount += slice.digest().rowCount;
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  return rowCount;
}

interface ReadSlice {
  readonly series: SumSeries;
  readonly slice: SeriesSlice;
}

/** One merge. */
class SelectionMerge {
  readonly #selection: SummedRows;
  readonly #question: MergeQuestion;
  readonly #tools: SumTools & { readonly isLarge: boolean };
  readonly #reads: StepReads | undefined;
  readonly #context: ReadContext;
  readonly #grouper: RowGrouper;
  /** Number of rows currently in the grouper. */
  #rowsGrouped = 0;

  constructor(
    selection: SummedRows,
    question: MergeQuestion,
    tools: SumTools & { readonly isLarge: boolean },
    reads: StepReads | undefined,
    context: ReadContext,
  ) {
    this.#selection = selection;
    this.#question = question;
    this.#tools = tools;
    this.#reads = reads;
    this.#context = context;
    const { groupBy, timesPeriod, byTime } = question;
    this.#grouper = new RowGrouper(groupBy, timesPeriod, tools.summer, byTime);
  }

  /** Sums part by part, so that only the symbols of one part are needed at a time. */
  async run(): Promise<StackSums> {
    const selection = this.#selection;
    const context = this.#context;
    const { missing } = selection;
    const tools = { ...this.#tools, context };
    const sums = new GroupSums(tools.dictionaries, tools.merger, context);
    const slices = slicesByPart(selection);
    for (const [row, part] of selection.parts.entries()) {
      if (slices[row].length === 0) continue;
      const dictionary = await readOrNote(selection, () => part.dictionary());
      if (dictionary === undefined) continue;
      this.#question.onDictionary?.(dictionary);
      const merge = new PartMerge(dictionary, missing, tools);
      await forEachAtOnce(slices[row], slicesReadAtOnce, (one) =>
        this.#addSlice(one, dictionary, merge),
      );
      await this.#mergeGrouped(merge);
      await sums.add(dictionary, merge.finish());
    }
    return sums.finish();
  }

  /**
   * Adds a slice. If its rows are in memory, does so synchronously: promises would double the time
   * for a series of a head. Returns undefined if there is nothing to wait for.
   */
  #addSlice(one: ReadSlice, dictionary: Dictionary, merge: PartMerge): Promise<void> | undefined {
    const { series, slice } = one;
    const grouper = this.#grouper;
    const { samplesIn } = this.#question;
    if (samplesIn !== undefined) return this.#addSamples(one, samplesIn, dictionary, merge);
    if (this.#question.steps !== undefined || grouper.isByTime) {
      return this.#readAndAdd(one, dictionary, merge, undefined);
    }
    const sources = readNowOrNote(this.#selection, () => slice.rows(true), []);
    if (sources instanceof Promise || sources.some((source) => grouper.needsRows(source, slice))) {
      return this.#readAndAdd(one, dictionary, merge, sources);
    }
    const labels = this.#question.groupBy.length === 0 ? [] : series.labels;
    return this.#addRows({ labels, slice, sources, dictionary }, slice, merge);
  }

  async #readAndAdd(
    one: ReadSlice,
    dictionary: Dictionary,
    merge: PartMerge,
    sources: readonly RowSource[] | Promise<readonly RowSource[]> | undefined,
  ): Promise<void> {
    const rows = await this.#readSlice(one, sources);
    if (rows !== undefined) await this.#addRows({ ...rows, dictionary }, one.slice, merge);
  }

  /** Adds the samples of a slice that are in a time range, a few profiles at a time. */
  async #addSamples(
    { series: { labels }, slice }: ReadSlice,
    range: TimeRange,
    dictionary: Dictionary,
    merge: PartMerge,
  ): Promise<void> {
    const selection = this.#selection;
    const context = this.#context;
    const profiles = await readProfiles(selection, slice);
    const times = await readOrNote(selection, () => slice.sampleTimes());
    const isChosen = await readOrNote(selection, () => chooseTimed(profiles, times, range));
    if (isChosen?.includes(1) !== true) return;
    const sources = (await readOrNote(selection, () => slice.rows(false))) ?? [];
    const { rowCount } = slice.digest();
    const rowsOfOne = Math.ceil(rowCount / slice.profileCount);
    try {
      for (const group of timedGroups({ sources, profiles }, times, isChosen, range)) {
        context.throwIfAborted();
        const { profileCount } = group.profiles;
        context.budget.selectRows(profileCount * rowsOfOne);
        const { sources: own, profiles: ofGroup } = group;
        this.#grouper.add({
          labels,
          slice,
          dictionary,
          sources: own,
          profiles: ofGroup,
          samples: group,
        });
        this.#rowsGrouped += profileCount * rowsOfOne;
        const waiting = this.#isFull() ? this.#mergeGrouped(merge) : context.pause();
        if (waiting !== undefined) await waiting;
      }
    } catch (error) {
      noteGone(selection, error);
    }
  }

  #addRows(rows: SliceRows, slice: SeriesSlice, merge: PartMerge): Promise<void> | undefined {
    const context = this.#context;
    context.throwIfAborted();
    try {
      this.#group(rows);
    } catch (error) {
      noteGone(this.#selection, error);
    }
    const isByStep = this.#reads !== undefined;
    this.#rowsGrouped += isByStep ? (rows.profiles?.profileCount ?? 0) : slice.digest().rowCount;
    return this.#isFull() ? this.#mergeGrouped(merge) : context.pause();
  }

  /**
   * Finds the rows of a slice; undefined if no row is needed. `known` is the result of `rows(true)`
   * if that was already called.
   */
  async #readSlice(
    { series, slice }: ReadSlice,
    known: readonly RowSource[] | Promise<readonly RowSource[]> | undefined,
  ): Promise<Omit<SliceRows, 'dictionary'> | undefined> {
    const selection = this.#selection;
    const grouper = this.#grouper;
    const { labels } = series;
    if (this.#question.steps === undefined) {
      const profiles = grouper.isByTime ? await readProfiles(selection, slice) : undefined;
      const sources = await readRows(selection, slice, grouper, known);
      return { labels, slice, sources, ...(profiles && { profiles }) };
    }
    const steps = this.#question.steps.get(series)?.steps;
    if (steps === undefined) return undefined;
    // Profiles that cannot be read do not matter if no step needs them.
    const profiles = await readProfiles({ missing: [] }, slice);
    if (partsOfSteps(steps, profiles).profileCount === 0) return undefined;
    const sources = (await readOrNote(selection, () => slice.rows(false))) ?? [];
    return { labels, slice, sources, profiles, steps };
  }

  #group(rows: SliceRows): void {
    const { profiles, steps } = rows;
    if (profiles === undefined || steps === undefined) this.#grouper.add(rows);
    else this.#reads?.note(addSteps({ ...rows, profiles, steps }, this.#grouper));
  }

  #isFull(): boolean {
    return this.#grouper.heldBytes >= mergeBatchBytesMax || this.#rowsGrouped >= mergeBatchRowsMax;
  }

  async #mergeGrouped(merge: PartMerge): Promise<void> {
    const { budget } = this.#context;
    const [rows, bytes] = [this.#rowsGrouped, this.#grouper.heldBytes];
    this.#rowsGrouped = 0;
    budget.hold(bytes);
    await merge.add(this.#grouper.take());
    budget.release(bytes);
    budget.rowsDone += rows;
  }
}

/**
 * Adds the values of steps: the rows at the ends of steps, and the negated rows at their starts.
 * Returns the number of profiles that were added.
 */
function addSteps(
  rows: SliceRows & Required<Pick<SliceRows, 'profiles' | 'steps'>>,
  grouper: RowGrouper,
): number {
  const { profiles, sources, labels, slice, dictionary, steps } = rows;
  checkRowsAreThere({ sources, profiles });
  const { profileCount } = partsOfSteps(steps, profiles);
  if (grouper.isByTime) {
    grouper.add(rows);
    return profileCount;
  }
  const { ending, starting } = stepsAt(steps, profiles.timeNanos);
  const gained = new Uint8Array(ending.length);
  const lost = new Uint8Array(ending.length);
  for (let i = 0; i < ending.length; i += 1) {
    // A profile that ends one step and starts another contributes nothing.
    if (ending[i] !== -1 && starting[i] === -1) gained[i] = 1;
    if (starting[i] !== -1 && ending[i] === -1) lost[i] = 1;
  }
  const common = { labels, slice, dictionary };
  grouper.add({ ...common, sources: chooseProfiles(sources, gained) });
  grouper.add({ ...common, sources: chooseProfiles(sources, lost), factor: -1n });
  return profileCount;
}

/**
 * Returns the profiles of a slice, in columns that stay valid. Returns no profiles if they cannot
 * be read.
 */
export async function readProfiles(
  unread: MissingSentences,
  slice: SeriesSlice,
): Promise<ProfileColumns> {
  return copyColumns((await readOrNote(unread, () => slice.profiles())) ?? noProfiles);
}

/**
 * Finds the rows of a slice. Returns no rows if they cannot be read. `known` is the result of
 * `rows(true)` if that was already called.
 */
async function readRows(
  unread: MissingSentences,
  slice: SeriesSlice,
  grouper: RowGrouper,
  known: readonly RowSource[] | Promise<readonly RowSource[]> | undefined,
): Promise<readonly RowSource[]> {
  const sources = await (known ?? readNowOrNote(unread, () => slice.rows(true), []));
  if (!sources.some((source) => grouper.needsRows(source, slice))) return sources;
  return (await readOrNote(unread, () => slice.rows(false))) ?? [];
}

/** Returns the slices of each part, in the order of the series. */
export function slicesByPart({ parts, series }: SummedRows): ReadSlice[][] {
  const byPart: ReadSlice[][] = parts.map(() => []);
  for (const one of series) {
    for (const slice of one.slices) byPart[slice.part].push({ series: one, slice });
  }
  return byPart;
}
