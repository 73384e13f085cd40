// One readable part of the store: a head in memory, or a block on disk or in a bucket.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { SeriesQuery, TimeRange } from './interface.ts';
import type { StoredSeries } from './selection.ts';
import type { StreamKey } from './series/stream-key.ts';

/**
 * Answers only for its own profiles; the store's querier joins the answers of all parts.
 *
 * Errors of every method: AppError 'data-loss' or 'unavailable' when the part cannot be read; the
 * querier then leaves the part out and reports it as missing.
 */
export interface Part {
  /** Unique id in the store, of letters, digits and hyphens. */
  readonly id: string;
  readonly profileCount: number;
  readonly rowCount: number;
  /** Range of the times of its profiles; undefined without profiles. */
  readonly range: TimeRange | undefined;
  /** Returns the version of its data in a range, which is different after each change. */
  version(range: TimeRange): number;
  /** Returns its symbols; rows in its answers refer to them. */
  dictionary(signal?: AbortSignal): Promise<Dictionary>;
  /**
   * Returns the series with profiles in the range, in any order; each slice has `part` as its part.
   * A series in which no row has matching sample labels has a RowlessSlice. Data that turns out to
   * be unreadable later is reported to `noteMissing`.
   */
  select(
    query: SeriesQuery,
    part: number,
    noteMissing: (sentence: string) => void,
    signal?: AbortSignal,
  ): Promise<StoredSeries[]>;
  /**
   * Returns the names of labels (of series and of samples) of the matching series, in any order.
   * Throws the reason of the signal if it is aborted, after at most one slice of work.
   */
  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<Iterable<string>>;
  labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<Iterable<string>>;
  /**
   * Returns the distinct types of the matching series that have profiles in the range; without a
   * query, of all series.
   */
  profileTypes(
    range: TimeRange,
    matchers?: readonly LabelMatcher[],
    signal?: AbortSignal,
  ): Promise<ProfileType[]>;
  /** Returns true if the profile is stored; only the low 32 bits of `contentHash` are compared. */
  has(key: StreamKey, timeNanos: bigint, contentHash: bigint): Promise<boolean>;
  /**
   * Keeps the part readable until the returned function is called, which must happen exactly once.
   */
  pin(): () => void;
}
