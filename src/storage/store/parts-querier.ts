// Finds series in every part of the store that overlaps the range, and joins the answers.
import type { Clock } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { querySliceMillis } from '../../base/limits.ts';
import { Pacer, stoppablePacer } from '../../base/pacer.ts';
import { sortTexts } from '../../base/text/sort-texts.ts';
import { labelSetKey, labelValue, profileNameLabel } from '../../model/labels.ts';
import type { LabelMatcher } from '../../model/matcher.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { SeriesQuery, TimeRange } from '../interface.ts';
import type { LostParts } from '../lost-parts.ts';
import type { Part } from '../part.ts';
import type { PartList, PinnedParts } from './part-list.ts';
import {
  RowlessSlice,
  type SelectedPart,
  type SeriesSlice,
  type SeriesStore,
  type StoredSelection,
  type StoredSeries,
} from '../selection.ts';

/** Number of strings of a part that are collected between two pauses. */
const textsPerPause = 1024;

interface PartsQuerierOptions {
  readonly parts: PartList<Part>;
  /** Parts that cannot be opened; none by default. */
  readonly lost?: LostParts;
  /** Clock for pauses in long lists; without a clock, there are no pauses. */
  readonly clock?: Clock;
  /** Called for each part that cannot be read. */
  readonly onMissing: (part: string, error: unknown) => void;
}

/**
 * Answers queries from all parts. Unreadable parts are left out. Selections report them as missing;
 * other answers do not mention them.
 */
export class PartsQuerier implements SeriesStore {
  readonly #options: PartsQuerierOptions;
  readonly #serials = new WeakMap<Part, number>();
  #lastSerial = 0;

  constructor(options: PartsQuerierOptions) {
    this.#options = options;
  }

