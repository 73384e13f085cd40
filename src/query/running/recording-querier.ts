// A querier that records which data an answer was computed from. Later it can tell whether a new
// answer would be the same.
import type { LabelMatcher } from '../../model/matcher.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import type { Querier, Selection, SeriesQuery, TimeRange } from '../../storage/interface.ts';

interface Read {
  readonly range: TimeRange;
  /** State of the range before it was read; see Querier.state. */
  readonly state: string | undefined;
  /**
   * The types that were read, and the matchers of their series. Set if only types were read, which
   * rarely change.
   */
  readonly types: { readonly of: readonly LabelMatcher[]; readonly texts: string } | undefined;
}

/** Passes queries on to the store, and records them. */
export class RecordingQuerier implements Querier {
  readonly #querier: Querier;
  readonly #reads: Read[] = [];

  constructor(querier: Querier) {
    this.#querier = querier;
  }

  /** Adds the record of another querier, which read a part of the data. */
  include(other: RecordingQuerier): void {
    this.#reads.push(...other.#reads);
  }

  /**
   * Returns true if the same queries would still get the same answers; false if that is unknown.
   */
  async isCurrent(): Promise<boolean> {
    for (const { range, state, types } of this.#reads) {
      if (state !== undefined && this.#querier.state?.(range) === state) continue;
      if (types === undefined) return false;
      const now = await this.#querier.profileTypes(range, types.of);
      if (formatTypes(now) !== types.texts) return false;
    }
    return true;
  }

  select(query: SeriesQuery, signal?: AbortSignal): Promise<Selection> {
    this.#note(query.range);
    return this.#querier.select(query, signal);
  }

  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    this.#note(query.range);
    return this.#querier.labelNames(query, signal);
  }

  labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<string[]> {
    this.#note(query.range);
    return this.#querier.labelValues(name, query, signal);
  }

  async profileTypes(
    range: TimeRange,
    matchers: readonly LabelMatcher[] = [],
    signal?: AbortSignal,
  ): Promise<ProfileType[]> {
    const state = this.#querier.state?.(range);
    const types = await this.#querier.profileTypes(range, matchers, signal);
    this.#reads.push({ range, state, types: { of: matchers, texts: formatTypes(types) } });
    return types;
  }

  hasData(): Promise<boolean> {
    return this.#querier.hasData();
  }

  missingIn(range: TimeRange): string[] {
    return this.#querier.missingIn?.(range) ?? [];
  }

  #note(range: TimeRange): void {
    this.#reads.push({ range, state: this.#querier.state?.(range), types: undefined });
  }
}

function formatTypes(types: readonly ProfileType[]): string {
  return types.map(formatProfileType).join(' ');
}
