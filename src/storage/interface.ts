// The seam of storage: ingest writes through an Appender, query reads through a Querier.
import type { Dictionary } from '../model/dictionary.ts';
import type { LabelSet } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { ProfileType, ValueType } from '../model/profile-type.ts';
import type { Selection } from './selection.ts';

/** A range of time in nanoseconds since the epoch; both ends belong to it. */
export interface TimeRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * One profile, interned, on its way into the store.
 *
 * Shape: `stacks`, each of `values` and (if any) `sampleLabels` have `rowCount` used elements; no
 * two rows share stack and sample labels; a row whose values are all 0 may be forgotten. Stacks
 * are StackIndex of the appender's dictionary.
 * Ownership: the columns are borrowed until `append` returns.
 */
export interface IncomingProfile {
  /** Without the name; sorted, unique. */
  readonly labels: LabelSet;
  /** The profile's name: process_cpu, memory, ... */
  readonly name: string;
  /** What each value column measures; at least one. */
  readonly sampleTypes: readonly ValueType[];
  readonly periodType: ValueType;
  /** Events or units between two samples; 0 = unknown. */
  readonly period: bigint;
  readonly timeNanos: bigint;
  /** Not 0 makes the profile's types delta types, as in Parca. */
  readonly durationNanos: bigint;
  readonly rowCount: number;
  readonly stacks: Uint32Array;
  readonly values: readonly BigInt64Array[];
  /** SampleLabelsIndex of each row; absent when no row has labels. */
  readonly sampleLabels: Uint32Array | undefined;
  /** Equal for byte-equal uploads: with series and time it recognizes a retry. */
  readonly contentHash: bigint;
}

/** One all-or-nothing batch of profiles. Not to be shared between requests. */
export interface Appender {
  /** Where symbols are interned before `append`; rows stay valid for good. */
  readonly dictionary: Dictionary;
  /** Adds a profile to the batch; nothing is visible or durable yet. */
  append(profile: IncomingProfile): void;
  /**
   * Resolves when every profile of the batch is durable and visible; a retry of what is stored
   * already resolves too, once the first copy is durable, and changes nothing.
   *
   * Errors: AppError 'resource-exhausted' (disk or memory full), 'unavailable' (closing, or the
   * log failed), 'aborted' (the head was cut since the appender was made: a new one takes the
   * batch); then nothing of the batch is visible.
   */
  commit(): Promise<void>;
  /** Forgets the batch. */
  rollback(): void;
}

/** What to read. Matchers on names that no label has see the value "". */
export interface SeriesQuery {
  readonly matchers: readonly LabelMatcher[];
  /** Absent: every type. */
  readonly profileType: ProfileType | undefined;
  readonly range: TimeRange;
}

/** Reads series and what is known about labels. Every method sees all that was acknowledged. */
export interface Querier {
  /** The caller disposes the selection. */
  select(query: SeriesQuery): Promise<Selection>;
  /** Names of labels (of series and of samples) that the matching series have, sorted. */
  labelNames(query: SeriesQuery): Promise<string[]>;
  /** Values of one label, sorted, without "". */
  labelValues(name: string, query: SeriesQuery): Promise<string[]>;
  /**
   * Distinct types of profiles in the range of series that match (absent: of every series), sorted
   * by their text form.
   */
  profileTypes(range: TimeRange, matchers?: readonly LabelMatcher[]): Promise<ProfileType[]>;
  hasData(): Promise<boolean>;
  /**
   * A text that is equal at two moments only if every question about the range has equal answers
   * then, as far as they can be read. Absent: nobody can tell.
   */
  state?(range: TimeRange): string;
}

/** What a delete did. */
export interface DeletedSeries {
  /** Blocks that had profiles of them in the range. */
  readonly blockCount: number;
  readonly seriesCount: number;
}

/** A copy of what was stored at one instant, in the server's storage path. */
export interface Snapshot {
  /** Absolute. */
  readonly path: string;
  readonly fileCount: number;
  /** Of files that are shared with the store, mostly. */
  readonly bytes: number;
}

/** What operators may do to what is stored. */
export interface StorageAdmin {
  /** Whether writes are refused because the disk is nearly full; it takes them again by itself. */
  readonly isReadOnly: boolean;
  /**
   * Deletes all profiles of matching series in the range that are acknowledged now: gone for
   * readers when it resolves, durably, and from the disk with the next compaction of their blocks.
   *
   * Errors: AppError 'invalid-argument' when the selector names less than whole uploads: labels of
   * samples, or one type of several that are uploaded together; the disk's: then it may be done in
   * part, and can be repeated.
   */
  delete(query: SeriesQuery): Promise<DeletedSeries>;
  /**
   * Makes a data directory of its own with everything that is acknowledged now, of links; without
   * blocks that are only in a bucket.
   */
  snapshot(): Promise<Snapshot>;
}

/** A store: opened by its constructor function, ready when that resolves. */
export interface Storage {
  appender(): Appender;
  readonly querier: Querier;
  /**
   * Resolves when all that was acknowledged so far is in immutable form.
   *
   * Errors: AppError 'unavailable' when the store closes before that.
   */
  rotate(): Promise<void>;
  /** Makes all that was committed durable, releases the directory; idempotent. */
  close(): Promise<void>;
}
