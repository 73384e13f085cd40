// Finds the profiles of a block that match a query.
import { AppError, errorMessage } from '../../base/errors.ts';
import type { StringIndex } from '../../model/rows.ts';
import { deletedRanges, type Deletion } from '../files/deletions.ts';
import type { SeriesQuery, TimeRange } from '../interface.ts';
import type { BlockContent } from './block-content.ts';
import { missingSentence } from './block-slice.ts';
import type { ChunkEntry } from './index/chunk-entry.ts';
import { cover, type Coverage } from './coverage.ts';
import type { DecodedProfiles } from './decoded-profiles.ts';
import { streamsPerGroup, type Directory } from './index/directory.ts';
import { LabelSearch, type Pause } from './label-search.ts';
import { forEachTextLabel, readLabelSets, SampleLabelRules } from './sample-labels.ts';
import type { StreamEntry, StreamGroup, StreamNumbers } from './index/stream-group.ts';
import type { TextColumn } from './index/text-column.ts';

/**
 * Maximum number of label values that a search keeps in memory. The streams of a usual block have
 * fewer.
 */
const textsMax = 4096;

/** Matching profiles of a stream, and a filter of their rows. */
export interface Match {
  readonly coverage: Coverage;
  /** An element for each SampleLabelsIndex, 1 if its rows match; undefined if all rows match. */
  readonly rowFilter: Uint8Array | undefined;
  /** True if any row matches. False only if the matchers of sample labels exclude all rows. */
  readonly hasRows: boolean;
}

/** A query for streams, regardless of their profile types. */
export type StreamsQuery = Pick<SeriesQuery, 'matchers' | 'range'>;

/** The block to search. */
export interface SearchOptions {
  readonly content: BlockContent;
  readonly deletions: readonly Deletion[];
  readonly pause: Pause;
  /** Called for profiles that cannot be read. */
  readonly noteMissing: (sentence: string) => void;
}

/** Searches for one query. Errors: as in BlockContent, when an index cannot be read. */
export class BlockSearch {
  readonly labels: LabelSearch;
  readonly directory: Directory;
  readonly #options: SearchOptions;
  /**
   * Label values of streams. They are kept by label and not by stream, because streams share most
   * of them.
   */
  readonly #texts = new Map<number, TextColumn>();

  private constructor(options: SearchOptions, directory: Directory) {
    this.#options = options;
    this.directory = directory;
    this.labels = new LabelSearch(options.content, directory, options.pause);
  }

  static async begin(options: SearchOptions): Promise<BlockSearch> {
    return new BlockSearch(options, await options.content.directory());
  }

