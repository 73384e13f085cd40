// Parses, prints, resolves and moves time ranges, which are values of `from` and `to`.
import { formatNanos } from '../format/numbers.ts';
import type { Span } from '../rpc/api.ts';

/** A time in the URL: relative to now, or fixed. */
export type TimePoint =
  | { readonly kind: 'relative'; readonly agoMillis: number }
  | { readonly kind: 'absolute'; readonly millis: number };

/** A chosen range; its resolved `to` is never before `from`. */
export interface TimeRange {
  readonly from: TimePoint;
  readonly to: TimePoint;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const unitMillis: readonly (readonly [unit: string, millis: number])[] = [
  ['w', 7 * day],
  ['d', day],
  ['h', hour],
  ['m', minute],
  ['s', second],
];

/** Named ranges, all ending now. */
export const presets: readonly { readonly label: string; readonly millis: number }[] = [
  { label: '5 minutes', millis: 5 * minute },
  { label: '15 minutes', millis: 15 * minute },
  { label: '1 hour', millis: hour },
  { label: '3 hours', millis: 3 * hour },
  { label: '6 hours', millis: 6 * hour },
  { label: '12 hours', millis: 12 * hour },
  { label: '24 hours', millis: day },
  { label: '2 days', millis: 2 * day },
  { label: '7 days', millis: 7 * day },
];

/** Range of a URL without `from` and `to`. */
export const defaultRange: TimeRange = lastMillis(15 * minute);

/** Returns the range with the given length that ends now. */
export function lastMillis(millis: number): TimeRange {
  return {
    from: { kind: 'relative', agoMillis: millis },
    to: { kind: 'relative', agoMillis: 0 },
  };
}

/** Creates a fixed range. */
export function fixedRange(from: number, to: number): TimeRange {
  return { from: { kind: 'absolute', millis: from }, to: { kind: 'absolute', millis: to } };
}

/**
 * Parses `now`, `now-15m`, milliseconds since the epoch or RFC 3339; undefined for other strings.
 */
export function parseTimePoint(text: string): TimePoint | undefined {
  if (text === 'now') return { kind: 'relative', agoMillis: 0 };
  const relative = /^now-(\d+)([smhdw])$/.exec(text);
  if (relative !== null) {
    const unit = unitMillis.find(([name]) => name === relative[2]);
    return unit && { kind: 'relative', agoMillis: Number(relative[1]) * unit[1] };
  }
  if (/^\d{1,15}$/.test(text)) return { kind: 'absolute', millis: Number(text) };
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? undefined : { kind: 'absolute', millis };
}

/** Prints the shortest string that parseTimePoint accepts. */
export function printTimePoint(point: TimePoint): string {
  if (point.kind === 'absolute') return String(point.millis);
  if (point.agoMillis === 0) return 'now';
  return `now-${printDuration(point.agoMillis)}`;
}

/**
 * Prints a duration such as `90m`, `1h` or `2d` in the largest unit that divides it; the smallest
 * unit is seconds.
 */
function printDuration(millis: number): string {
  const found = unitMillis.find(([, size]) => millis % size === 0);
  const [unit, size] = found ?? ['s', second];
  return `${Math.round(millis / size)}${unit}`;
}

/**
 * Resolves the range at `now`, and swaps its ends if they are in the wrong order. Both ends belong
 * to a range, so the last hour starts a millisecond later: a profile that is exactly an hour old
 * belongs to the hour before.
 */
export function resolveRange(range: TimeRange, now: number): Span {
  const { from, to } = findEnds(range, now);
  return range.from.kind === 'relative' && from < to ? { from: from + 1, to } : { from, to };
}

function findEnds(range: TimeRange, now: number): Span {
  const from = resolvePoint(range.from, now);
  const to = resolvePoint(range.to, now);
  return from <= to ? { from, to } : { from: to, to: from };
}

function resolvePoint(point: TimePoint, now: number): number {
  return point.kind === 'absolute' ? point.millis : now - point.agoMillis;
}

/** Returns true if the range moves with time, so that refreshing is useful. */
export function endsNow(range: TimeRange): boolean {
  return range.to.kind === 'relative' && range.to.agoMillis === 0;
}

/** Possible numbers of seconds between refreshes, and the width of a wide window in pixels. */
const [refreshSeconds, wideWindowPixels] = [[30, 60, 300], 1_440];

/**
 * Returns the default number of seconds between refreshes of a relative range. With more frequent
 * refreshes, the graph would not move by a pixel, and the same data would be summed again.
 */
export function chooseRefreshSeconds({ from, to }: Span): number {
  const pixelSeconds = (to - from) / second / wideWindowPixels;
  return refreshSeconds.find((one) => one >= pixelSeconds) ?? refreshSeconds[2];
}

/** Moves a range by `halves` times half its length; the result is fixed. */
export function moveRange(range: TimeRange, now: number, halves: number): TimeRange {
  const { from, to } = findEnds(range, now);
  const by = Math.round(((to - from) / 2) * halves);
  return to + by >= now ? lastMillis(wholeSeconds(to - from)) : fixedRange(from + by, to + by);
}

/** Scales a range around its middle, or around now if it ends now. */
export function scaleRange(range: TimeRange, now: number, factor: number): TimeRange {
  const { from, to } = findEnds(range, now);
  const length = Math.max(10 * second, (to - from) * factor);
  if (endsNow(range)) return lastMillis(wholeSeconds(length));
  const middle = (from + to) / 2;
  return fixedRange(Math.round(middle - length / 2), Math.round(middle + length / 2));
}

function wholeSeconds(millis: number): number {
  return Math.max(second, Math.round(millis / second) * second);
}

const niceSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200];

/**
 * Returns the width of a bucket in the metrics graph: the smallest round width with at most
 * `points` buckets.
 */
export function chooseStep(span: Span, points: number): number {
  const wanted = (span.to - span.from) / second / Math.max(1, points);
  const step = niceSteps.find((candidate) => candidate >= wanted);
  return (step ?? Math.ceil(wanted / 86_400) * 86_400) * second;
}

/** Returns the title of a range: "Last 15 minutes", or both ends in the given time zone. */
export function describeRange(range: TimeRange, utc: boolean): string {
  const preset = presets.find(
    ({ millis }) =>
      endsNow(range) && range.from.kind === 'relative' && range.from.agoMillis === millis,
  );
  if (preset !== undefined) return `Last ${preset.label}`;
  if (range.from.kind === 'relative') {
    const to = endsNow(range) ? '' : ` to ${printTimePoint(range.to)}`;
    return `Last ${formatNanos(range.from.agoMillis * 1e6)}${to}`;
  }
  const from = toInputText(range.from.millis, utc).replace('T', ' ');
  if (range.to.kind === 'relative') return `${from} to ${printTimePoint(range.to)}`;
  const to = toInputText(range.to.millis, utc).replace('T', ' ');
  return `${from} to ${to.slice(0, 10) === from.slice(0, 10) ? to.slice(11) : to}`;
}

/** Returns the value for an input of type datetime-local: `YYYY-MM-DDTHH:MM:SS`. */
export function toInputText(millis: number, utc: boolean): string {
  const date = new Date(millis);
  const offset = utc ? 0 : date.getTimezoneOffset() * minute;
  return new Date(millis - offset).toISOString().slice(0, 19);
}

/** Parses the value of an input of type datetime-local; undefined if it is empty or incomplete. */
export function fromInputText(text: string, utc: boolean): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?/.test(text)) return undefined;
  const millis = Date.parse(utc ? `${text}Z` : text);
  return Number.isNaN(millis) ? undefined : millis;
}