  /**
   * Selects profiles. Series are in the order of the parts; the series of a part are in the order
   * of that part.
   */
  async select(query: SeriesQuery, signal?: AbortSignal): Promise<StoredSelection> {
    const pinned = this.#options.parts.pin(query.range);
    try {
      const missing = this.#options.lost?.sentencesIn(query.range) ?? [];
      /**
       * Indexes of parts that can be read only partly. It is unknown which rowless series they
       * have.
       */
      const doubtful = new Set<number>();
      const note = (row: number, sentence: string): void => {
        doubtful.add(row);
        missing.push(sentence);
      };
      const asked = await this.#askEach(
        pinned,
        (part, row) => {
          const notePart = (sentence: string): void => note(row, sentence);
          return unlessAborted(part.select(query, row, notePart, signal), signal);
        },
        (part, row, error) => note(row, `cannot read ${part.id}: ${errorMessage(error)}`),
      );
      signal?.throwIfAborted();
      const answers = asked.map((series) => [...series]);
      const rowless = await this.#rowlessSeries(pinned, query, answers, signal, (row, sentence) => {
        doubtful.add(row);
        if (!missing.includes(sentence)) missing.push(sentence);
      });
      signal?.throwIfAborted();
      for (const row of doubtful) {
        answers[row] = answers[row].filter(({ slices }) => slices.some(hasRows));
      }
      answers.push(...rowless.filter((_, row) => !doubtful.has(row)));
      const series = await joinedSeries(answers, this.#pacer(signal));
      return new JoinedSelection(pinned, series, missing, signal);
    } catch (error) {
      pinned[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Returns slices without rows for series in `answers`. They stand for parts that left out such a
   * series because its samples there lack the label of a matcher.
   */
  async #rowlessSeries(
    pinned: PinnedParts,
    query: SeriesQuery,
    answers: readonly (readonly StoredSeries[])[],
    signal: AbortSignal | undefined,
    note: (row: number, sentence: string) => void,
  ): Promise<StoredSeries[][]> {
    const matchers = query.matchers.filter((matcher) => !asksSamples(matcher, answers));
    if (pinned.parts.length === 1 || matchers.length === query.matchers.length) return [];
    const keys = answers.map((series) => new Set(series.map(seriesKey)));
    const rowless = await this.#askEach(pinned, async (part, row) => {
      const notePart = (sentence: string): void => note(row, sentence);
      const asked = part.select({ ...query, matchers }, row, notePart, signal);
      return [...(await unlessAborted(asked, signal))]
        .filter(
          (one) => !keys[row].has(seriesKey(one)) && keys.some((own) => own.has(seriesKey(one))),
        )
        .map(({ labels, profileType, slices }) => {
          return { labels, profileType, slices: slices.map((slice) => new RowlessSlice(slice)) };
        });
    });
    return rowless.map((series) => [...series]);
  }

  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    return this.#union(query.range, signal, (part) => part.labelNames(query, signal));
  }

  async labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    const ask = (part: Part): Promise<Iterable<string>> => part.labelValues(name, query, signal);
    const values = await this.#union(query.range, signal, ask);
    return values[0] === '' ? values.slice(1) : values;
  }

  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    using pinned = this.#options.parts.pin(range);
    const found = new Map<string, ProfileType>();
    const answers = await this.#askEach(pinned, (part) =>
      unlessAborted(part.profileTypes(range, matchers, signal), signal),
    );
    signal?.throwIfAborted();
    for (const types of answers) {
      for (const type of types) found.set(formatProfileType(type), type);
    }
    return [...found.keys()].sort().flatMap((text) => found.get(text) ?? []);
  }

  async hasData(): Promise<boolean> {
    const { parts, lost } = this.#options;
    const { blocks, heads } = parts;
    if (lost !== undefined && lost.count > 0) return true;
    return blocks.length > 0 || heads.some(({ profileCount }) => profileCount > 0);
  }

  missingIn(range: TimeRange): string[] {
    return this.#options.lost?.sentencesIn(range) ?? [];
  }

  state(range: TimeRange): string {
    using pinned = this.#options.parts.pin(range);
    return pinned.parts.map((part) => `${this.#findSerial(part)}:${part.version(range)}`).join(' ');
  }

  /**
   * Returns a number that identifies a part object. An id is not enough, because a block that is
   * opened again may have more deletions.
   */
  #findSerial(part: Part): number {
    const known = this.#serials.get(part);
    if (known !== undefined) return known;
    this.#lastSerial += 1;
    this.#serials.set(part, this.#lastSerial);
    return this.#lastSerial;
  }

  #pacer(signal: AbortSignal | undefined): Pick<Pacer, 'pause'> | undefined {
    const { clock } = this.#options;
    return clock && stoppablePacer(new Pacer(clock, querySliceMillis), signal);
  }

  async #union(
    range: TimeRange,
    signal: AbortSignal | undefined,
    ask: (part: Part) => Promise<Iterable<string>>,
  ): Promise<string[]> {
    using pinned = this.#options.parts.pin(range);
    const pacer = this.#pacer(signal);
    const all = new Set<string>();
    const answers = await this.#askEach(pinned, (part) => unlessAborted(ask(part), signal));
    signal?.throwIfAborted();
    for (const texts of answers) {
      let added = 0;
      for (const text of texts) {
        all.add(text);
        added += 1;
        if (added % textsPerPause === 0) await pacer?.pause();
      }
    }
    return sortTexts([...all], pacer);
  }

  /** Returns the answers of the parts that can be read, in their order. */
  async #askEach<T>(
    { parts }: PinnedParts,
    ask: (part: Part, row: number) => Promise<Iterable<T>>,
    onMissing?: (part: Part, row: number, error: unknown) => void,
  ): Promise<Iterable<T>[]> {
    return Promise.all(
      parts.map(async (part, row) => {
        try {
          return await ask(part, row);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          this.#options.onMissing(part.id, error);
          onMissing?.(part, row, error);
          return [];
        }
      }),
    );
  }
}

