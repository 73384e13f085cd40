// Converts requests of QuerierService to queries for the engine, with Pyroscope's checks.
import Long from 'long';
import { AppError } from '../../../base/errors.ts';
import type { RangeQuestion, ReportQuestion } from '../../../query/interface.ts';
import { plainView, type StackView } from '../../../report/stacks/stack-view.ts';
import type { TimeRange } from '../../../storage/interface.ts';
import { parsePyroscopeSelector, profilesQuery } from './selector.ts';

const nanosPerMilli = 1_000_000n;

/** Default and maximum number of nodes of a flame graph. */
export const nodesUsual = 8_192;
export const nodesMax = 1_048_576;

/**
 * Returns a range that includes its last millisecond.
 *
 * Errors: AppError 'invalid-argument' for a missing time, and for a range that ends before it
 * starts.
 */
export function requireRange(start: Long, end: Long): TimeRange {
  if (start.isZero() || end.isZero()) throw invalid('missing time range in the query');
  if (start.gt(end)) {
    throw invalid('invalid time range: end must not be before start');
  }
  return toRange(start, end);
}

/** Returns the range of a request for labels: the last hour if it has none. */
export function labelRange(start: Long, end: Long, nowMillis: number): TimeRange {
  if (!start.isZero() || !end.isZero()) return requireRange(start, end);
  const now = Math.floor(nowMillis);
  return toRange(Long.fromNumber(now - 3_600_000), Long.fromNumber(now));
}

function toRange(start: Long, end: Long): TimeRange {
  const from = BigInt(start.toString()) * nanosPerMilli;
  return { from, to: BigInt(end.toString()) * nanosPerMilli + nanosPerMilli - 1n };
}

/** Returns the number of nodes. Errors: AppError 'invalid-argument'. */
export function readMaxNodes(asked: Long | null | undefined, usual: number): number {
  if (asked === null || asked === undefined || asked.isZero()) return usual;
  const count = asked.toNumber();
  if (count > 0 && count <= nodesMax) return count;
  throw invalid(`max nodes ${count} is not between 1 and ${nodesMax}`);
}

/** Fields that select profiles. */
export interface SelectedProfiles {
  readonly profileTypeID: string;
  readonly labelSelector: string;
  readonly start: Long;
  readonly end: Long;
}

/** Selection of stacks, as decoded from a request. */
export interface StackSelection {
  readonly callSite?: readonly { readonly name?: string | null }[] | null;
}

/** Returns a view of the stacks that begin with a call site; undefined = all stacks. */
export function callSiteView(selection: StackSelection | null | undefined): StackView | undefined {
  const functionNames = (selection?.callSite ?? []).map(({ name }) => name ?? '');
  if (functionNames.length === 0) return undefined;
  return { ...plainView, fold: { kind: 'call-site', functionNames } };
}

/** Returns the part of a report's request that selects profiles. */
export function toMerge(
  { profileTypeID, labelSelector, start, end }: SelectedProfiles,
  more: readonly string[] = [],
): Extract<ReportQuestion['select'], { mode: 'merge' }> {
  const { conditions } = parsePyroscopeSelector(labelSelector);
  const query = profilesQuery(profileTypeID, [...conditions, ...more]);
  return { mode: 'merge', query, range: requireRange(start, end) };
}

/** Returns an unscaled comparison of two sides; the left one is the base. */
export function toDiff(left: SelectedProfiles, right: SelectedProfiles): ReportQuestion['select'] {
  const [base, compared] = [toMerge(left), toMerge(right)];
  return { mode: 'diff', base, compared, baseScale: 'none' };
}

/** A query for a graph over time, and the times of its points. */
export interface SeriesPlan {
  readonly question: RangeQuestion;
  /** Offset that the query adds to the times of profiles. */
  readonly offsetNanos: bigint;
  /** Returns the time of a bucket's point, in milliseconds. */
  pointMillis(bucketNanos: bigint): bigint;
}

/** Parts of a plan that depend on the request. */
export interface SeriesOptions {
  readonly view?: StackView | undefined;
  /** Conditions in addition to those of the selector. */
  readonly conditions?: readonly string[];
}

/**
 * Plans points at start + k * step, up to the end. Each point covers the step before it, including
 * the end of the step but not its start. The engine's buckets begin at multiples of the step, so
 * the query moves profiles in time to match.
 *
 * Errors: AppError 'invalid-argument'.
 */
export function planSeries(
  asked: SelectedProfiles & {
    readonly step: number;
    readonly groupBy: readonly string[];
  },
  { view, conditions: more = [] }: SeriesOptions = {},
): SeriesPlan {
  const { profileTypeID, labelSelector, start, end, step, groupBy } = asked;
  requireRange(start, end);
  const stepMillis = BigInt(Number.isFinite(step) ? Math.trunc(step * 1_000) : 0);
  if (stepMillis <= 0n) throw invalid('step must be at least a millisecond');
  const first = BigInt(start.toString());
  const last = first + ((BigInt(end.toString()) - first) / stepMillis) * stepMillis;
  const stepNanos = stepMillis * nanosPerMilli;
  // Times of points are in whole milliseconds; a profile within the last millisecond still counts.
  const remainder = ((first + 1n) * nanosPerMilli) % stepNanos;
  const offsetNanos = remainder === 0n ? 0n : stepNanos - remainder;
  const range = {
    from: (first - stepMillis + 1n) * nanosPerMilli + offsetNanos,
    to: (last + 1n) * nanosPerMilli - 1n + offsetNanos,
  };
  const { conditions } = parsePyroscopeSelector(labelSelector);
  return {
    question: {
      query: profilesQuery(profileTypeID, [...conditions, ...more], offsetNanos),
      range,
      stepNanos,
      sumBy: [...new Set(groupBy)],
      limit: 0,
      view,
    },
    offsetNanos,
    pointMillis: (bucketNanos) => (bucketNanos - offsetNanos + stepNanos) / nanosPerMilli - 1n,
  };
}

export function invalid(message: string): AppError {
  return new AppError('invalid-argument', message);
}
