// Selects profiles from the store and merges them: one side of a diff, or all of a report.
import { AppError } from '../../base/errors.ts';
import {
  mergeBatchBytesMax,
  mergeBatchRowsMax,
  mergeInWorkerRowsMin,
  piecesReadAtOnce,
  selectedSeriesBytes,
} from '../../base/limits.ts';
import type { Dictionary } from '../../model/dictionary.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { StackMerger } from '../../model/merge.ts';
import { formatProfileType, type ProfileType, type ValueType } from '../../model/profile-type.ts';
import { printSelector } from '../../promql-like/print.ts';
import type { Querier } from '../../storage/interface.ts';
import type { ProfileColumns, RowSource, Selection, SeriesPiece } from '../../storage/selection.ts';
import { questionKey } from '../kept/answer-cache.ts';
import { GroupSums, type AnswerView, type GroupedStacks } from './answer-stacks.ts';
import { forEachAtOnce } from './at-once.ts';
import { chooseProfiles } from '../plan/chosen-profiles.ts';
import { ChunkSummer } from './chunk-sums.ts';
import type { QueryContext } from '../running/context.ts';
import { stepsAt, withStarts } from './increase.ts';
import type { MergePool } from './merge-pool.ts';
import { MergeCache } from './merge-cache.ts';
import { readOrNote, throwMissing } from '../facts/missing.ts';
import { PartMerge, type MergeTools } from './part-merge.ts';
import type { ResolvedSelection } from '../plan/plan.ts';
import { checkRowsAreThere } from '../range/range-rows.ts';
import { RecordingQuerier } from '../kept/reads.ts';
import { RowGrouper, type PieceRows } from './row-grouper.ts';
import { checkSumFits, isScaledByPeriod, scaledValueType } from '../facts/scaling.ts';
import {
  checkCounts,
  selectIncrease,
  partsOfSteps,
  unknownSentence,
  type SelectedIncrease,
} from './selected-increase.ts';
import { copyOf, noProfiles, spansOf, type SpannedSeries } from '../facts/spans.ts';
import { type Summary, summarize } from '../facts/summary.ts';

export interface MergeOptions {
  /** Each distinct combination of values is a group. */
  readonly labelNames: readonly string[];
  /** Whether each time of profiles is a value that groups are told apart by, see RowGrouper. */
  readonly byTime: boolean;
  /** Whether counts of samples become what each sample stands for. */
  readonly scales: boolean;
  readonly listsSeriesLabels: boolean;
}

/** What was selected, merged. */
export interface MergedSelection {
  readonly summary: Summary;
  /** Whether values were multiplied by their profiles' periods. */
  readonly isScaled: boolean;
  /** Whether values are what counters gain. */
  readonly isIncrease: boolean;
  readonly profileType: ProfileType;
  readonly valueType: ValueType;
  readonly stacks: GroupedStacks;
  /** Names, where they were asked for. */
  readonly seriesLabels: readonly string[];
  /** About the sum of the magnitudes of its profiles. */
  readonly magnitude: number;
  /** What belongs here and could not be read, as sentences. */
  readonly missing: readonly string[];
}

/** All that is known of a merge but its stacks. */
export type SelectionFacts = Omit<MergedSelection, 'stacks'>;

/**
 * Rows above which a merge waits for workers that have yet to start, 0.2 s: so many of them hold
 * others up for 10 ms.
 */
const mergeInNewWorkerRowsMin = 4_000_000;

/** Merges selections, in workers when they are large. */
export class SelectionMerger {
  readonly #querier: Querier;
  readonly #pool: MergePool;
  readonly #merger: StackMerger;
  readonly #summer: ChunkSummer;
  readonly #cache: MergeCache;
  readonly #onDictionary: (dictionary: Dictionary) => void;

  /** `onDictionary` is told of each dictionary before the rows that are of it are merged. */
  constructor(
    querier: Querier,
    pool: MergePool,
    merger: StackMerger,
    cacheBytesMax: number,
    onDictionary: (dictionary: Dictionary) => void,
  ) {
    this.#onDictionary = onDictionary;
    this.#cache = new MergeCache(cacheBytesMax);
    this.#querier = querier;
    this.#pool = pool;
    this.#merger = merger;
    this.#summer = new ChunkSummer(merger);
  }

