// Selects profiles from the store and merges them: one side of a diff, or all of a report.
import { AppError } from '../base/errors.ts';
import { mergeBatchBytesMax, piecesReadAtOnce } from '../base/limits.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { StackMerger } from '../model/merge.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { Querier, TimeRange } from '../storage/interface.ts';
import type { Selection, SeriesPiece } from '../storage/selection.ts';
import { forEachAtOnce } from './at-once.ts';
import type { ProfileSelector } from './interface.ts';
import { throwIfCancelled } from './merge-pool.ts';
import type { MergePool } from './merge-pool.ts';
import { readOrNote } from './missing.ts';
import { PartMerge } from './part-merge.ts';
import type { MergedPart } from './part-merge.ts';
import { RowGrouper } from './row-grouper.ts';
import { checkSumFits, isScaledByPeriod, scaledValueType } from './scaling.ts';
import { checkRange, resolveQuery } from './select.ts';
import { spansOf } from './spans.ts';
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
  readonly parts: readonly MergedPart[];
  /** Names, where they were asked for. */
  readonly seriesLabels: readonly string[];
  /** About the sum of the magnitudes of its profiles. */
  readonly magnitude: number;
  /** What belongs here and could not be read, as sentences. */
  readonly missing: readonly string[];
}

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
    using selection = await this.querier.select(seriesQuery);
    throwIfCancelled(signal);
    if (select.mode === 'single' && selection.series.length === 0) {
      throw new AppError('not-found', 'could not find profile at requested time and selectors');
    }
    const series = await spansOf(selection);
    const isScaled = scales && isScaledByPeriod(profileType, series);
    const magnitude = await checkSumFits(series, isScaled);
    const summary = await summarize(series, profileType, range);
    const grouper = new RowGrouper(labelNames, isScaled);
    const parts = await this.mergeParts(selection, grouper, signal);
    const valueType = scaledValueType(profileType, isScaled);
    const facts = { summary, isScaled, profileType, valueType, magnitude };
    return { ...facts, parts, seriesLabels, missing: selection.missing };
  }

  /** Reads all rows, in batches that bound the memory of chunks, and merges them. */
  private async mergeParts(
    selection: Selection,
    grouper: RowGrouper,
    signal: AbortSignal,
  ): Promise<MergedPart[]> {
    const dictionaries = await readDictionaries(selection);
    const merge = new PartMerge(dictionaries, this.merger, this.pool, signal);
    const reading = piecesByPart(selection).filter(({ piece }) => dictionaries[piece.part]);
    await forEachAtOnce(reading, piecesReadAtOnce, async ({ labels, piece }) => {
      const dictionary = dictionaries[piece.part];
      const read = readOrNote(selection, () => piece.rows(true));
      const sources = read instanceof Promise ? await read : read;
      if (sources === undefined || dictionary === undefined) return;
      throwIfCancelled(signal);
      grouper.add({ labels, piece, sources, dictionary });
      if (grouper.heldBytes >= mergeBatchBytesMax) await merge.add(grouper.take());
    });
    await merge.add(grouper.take());
    return merge.finish();
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

/** The dictionary of each part; undefined where it cannot be read. */
async function readDictionaries(selection: Selection): Promise<(Dictionary | undefined)[]> {
  const reads = selection.parts.map(async (part) => readOrNote(selection, () => part.dictionary()));
  return Promise.all(reads);
}

interface ReadPiece {
  readonly labels: LabelSet;
  readonly piece: SeriesPiece;
}

/** Pieces of one part follow each other, so that its file is read from front to back. */
function piecesByPart({ parts, series }: Selection): ReadPiece[] {
  const byPart: ReadPiece[][] = parts.map(() => []);
  for (const { labels, pieces } of series) {
    for (const piece of pieces) byPart[piece.part].push({ labels, piece });
  }
  return byPart.flat();
}
