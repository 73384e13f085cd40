// One readable part of the store: a head in memory, or a block on disk or in a bucket.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { SeriesQuery, TimeRange } from './interface.ts';
import type { StoredSeries } from './selection.ts';
import type { StreamKey } from './series/stream-key.ts';

/**
 * A readable part of the store. It answers only for its own profiles; the store's querier joins the
 * answers of all parts.
 *
 * Errors of every method: AppError 'data-loss' or 'unavailable' when the part cannot be read; the
 * querier then leaves the part out and reports it as missing.
 */
export interface Part {
  /** Unique id in the store, of letters, digits and hyphens. */
  readonly id: string;
  readonly profileCount: number;
  readonly rowCount: number;
  /** Time range of the part's profiles; undefined without profiles. */
  readonly range: TimeRange | undefined;
  /** Returns the version of the part's data in a range. It changes whenever the data changes. */
  version(range: TimeRange): number;
  /** Returns the symbols of the part. Rows in its answers refer to them. */
  dictionary(signal?: AbortSignal): Promise<Dictionary>;
  /**
   * Returns the series with profiles in the range, in any order; the field `part` of each slice is
   * set to `part`. If no row of a series has matching sample labels, its slice is a RowlessSlice.
   * Data that later turns out to be unreadable is reported to `noteMissing`.
   */
  select(
    query: SeriesQuery,
    part: number,
    noteMissing: (sentence: string) => void,
    signal?: AbortSignal,
  ): Promise<StoredSeries[]>;
  /**
   * Returns the label names of the matching series and of their samples, in any order. If the
   * signal is aborted, throws its reason after at most one slice of work.
   */
  labelNames(query: SeriesQuery, signal?: AbortSignal): Promise<Iterable<string>>;
  labelValues(name: string, query: SeriesQuery, signal?: AbortSignal): Promise<Iterable<string>>;
  /**
   * Returns the distinct profile types of the matching series that have profiles in the range.
   * Without matchers, all series match.
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
