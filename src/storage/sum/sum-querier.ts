// The Querier of a store whose rows are in memory and in blocks. It sums the rows without copying
// them.
import { JoinedDictionaries } from '../../model/dictionaries/joined-dictionary.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { StackMerger } from '../../model/merge.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { PeriodSum } from '../../model/profiles/period-sums.ts';
import type { Timeline } from '../../model/profiles/timeline.ts';
import type {
  MergeQuestion,
  Querier,
  ReadContext,
  SampleQuestion,
  SamplesOverTime,
  Selection,
  SeriesProfiles,
  SeriesQuery,
  StackSums,
  SumsOverTime,
  TimeQuestion,
  TimeRange,
} from '../interface.ts';
import { collectPeriods, buildTimelines } from '../common-answers.ts';
import type { SeriesStore, StoredSelection } from '../selection.ts';
import { ChunkSummer } from './chunk-sums.ts';
import type { MergePool } from './merge-pool.ts';
import { mergeSelection, type SumTools } from './merge-selection.ts';
import { sumOverTime } from './over-time.ts';
import { sumSamplesOverTime } from './samples-over-time.ts';
import { readColumns, type SpannedSeries, listSpans, SumSeries } from './spans.ts';

/** Answers queries from a store of series. If there is a pool, the caller closes it. */
export class SumQuerier implements Querier {
  readonly stored: SeriesStore;
  readonly #tools: SumTools;

  constructor(stored: SeriesStore, pool?: MergePool) {
    this.stored = stored;
    const merger = new StackMerger();
    const summer = new ChunkSummer(merger);
    this.#tools = { pool, merger, summer, dictionaries: new JoinedDictionaries() };
  }

  async select(query: SeriesQuery, signal?: AbortSignal): Promise<Selection> {
    return new SummedSelection(await this.stored.select(query, signal), this.#tools);
  }

  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    return this.stored.labelNames(query, signal);
  }

  labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    return this.stored.labelValues(name, query, signal);
  }

  profileTypes(
    range: TimeRange,
    matchers?: readonly LabelMatcher[],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    return this.stored.profileTypes(range, matchers, signal);
  }

  hasData(): Promise<boolean> {
    return this.stored.hasData();
  }

  missingIn(range: TimeRange): string[] {
    return this.stored.missingIn?.(range) ?? [];
  }

  state(range: TimeRange): string {
    return this.stored.state(range);
  }
}

class SummedSelection implements Selection {
  readonly series: readonly SumSeries[];
  readonly #stored: StoredSelection;
  readonly #tools: SumTools;
  #spanned: Promise<readonly SpannedSeries[]> | undefined;

  constructor(stored: StoredSelection, tools: SumTools) {
    this.#stored = stored;
    this.#tools = tools;
    this.series = stored.series.map((series) => new SumSeries(series));
  }

  get missing(): string[] {
    return this.#stored.missing;
  }

  async periods(context: ReadContext): Promise<readonly PeriodSum[]> {
    return collectPeriods(await this.#spans(context), context);
  }

  async timelines(context: ReadContext): Promise<ReadonlyMap<SumSeries, Timeline>> {
    return buildTimelines(await this.#spans(context), context);
  }

  async *profiles(context: ReadContext): AsyncIterable<SeriesProfiles> {
    for (const { series, spans } of await this.#spans(context)) {
      await context.pause();
      yield { series, columns: await readColumns(spans) };
    }
  }

  merge(question: MergeQuestion, context: ReadContext): Promise<StackSums> {
    const { series, missing } = this;
    const stored = this.#stored;
    return mergeSelection({ series, missing, parts: stored.parts }, question, this.#tools, context);
  }

  async overTime(question: TimeQuestion, context: ReadContext): Promise<SumsOverTime> {
    const { missing } = this;
    const stored = this.#stored;
    const series = await this.#spans(context);
    return sumOverTime({ series, missing, parts: stored.parts }, question, context);
  }

  samplesOverTime(question: SampleQuestion, context: ReadContext): Promise<SamplesOverTime> {
    const { series, missing } = this;
    const { parts } = this.#stored;
    return sumSamplesOverTime({ series, missing, parts }, question, context);
  }

  [Symbol.dispose](): void {
    this.#stored[Symbol.dispose]();
  }

  /**
   * Finds the spans only once per selection, because finding them reads the profiles of overlapping
   * slices.
   */
  #spans(context: ReadContext): Promise<readonly SpannedSeries[]> {
    return (this.#spanned ??= this.#findSpans(context));
  }

  async #findSpans(context: ReadContext): Promise<readonly SpannedSeries[]> {
    const all: SpannedSeries[] = [];
    for (const series of this.series) {
      const found = listSpans(series.slices, this.#stored);
      const spans = found instanceof Promise ? await found : found;
      if (spans.length > 0) all.push({ series, spans });
      const pausing = context.pause();
      if (pausing !== undefined) await pausing;
    }
    return all;
  }
}
