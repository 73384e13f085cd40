// One readable piece of the store: a head in memory, or a block on disk or in a bucket.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { ProfileType } from '../model/profile-type.ts';
import type { SeriesQuery, TimeRange } from './interface.ts';
import type { StoredSeries } from './selection.ts';
import type { StreamKey } from './series/stream-key.ts';

/**
 * Answers for its own profiles alone; the store's querier joins the answers of all parts.
 *
 * Errors of every method: AppError 'data-loss' or 'unavailable' when it cannot be read; the querier
 * then leaves the part out and notes it as missing.
 */
export interface Part {
  /** Unique in the store, of letters, digits and hyphens. */
  readonly id: string;
  readonly profileCount: number;
  readonly rowCount: number;
  /** Of the times of its profiles; undefined: it has none. */
  readonly range: TimeRange | undefined;
  /** Of what it has in a range: another number after each change. */
  version(range: TimeRange): number;
  /** Its symbols; rows in its answers refer to them. */
  dictionary(): Promise<Dictionary>;
  /**
   * Series with profiles in the range, in an order of its own; every piece names `part`. Where
   * labels of samples decide and no row belongs, it is a RowlessPiece. What turns out to be
   * unreadable later is told to `noteMissing`.
   */
  select(
    query: SeriesQuery,
    part: number,
    noteMissing: (sentence: string) => void,
  ): Promise<StoredSeries[]>;
  /** Names of labels of series and of samples that match, in any order. */
  labelNames(query: SeriesQuery): Promise<Iterable<string>>;
  labelValues(name: string, query: SeriesQuery): Promise<Iterable<string>>;
  /** Distinct types of profiles in the range of series that match; absent: of all. */
  profileTypes(range: TimeRange, matchers?: readonly LabelMatcher[]): Promise<ProfileType[]>;
  /** Whether the profile is stored; `contentHash` counts in its low 32 bits. */
  has(key: StreamKey, timeNanos: bigint, contentHash: bigint): Promise<boolean>;
  /** Keeps the part readable until the returned function is called; call it once. */
  pin(): () => void;
}
