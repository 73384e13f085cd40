// Time ranges of a selector: shifted by its offset, and clipped to the times that it selects or
// excludes.
import { int64Max, int64Min } from '../../base/int64.ts';
import { sampleLeadMillisMax, sampleSpanMillisMax } from '../../model/limits.ts';
import {
  QueryError,
  type Selector,
  type TextSpan,
  type WrittenRange,
} from '../../promql-like/query.ts';
import type { TimeRange } from '../../storage/interface.ts';

/** A selector and its range of time. */
export interface SelectorInTime {
  readonly selector: Selector;
  /** Range of the profiles, before the selector's offset is subtracted. */
  readonly range: TimeRange;
}

/** Returns the range shifted back by the selector's offset, within the limits of int64. */
export function withOffset({ from, to }: TimeRange, { offset }: Selector): TimeRange {
  const nanos = offset?.nanos ?? 0n;
  return { from: clampToInt64(from - nanos), to: clampToInt64(to - nanos) };
}

/**
 * Returns the parts of the range that the selector does not exclude, in order of time. There are
 * none, one, or two around the excluded time. The selector's times apply before the offset.
 */
export function splitRange({ selector, range }: SelectorInTime): readonly TimeRange[] {
  const { within, except } = selector;
  const time = within && withOffset(within, selector);
  const left = rangeWithin(range, { within: time });
  if (except === undefined) return [left].filter(isSome);
  const { from, to } = withOffset(except, selector);
  const before = { from: left.from, to: least(left.to, from - 1n) };
  const after = { from: greatest(left.from, to + 1n), to: left.to };
  return [before, after].filter(isSome);
}

/** Times of the samples to select, and the ranges of the profiles that may contain them. */
export interface SampleRanges {
  readonly samples: TimeRange;
  readonly profiles: readonly TimeRange[];
}

/**
 * Returns the ranges in which to look for samples of `written`, to which the offset has not been
 * applied. Profiles may begin up to an hour earlier. Undefined if the selector excludes the
 * complete range.
 *
 * Errors: QueryError if the selector excludes a time in the middle of the range.
 */
export function samplesWithin(
  asked: SelectorInTime,
  written: WrittenRange | TimeRange,
): SampleRanges | undefined {
  const time = withOffset(written, asked.selector);
  const left = splitRange(asked).map((range) => rangeWithin(range, { within: time }));
  const [samples, second] = left.filter(isSome);
  if (second !== undefined) {
    const { except, text } = asked.selector;
    const reason = 'the samples must not be on both sides of the time that is left out';
    throw new QueryError(reason, text, except?.span ?? { from: 0, to: text.length });
  }
  return samples && { samples, profiles: [profileRange(samples)] };
}

/** Throws QueryError if samples of an increase are requested. */
export function refuseIncrease(text: string, increase: TextSpan | undefined): void {
  if (increase === undefined) return;
  const reason = 'samples have no increase: it is between whole profiles';
  throw new QueryError(reason, text, increase);
}

/** Returns the range of the profiles that may contain samples of a range. */
function profileRange({ from, to }: TimeRange): TimeRange {
  return {
    from: clampToInt64(from - BigInt(sampleSpanMillisMax) * 1_000_000n),
    to: clampToInt64(to + BigInt(sampleLeadMillisMax) * 1_000_000n),
  };
}

/** Returns the sum of the lengths of ranges, in nanoseconds. */
export function totalLength(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + Number(to - from), 0);
}

/**
 * Returns the part of a range that is within a selector's time. If there is none, the result ends
 * before it starts.
 */
export function rangeWithin(
  { from, to }: TimeRange,
  { within }: { readonly within: TimeRange | undefined },
): TimeRange {
  if (within === undefined) return { from, to };
  return { from: greatest(from, within.from), to: least(to, within.to) };
}

function isSome({ from, to }: TimeRange): boolean {
  return from <= to;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greatest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function clampToInt64(value: bigint): bigint {
  return greatest(int64Min, least(int64Max, value));
}