  /**
   * The merge, or one that was kept and would be the same.
   *
   * Errors: AppError 'not-found' when there is no profile at the time of a single one.
   */
  async merge(
    selection: ResolvedSelection,
    options: MergeOptions,
    view: AnswerView,
    context: QueryContext,
  ): Promise<MergedSelection> {
    // Stages and the offset do not change what is merged, but for an increase.
    const { profileType, selector, mode, range, increase } = selection;
    const profile = { text: formatProfileType(profileType) };
    const name = printSelector({ profile, matchers: selector.matchers });
    const key = questionKey([name, mode, range, increase !== undefined, options]);
    const kept = key === undefined ? undefined : await this.#cache.get(key);
    if (kept !== undefined) {
      context.reads?.include(kept.reads);
      return kept.merged;
    }
    const reads = new RecordingQuerier(this.#querier);
    const merged = await this.#mergeAnew(selection, options, view, context, reads);
    context.reads?.include(reads);
    if (key !== undefined) await this.#cache.put(key, merged, reads);
    return merged;
  }

  async #mergeAnew(
    { profileType, selector, mode, range, increase }: ResolvedSelection,
    { labelNames, byTime, scales, listsSeriesLabels }: MergeOptions,
    view: AnswerView,
    context: QueryContext,
    querier: Querier,
  ): Promise<MergedSelection> {
    const { matchers } = selector;
    const isIncrease = increase !== undefined;
    if (isIncrease) checkCounts(profileType, selector, increase);
    const seriesQuery = { matchers, profileType, range };
    const seriesLabels = listsSeriesLabels ? await querier.labelNames(seriesQuery) : [];
    using selection = await querier.select({
      ...seriesQuery,
      range: isIncrease ? withStarts(range) : range,
    });
    context.throwIfAborted();
    const { budget } = context;
    const selectedBytes = selection.series.length * selectedSeriesBytes;
    budget.hold(selectedBytes);
    const series = await spansOf(selection, context);
    const isScaled = scales && isScaledByPeriod(profileType, series);
    const gained = isIncrease
      ? await selectIncrease(series, { range, isScaled, isByStep: byTime }, context)
      : undefined;
    if (mode === 'single' && (gained?.seriesCount ?? selection.series.length) === 0) {
      throwMissing('show this profile', selection.missing);
      throw new AppError('not-found', 'could not find profile at requested time and selectors');
    }
    const rowCount = gained?.rowCount ?? (await countRows(series, context));
    budget.selectRows(rowCount);
    const magnitude = gained?.magnitude ?? (await checkSumFits(series, isScaled, context));
    const isOverTime = isIncrease || profileType.delta;
    const kind = { type: profileType, isOverTime };
    const said = await summarize(gained?.series ?? series, kind, range, context);
    const unknown = gained && unknownSentence(gained.unknownCount, gained.seriesCount);
    const summary = {
      ...said,
      rowCount: gained === undefined ? said.rowCount : BigInt(gained.lastRowCount),
      unknown: unknown === undefined ? [] : [unknown],
    };
    const grouper = new RowGrouper(labelNames, isScaled, this.#summer, byTime);
    const merger = this.#merger;
    const summer = this.#summer;
    const pool = this.#pool;
    // Workers that have yet to start would take longer than the rows.
    const isLarge =
      rowCount >= mergeInWorkerRowsMin && (pool.wake() || rowCount >= mergeInNewWorkerRowsMin);
    const tools = { merger, summer, pool, context, isLarge };
    const merging = (): Promise<GroupedStacks> =>
      this.#mergeParts(selection, grouper, view, tools, gained);
    const stacks = await (gained?.profiles.readAll(selection, merging) ?? merging());
    budget.release(selectedBytes);
    const valueType = scaledValueType(profileType, isScaled);
    const facts = { summary, isScaled, isIncrease, profileType, valueType, magnitude };
    return { ...facts, stacks, seriesLabels, missing: selection.missing };
  }

  /** Part by part, so that the symbols of one at a time are needed. */
  async #mergeParts(
    selection: Selection,
    grouper: RowGrouper,
    view: AnswerView,
    tools: MergeTools,
    gained: SelectedIncrease | undefined,
  ): Promise<GroupedStacks> {
    const { budget } = tools.context;
    const sums = new GroupSums(view, tools.context);
    const pieces = piecesByPart(selection);
    for (const [row, part] of selection.parts.entries()) {
      if (pieces[row].length === 0) continue;
      const dictionary = await readOrNote(selection, () => part.dictionary());
      if (dictionary === undefined) continue;
      this.#onDictionary(dictionary);
      const merge = new PartMerge(dictionary, selection, tools);
      let rowsGrouped = 0;
      const mergeGrouped = async (): Promise<void> => {
        const [rows, bytes] = [rowsGrouped, grouper.heldBytes];
        rowsGrouped = 0;
        budget.hold(bytes);
        await merge.add(grouper.take());
        budget.release(bytes);
        budget.rowsDone += rows;
      };
      const isSteps = gained !== undefined;
      await forEachAtOnce(pieces[row], piecesReadAtOnce, async ({ labels, piece }) => {
        const own = gained?.steps.get(labels);
        if (isSteps && own === undefined) return;
        const isByProfile = grouper.isByTime || isSteps;
        // Those that steps do without may be gone.
        const notes = isSteps ? { missing: [] } : selection;
        const profiles = isByProfile ? await readProfiles(notes, piece) : undefined;
        if (own && partsOfSteps(own, profiles ?? noProfiles).profileCount === 0) return;
        const sources = await readRows(selection, piece, grouper, isSteps);
        const pausing = tools.context.pause();
        if (pausing !== undefined) await pausing;
        tools.context.throwIfAborted();
        const rows = { labels, piece, sources, dictionary, ...(profiles && { profiles }) };
        await readOrNote(selection, () => {
          if (own === undefined || profiles === undefined) grouper.add(rows);
          else gained?.profiles.note(addSteps({ ...rows, profiles, steps: own }, grouper));
        });
        rowsGrouped += isSteps ? (profiles?.profileCount ?? 0) : piece.digest().rowCount;
        const isFull = grouper.heldBytes >= mergeBatchBytesMax || rowsGrouped >= mergeBatchRowsMax;
        if (isFull) await mergeGrouped();
      });
      await mergeGrouped();
      await sums.add(dictionary, merge.finish());
    }
    return sums.finish();
  }
}