  /** Yields the streams `refs`, one group at a time. Reports unreadable groups as missing. */
  async *streams(refs: Uint32Array): AsyncGenerator<StreamEntry[]> {
    const { directory } = this;
    yield* this.#byGroup(refs, async (group, wanted) => {
      const texts = await this.#readLabelValues(group, wanted);
      return Array.from(wanted, (ref) => group.stream(ref, directory, texts));
    });
  }

  /** Like `streams`, but yields only the label numbers of the streams. */
  async *listLabels(refs: Uint32Array): AsyncGenerator<Set<number>> {
    yield* this.#byGroup(refs, async (group, wanted) => {
      const labels = new Set<number>();
      for (const ref of wanted) group.addLabels(ref, labels);
      return labels;
    });
  }

  /**
   * Like `streams`, but yields streams as numbers, and only streams that have profiles in a range.
   * Profiles are read only if a chunk begins before the range and ends after it, or if the block
   * has deletions.
   */
  async *streamsIn(range: TimeRange, refs: Uint32Array): AsyncGenerator<StreamNumbers[]> {
    const { directory } = this;
    yield* this.#byGroup(refs, async (group, wanted) => {
      const found: StreamNumbers[] = [];
      for (const ref of wanted) {
        const stream = group.numbers(ref, directory);
        if (await this.#hasProfiles(stream, range)) found.push(stream);
      }
      return found;
    });
  }

  async #hasProfiles({ chunks }: StreamNumbers, range: TimeRange): Promise<boolean> {
    const { from, to } = range;
    let areAround = false;
    for (const chunk of chunks) {
      const [{ firstNanos, lastNanos }] = chunk.digests;
      if (lastNanos < from || firstNanos > to) continue;
      if (firstNanos >= from || lastNanos <= to) return true;
      areAround = true;
    }
    if (!areAround) return false;
    return (await cover({ chunks }, range, [], (chunk) => this.#profiles(chunk))) !== undefined;
  }

  async *#byGroup<T>(
    refs: Uint32Array,
    read: (group: StreamGroup, wanted: Uint32Array) => Promise<T>,
  ): AsyncGenerator<T> {
    const { directory } = this;
    const options = this.#options;
    for (let at = 0; at < refs.length;) {
      const number = Math.floor(refs[at] / streamsPerGroup);
      const start = at;
      while (at < refs.length && refs[at] < (number + 1) * streamsPerGroup) at += 1;
      const wanted = refs.subarray(start, at);
      await options.pause();
      let found: T;
      try {
        found = await read(await options.content.group(directory, number), wanted);
      } catch (error) {
        options.content.throwIfAborted();
        if (!(error instanceof AppError)) throw error;
        const { id } = options.content.file.facts;
        const what = `${wanted.length} streams of block ${id}`;
        options.noteMissing(`cannot read ${what}: ${errorMessage(error)}`);
        continue;
      }
      yield found;
    }
  }

  /** Returns the label values of some streams of a group. */
  async #readLabelValues(
    group: StreamGroup,
    refs: Uint32Array,
  ): Promise<ReadonlyMap<number, TextColumn>> {
    const texts = this.#texts;
    const labels = new Set<number>();
    for (const ref of refs) group.addLabels(ref, labels);
    if (texts.size + labels.size > textsMax) texts.clear();
    for (const label of labels) {
      if (texts.has(label) || label >= this.directory.labels.length) continue;
      texts.set(label, await this.#options.content.labelTexts(this.directory, label));
    }
    return texts;
  }

  /**
   * Returns the profiles of a stream in a range, without deleted profiles; undefined if there are
   * none.
   */
  cover(stream: StreamEntry, range: TimeRange): Promise<Coverage | undefined> {
    const { deletions } = this.#options;
    const deleted = deletions.length === 0 ? [] : deletedRanges(deletions, stream.key);
    return cover(stream, range, deleted, (chunk) => this.#profiles(chunk));
  }

  async #profiles(chunk: ChunkEntry): Promise<DecodedProfiles | undefined> {
    const { content, noteMissing } = this.#options;
    try {
      return await content.profiles(chunk);
    } catch (error) {
      content.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      noteMissing(missingSentence(content, chunk.digests[0].profileCount, error));
      return undefined;
    }
  }

  /** Yields the streams that have at least one row that matches. */
  async *matches(query: SeriesQuery): AsyncGenerator<Match> {
    for await (const match of this.candidates(query)) if (match.hasRows) yield match;
  }

  /** Yields the streams that match, before sample labels are checked. */
  async *candidates(query: SeriesQuery): AsyncGenerator<Match> {
    const { minNanos, maxNanos } = this.#options.content.file.facts;
    if (query.range.to < minNanos || maxNanos < query.range.from) return;
    const refs = await this.labels.candidates(query.matchers, query.profileType);
    yield* this.candidatesAmong(refs, query);
  }

  /**
   * Yields the streams of `refs` that have profiles in the range and match, before sample labels
   * are checked.
   */
  async *candidatesAmong(
    refs: Uint32Array,
    { matchers, range }: StreamsQuery,
  ): AsyncGenerator<Match> {
    const rules = await this.rules({ matchers });
    for await (const streams of this.streams(refs)) {
      for (const stream of streams) {
        if (!mayHaveProfiles(stream, range)) continue;
        const coverage = await this.cover(stream, range);
        if (coverage === undefined) continue;
        yield rules.areNeeded
          ? await this.#decide(coverage, rules)
          : { coverage, rowFilter: undefined, hasRows: true };
      }
    }
  }

  /** Returns the rules that apply a query's matchers to sample labels. */
  async rules({ matchers }: Pick<SeriesQuery, 'matchers'>): Promise<SampleLabelRules> {
    const undecided: Uint32Array[] = [];
    for (const { name } of matchers)
      undecided.push((await this.labels.sampleStreams(name)).list(0));
    return new SampleLabelRules(matchers, undecided);
  }

  async #decide(coverage: Coverage, rules: SampleLabelRules): Promise<Match> {
    const { content } = this.#options;
    const filter = await rules.filterFor(coverage.stream.ref, () => content.dictionary());
    if (filter === undefined) return { coverage, rowFilter: undefined, hasRows: true };
    let belonging = 0;
    let count = 0;
    for (const span of coverage.spans) {
      for (const set of await this.#labelSets(span)) {
        count += 1;
        belonging += filter[set];
      }
    }
    return {
      coverage,
      rowFilter: belonging === count ? undefined : filter,
      hasRows: belonging > 0,
    };
  }

  /** Calls `found` for each string label of the rows of a match. */
  async forEachSampleLabel(
    { coverage, rowFilter }: Match,
    found: (name: StringIndex, text: StringIndex) => void,
  ): Promise<void> {
    for (const span of coverage.spans) {
      if (!span.chunk.isLabelled) continue;
      const sets = [...(await this.#labelSets(span))];
      const belonging = sets.filter((set) => rowFilter === undefined || rowFilter[set] === 1);
      forEachTextLabel(await this.#options.content.dictionary(), belonging, found);
    }
  }

  async #labelSets(span: Coverage['spans'][number]): Promise<Set<number>> {
    const { content, noteMissing } = this.#options;
    try {
      return await readLabelSets(content, span);
    } catch (error) {
      content.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      noteMissing(missingSentence(content, span.end - span.first, error));
      return new Set();
    }
  }
}

function mayHaveProfiles({ chunks }: StreamEntry, { from, to }: TimeRange): boolean {
  return chunks.some(
    ({ digests: [{ firstNanos, lastNanos }] }) => firstNanos <= to && from <= lastNanos,
  );
}
