// The ranges of time of a selector: moved by its offset, within a time or without one.
import { int64Max, int64Min } from '../../base/int64.ts';
import type { Selector } from '../../promql-like/query.ts';
import type { TimeRange } from '../../storage/interface.ts';

/** A selector and its range of time. */
export interface SelectorInTime {
  readonly selector: Selector;
  /** Range of the profiles, from which the selector's offset is subtracted. */
  readonly range: TimeRange;
}

/** Returns the range that is earlier by the selector's offset, within the limits of time. */
export function withOffset({ from, to }: TimeRange, { offset }: Selector): TimeRange {
  const nanos = offset?.nanos ?? 0n;
  return { from: clampToInt64(from - nanos), to: clampToInt64(to - nanos) };
}

/**
 * Returns the parts of the range that the selector leaves, in order of time: one range, none, or
 * the two around the excluded time. The selector's times are those before the offset.
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

/** Returns the sum of the lengths of ranges, in nanoseconds. */
export function totalLength(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + Number(to - from), 0);
}

/**
 * Returns the part of a range within a selector's time; if there is none, it ends before it starts.
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