/**
 * Adds what steps are worth: rows at their ends, and rows at their starts with a minus. Returns of
 * how many profiles.
 */
function addSteps(
  rows: PieceRows & Required<Pick<PieceRows, 'profiles' | 'steps'>>,
  grouper: RowGrouper,
): number {
  const { profiles, sources, piece, steps } = rows;
  checkRowsAreThere({ sources, profiles, rowFilter: piece.rowFilter, mask: undefined });
  const { profileCount } = partsOfSteps(steps, profiles);
  if (grouper.isByTime) {
    grouper.add(rows);
    return profileCount;
  }
  const { ending, starting } = stepsAt(steps, profiles.timeNanos);
  const gained = new Uint8Array(ending.length);
  const lost = new Uint8Array(ending.length);
  for (let i = 0; i < ending.length; i += 1) {
    // What ends one step and starts another one adds nothing.
    if (ending[i] !== -1 && starting[i] === -1) gained[i] = 1;
    if (starting[i] !== -1 && ending[i] === -1) lost[i] = 1;
  }
  const { labels, dictionary } = rows;
  const common = { labels, piece, dictionary };
  grouper.add({ ...common, sources: chooseProfiles(sources, gained) });
  grouper.add({ ...common, sources: chooseProfiles(sources, lost), factor: -1n });
  return profileCount;
}

/** The profiles of a piece, in columns that last; none when they cannot be read. */
async function readProfiles(
  notes: Pick<Selection, 'missing'>,
  piece: SeriesPiece,
): Promise<ProfileColumns> {
  return copyOf((await readOrNote(notes, () => piece.profiles())) ?? noProfiles);
}

/** Where the rows of a piece are; nowhere when they cannot be read. */
async function readRows(
  selection: Selection,
  piece: SeriesPiece,
  grouper: RowGrouper,
  areSingle: boolean,
): Promise<readonly RowSource[]> {
  if (areSingle) return (await readOrNote(selection, () => piece.rows(false))) ?? [];
  const whole = readOrNote(selection, () => piece.rows(true));
  const sources = (whole instanceof Promise ? await whole : whole) ?? [];
  if (!sources.some((source) => grouper.needsRowsOf(source, piece))) return sources;
  return (await readOrNote(selection, () => piece.rows(false))) ?? [];
}

interface ReadPiece {
  readonly labels: LabelSet;
  readonly piece: SeriesPiece;
}

function piecesByPart({ parts, series }: Selection): ReadPiece[][] {
  const byPart: ReadPiece[][] = parts.map(() => []);
  for (const { labels, pieces } of series) {
    for (const piece of pieces) byPart[piece.part].push({ labels, piece });
  }
  return byPart;
}

/** Rows of all series, by their digests, which are computed here. */
async function countRows(all: readonly SpannedSeries[], context: QueryContext): Promise<number> {
  let rowCount = 0;
  for (const { spans } of all) {
    for (const { digest } of spans) rowCount += digest.rowCount;
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  return rowCount;
}
