// Divides the profiles of each selected series into successive spans of time.
import { computeDigest } from '../../model/profiles/profile-digest.ts';
import {
  copyColumns,
  mergeByTime,
  noProfiles,
  type ProfileColumns,
} from '../../model/profiles/profile-columns.ts';
import type { TimedSpan } from '../../model/profiles/timeline.ts';
import type { ProfileRun, SeriesSlice, StoredSeries } from '../selection.ts';
import { AppError } from '../../base/errors.ts';
import type { LabelSet } from '../../model/labels.ts';
import type { ProfileType } from '../../model/profile-type.ts';
import type { SelectedSeries, TimeRange } from '../interface.ts';

/**
 * Profiles of one series in a span of time. They come from one slice, or from several slices that
 * overlap in time and are read together.
 */
export interface SeriesSpan extends TimedSpan {
  /** Slices of the span, at least one. */
  readonly slices: readonly SeriesSlice[];
  /**
   * Returns all profiles in runs. Each run is entirely later than the run before it. Ownership: as
   * for `columns`.
   */
  runs(): readonly ProfileRun[] | Promise<readonly ProfileRun[]>;
  /**
   * Returns an upper bound for the sum of the profiles' magnitudes. The bound is approximate,
   * because it is computed without the digest.
   */
  magnitudeMax(): number;
}

/** Collects sentences that say which data cannot be read. */
export interface MissingSentences {
  readonly missing: string[];
}

/**
 * Divides slices into successive spans: each span starts after the end of the span before it.
 * Slices that overlap are read here. If that fails, they are left out.
 */
export function listSpans(
  slices: readonly SeriesSlice[],
  unread: MissingSentences,
): SeriesSpan[] | Promise<SeriesSpan[]> {
  return slices.length === 1 ? [new SingleSpan(slices[0], unread)] : joinSpans(slices, unread);
}

async function joinSpans(
  slices: readonly SeriesSlice[],
  unread: MissingSentences,
): Promise<SeriesSpan[]> {
  const singles = slices
    .map((slice) => new SingleSpan(slice, unread))
    .sort((a, b) => compare(a.digest.firstNanos, b.digest.firstNanos));
  const spans: SeriesSpan[] = [];
  let group: SeriesSpan[] = [];
  let last = 0n;
  for (const single of singles) {
    const { firstNanos, lastNanos } = single.digest;
    if (group.length > 0 && firstNanos > last) {
      spans.push(...(await joinOverlapping(group)));
      group = [];
    }
    last = group.length === 0 || lastNanos > last ? lastNanos : last;
    group.push(single);
  }
  spans.push(...(await joinOverlapping(group)));
  return spans;
}

/** Returns all profiles of some spans in order of time. Ownership: valid until the next await. */
export async function readColumns(spans: readonly SeriesSpan[]): Promise<ProfileColumns> {
  if (spans.length === 1) return spans[0].columns();
  const all: ProfileColumns[] = [];
  for (const span of spans) all.push(copyColumns(await span.columns()));
  return mergeByTime(all);
}

/**
 * A span of one slice. It returns promises only if the slice does, because a promise costs 0.3 us
 * for each series.
 */
class SingleSpan implements SeriesSpan {
  readonly slices: readonly SeriesSlice[];
  readonly #slice: SeriesSlice;
  readonly #unread: MissingSentences;

  constructor(slice: SeriesSlice, unread: MissingSentences) {
    this.slices = [slice];
    this.#slice = slice;
    this.#unread = unread;
  }

  get digest(): SeriesSpan['digest'] {
    return this.#slice.digest();
  }

  columns(): ProfileColumns | Promise<ProfileColumns> {
    return readNowOrNote(this.#unread, () => this.#slice.profiles(), noProfiles);
  }

  runs(): readonly ProfileRun[] | Promise<readonly ProfileRun[]> {
    return readNowOrNote(this.#unread, () => this.#slice.profileRuns(), []);
  }

  magnitudeMax(): number {
    return this.#slice.magnitudeMax();
  }
}

async function joinOverlapping(group: readonly SeriesSpan[]): Promise<SeriesSpan[]> {
  if (group.length === 1) return [...group];
  const columns = () => readColumns(group);
  const merged = await columns();
  if (merged.profileCount === 0) return [];
  const rowCount = group.reduce((sum, { digest }) => sum + digest.rowCount, 0);
  const slices = group.flatMap((span) => span.slices);
  const digest = computeDigest(merged, rowCount);
  const runs = async (): Promise<readonly ProfileRun[]> => [
    { columns: await columns(), sums: undefined },
  ];
  return [{ digest, slices, columns, runs, magnitudeMax: () => digest.magnitude }];
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const goneCodes: ReadonlySet<AppError['code']> = new Set(['data-loss', 'unavailable']);

/**
 * Returns the result of `read`. If the data cannot be read, adds a sentence to `missing` and
 * returns undefined. Rethrows other errors.
 */
export async function readOrNote<T>(
  { missing }: MissingSentences,
  read: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    noteGone({ missing }, error);
    return undefined;
  }
}

/**
 * Works like `readOrNote`, but is synchronous if `read` is synchronous. Returns `none` if the data
 * cannot be read.
 */
export function readNowOrNote<T extends object>(
  unread: MissingSentences,
  read: () => T | Promise<T>,
  none: T,
): T | Promise<T> {
  try {
    const result = read();
    if (!(result instanceof Promise)) return result;
    return readOrNote(unread, () => result).then((found) => found ?? none);
  } catch (error) {
    noteGone(unread, error);
    return none;
  }
}

/**
 * Adds a sentence to `missing` if the error means that data cannot be read; rethrows other errors.
 */
export function noteGone({ missing }: MissingSentences, error: unknown): void {
  if (!(error instanceof AppError) || !goneCodes.has(error.code)) throw error;
  if (!missing.includes(error.message)) missing.push(error.message);
}

export class SumSeries implements SelectedSeries {
  readonly profileType: ProfileType;
  readonly slices: readonly SeriesSlice[];
  readonly #stored: StoredSeries;

  constructor(stored: StoredSeries) {
    this.profileType = stored.profileType;
    this.slices = stored.slices;
    this.#stored = stored;
  }

  get labels(): LabelSet {
    return this.#stored.labels;
  }

  get profileCount(): number {
    return this.slices.reduce((sum, { profileCount }) => sum + profileCount, 0);
  }

  times(): TimeRange {
    let { firstNanos: from, lastNanos: to } = this.slices[0].digest();
    for (const slice of this.slices) {
      const { firstNanos, lastNanos } = slice.digest();
      if (firstNanos < from) from = firstNanos;
      if (lastNanos > to) to = lastNanos;
    }
    return { from, to };
  }
}

/** A series with its spans, at least one. */
export interface SpannedSeries {
  readonly series: SumSeries;
  readonly spans: readonly SeriesSpan[];
}