/** Series of several parts, joined by label set and profile type. */
class JoinedSelection implements StoredSelection {
  readonly parts: readonly SelectedPart[];
  readonly series: readonly StoredSeries[];
  readonly missing: string[];
  readonly #pinned: PinnedParts;

  /** Creates a selection. `signal` ends reads of symbols. */
  constructor(
    pinned: PinnedParts,
    series: readonly StoredSeries[],
    missing: string[],
    signal: AbortSignal | undefined,
  ) {
    this.#pinned = pinned;
    this.parts = pinned.parts.map((part) => {
      return { id: part.id, dictionary: () => part.dictionary(signal) };
    });
    this.missing = missing;
    this.series = series;
  }

  get profileCount(): number {
    return this.#sum(({ profileCount }) => profileCount);
  }

  get rowCount(): number {
    return this.#sum((slice) => slice.digest().rowCount);
  }

  [Symbol.dispose](): void {
    this.#pinned[Symbol.dispose]();
  }

  #sum(countSlice: (slice: SeriesSlice) => number): number {
    let sum = 0;
    for (const { slices } of this.series) for (const slice of slices) sum += countSlice(slice);
    return sum;
  }
}

/**
 * Returns true if the label of a matcher may be on the samples of a series that itself lacks it.
 */
function asksSamples(
  matcher: LabelMatcher,
  answers: readonly (readonly StoredSeries[])[],
): boolean {
  const { name } = matcher;
  if (name === profileNameLabel || matcher.matches('')) return false;
  return answers.some((series) =>
    series.some(({ labels, slices }) => slices[0].isLabelled && labelValue(labels, name) === ''),
  );
}

function hasRows(slice: SeriesSlice): boolean {
  return !(slice instanceof RowlessSlice);
}

function seriesKey({ labels, profileType }: StoredSeries): string {
  return `${formatProfileType(profileType)}\u0000${labelSetKey(labels)}`;
}

/**
 * Settles like the promise `asked`. But if it rejects because the caller has left, resolves to an
 * empty answer, so that the part is not reported as missing.
 */
function unlessAborted<T>(
  asked: Promise<Iterable<T>>,
  signal: AbortSignal | undefined,
): Promise<Iterable<T>> {
  return asked.catch((error: unknown) => {
    if (signal?.aborted) return [];
    throw error;
  });
}

/** Joins the series of all parts by label set and profile type. Leaves out series without rows. */
async function joinedSeries(
  answers: readonly (readonly StoredSeries[])[],
  pacer: Pick<Pacer, 'pause'> | undefined,
): Promise<StoredSeries[]> {
  const lists = answers.filter((list) => list.length > 0);
  const isOfOne = lists.length <= 1;
  const joined: StoredSeries[] = [];
  const byKey = new Map<string, StoredSeries[]>();
  let seen = 0;
  for (const one of lists.flat()) {
    seen += 1;
    if (seen % seriesPerPause === 0) await pacer?.pause();
    if (isOfOne) {
      if (one.slices.some(hasRows)) joined.push(one);
      continue;
    }
    const key = seriesKey(one);
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [one]);
    else same.push(one);
  }
  for (const same of byKey.values()) {
    const one = same.length === 1 ? same[0] : joinSeries(same);
    if (one.slices.some(hasRows)) joined.push(one);
    seen += 1;
    if (seen % seriesPerPause === 0) await pacer?.pause();
  }
  return joined;
}

/** Number of series between two readings of the clock. */
const seriesPerPause = 256;

function joinSeries(same: readonly StoredSeries[]): StoredSeries {
  const slices = same.flatMap((one) => one.slices);
  const starts = new Map(slices.map((slice) => [slice, slice.digest().firstNanos]));
  const start = (slice: SeriesSlice): bigint => starts.get(slice) ?? 0n;
  slices.sort((a, b) => (start(a) < start(b) ? -1 : start(a) > start(b) ? 1 : 0));
  return { labels: same[0].labels, profileType: same[0].profileType, slices };
}
