// What the series of a selection gain in a range: their steps, and what can be said of them.
import { AppError } from '../../base/errors.ts';
import type { LabelSet } from '../../model/labels.ts';
import { formatProfileType, type ProfileType } from '../../model/profile-type.ts';
import { QueryError, type Selector, type Span } from '../../promql-like/query.ts';
import type { TimeRange } from '../../storage/interface.ts';
import { digestOf } from '../../storage/piece-digest.ts';
import type { ProfileColumns, Selection } from '../../storage/selection.ts';
import type { QueryContext } from '../running/context.ts';
import type { TimedSpan } from '../facts/coverage.ts';
import {
  joinSteps,
  profilesOfSteps,
  stepsAt,
  stepsOf,
  magnitudeOfSteps,
  worthOfSteps,
  type Steps,
} from './increase.ts';
import { checkExactSum, roughSumMax } from '../facts/scaling.ts';
import { copyOf, mergeByTime, type SpannedSeries } from '../facts/spans.ts';

export interface SelectedIncrease {
  /** Of the series that have any; those of one series that have its labels are this object. */
  readonly steps: ReadonlyMap<LabelSet, Steps>;
  /** The same series, each step as a profile that begins where the step does. */
  readonly series: readonly { readonly spans: readonly TimedSpan[] }[];
  /** About the sum of the magnitudes of what steps are worth. */
  readonly magnitude: number;
  /** Those that steps start or end at. */
  readonly profiles: StepProfiles;
  /** Rows of these, not counting zeros. */
  readonly rowCount: number;
  /** Of the last profile before each restart alone: those before it show the same things. */
  readonly lastRowCount: number;
  /** Series with profiles in the range. */
  readonly seriesCount: number;
  /** Those of them of which nothing is known: no profile has another one before it. */
  readonly unknownCount: number;
}

export interface IncreaseOptions {
  /** Where the increase is asked for; `series` are of `withStarts(range)`. */
  readonly range: TimeRange;
  readonly isScaled: boolean;
  /** Whether every step is wanted; else steps that follow each other are one. */
  readonly isByStep: boolean;
}

/** Errors: AppError 'out-of-range' when the sum would not fit an int64. */
export async function selectIncrease(
  all: readonly SpannedSeries[],
  { range, isScaled, isByStep }: IncreaseOptions,
  context: QueryContext,
): Promise<SelectedIncrease> {
  const steps = new Map<LabelSet, Steps>();
  const series: { spans: readonly TimedSpan[] }[] = [];
  const profiles = new StepProfiles();
  let [magnitude, rowCount, lastRowCount, seriesCount] = [0, 0, 0, 0];
  for (const one of all) {
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
    const columns = await columnsOf(one);
    const last = columns.timeNanos.at(-1);
    if (last === undefined || last < range.from) continue;
    seriesCount += 1;
    const own = stepsOf(columns, range);
    if (own.length === 0) continue;
    magnitude += magnitudeOfSteps(own, columns, isScaled);
    const joined = joinSteps(own);
    const read = isByStep ? own : joined;
    const parts = partsOfSteps(read, columns);
    profiles.expect(parts.profileCount);
    rowCount += parts.rowCount;
    lastRowCount += profilesOfSteps(joined, columns, false).count.reduce(plus, 0);
    steps.set(one.labels, read);
    series.push({ spans: [spanOf(own, columns, one, range)] });
  }
  await checkIncreaseFits(magnitude, all, { range, isScaled });
  const unknownCount = seriesCount - steps.size;
  const counts = { rowCount, lastRowCount, seriesCount, unknownCount };
  return { steps, series, magnitude, profiles, ...counts };
}

/** As `checkMagnitude`, of what steps are worth. */
export async function checkIncreaseFits(
  magnitude: number,
  all: readonly SpannedSeries[],
  { range, isScaled }: Omit<IncreaseOptions, 'isByStep'>,
): Promise<void> {
  if (magnitude < roughSumMax) return;
  await checkExactSum(async (add) => {
    for (const one of all) {
      const columns = await columnsOf(one);
      for (const worth of worthOfSteps(stepsOf(columns, range), columns, isScaled)) add(worth);
    }
  });
}

/** Throws QueryError for profiles that do not count since their program started. */
export function checkCounts(type: ProfileType, { text }: Selector, increase: Span): void {
  if (!type.delta) return;
  const reason = `expected profiles without :delta before increase, got ${formatProfileType(type)}`;
  throw new QueryError(reason, text, increase);
}

/**
 * Counts the profiles that steps start and end at, when steps are found and when rows are read.
 * Without its start a step would be worth far too much, so none of them is left out.
 */
export class StepProfiles {
  #lost = 0;

  /** Steps start or end at so many. */
  expect(count: number): void {
    this.#lost += count;
  }

  /** So many were read. */
  note(count: number): void {
    this.#lost -= count;
  }

  /**
   * Does what reads all of them.
   *
   * Errors: AppError 'data-loss'.
   */
  async readAll<T>({ missing }: Pick<Selection, 'missing'>, read: () => Promise<T>): Promise<T> {
    const before = missing.splice(0);
    const result = await read();
    // One thing that is damaged may be met in several ways.
    const [first = `${this.#lost} of its profiles cannot be read`] = missing;
    if (missing.length > 0 || this.#lost !== 0) {
      throw new AppError('data-loss', `cannot tell the increase: ${first}`);
    }
    missing.push(...before);
    return result;
  }
}

/** What is said of series whose increase is not known; undefined of none. */
export function unknownSentence(unknown: number, all: number): string | undefined {
  if (unknown === 0) return undefined;
  const series = all === 1 ? 'the series' : `${unknown} of ${all} series`;
  return `the increase of ${series} is not known: it takes two profiles that are at most an hour apart`;
}

/** All profiles of a series in order of time. Ownership: good until the next await. */
export async function columnsOf({ spans }: SpannedSeries): Promise<ProfileColumns> {
  if (spans.length === 1) return spans[0].columns();
  const all: ProfileColumns[] = [];
  for (const span of spans) all.push(copyOf(await span.columns()));
  return mergeByTime(all);
}

/** Steps as profiles; what they are made of is read again when it is asked for. */
export function spanOf(
  steps: Steps,
  columns: ProfileColumns,
  series: SpannedSeries,
  range: TimeRange,
): TimedSpan {
  const begun = (own: Steps, of: ProfileColumns): ProfileColumns => ({
    ...profilesOfSteps(own, of, false),
    timeNanos: own.fromNanos,
  });
  const profiles = begun(steps, columns);
  const rowCount = profiles.count.reduce(plus, 0);
  return {
    digest: digestOf(profiles, rowCount),
    columns: async () => {
      const read = await columnsOf(series);
      return begun(stepsOf(read, range), read);
    },
  };
}

function plus(a: number, b: number): number {
  return a + b;
}

/** The profiles that steps start or end at, and their rows that are not 0. */
export function partsOfSteps(
  steps: Steps,
  columns: ProfileColumns,
): { readonly profileCount: number; readonly rowCount: number } {
  const { ending, starting } = stepsAt(steps, columns.timeNanos);
  let profileCount = 0;
  let rowCount = 0;
  for (let i = 0; i < columns.profileCount; i += 1) {
    if (ending[i] === -1 && starting[i] === -1) continue;
    profileCount += 1;
    rowCount += columns.count[i];
  }
  return { profileCount, rowCount };
}
