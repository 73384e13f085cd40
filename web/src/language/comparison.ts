// Converts a query to a comparison with another time or label value, and edits its sides.
import type { SyntaxNode } from '@lezer/common';
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import { parseOffset, printOffset } from '../../../src/promql-like/offset.ts';
import { parseTime, printTimeSpan } from '../../../src/promql-like/time.ts';
import type { Span } from '../rpc/api.ts';
import { addMatcher } from './matchers.ts';
import { parseQuery } from './parse-query.ts';

/** One side of a comparison. */
export interface SideText {
  /** Complete query of the side, with offset and stages. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Offset: milliseconds by which its profiles are earlier than the range. */
  readonly offsetMillis: number;
  /** Part of the range that the side selects, and part that it excludes. */
  readonly within: Span | undefined;
  readonly except: Span | undefined;
}

export type SideName = 'before' | 'now';

const nanosPerMilli = 1_000_000n;

/** Returns the sides of a comparison; undefined for other queries. */
export function readSides(query: string): Record<SideName, SideText> | undefined {
  const sides = parseQuery(query).topNode.getChild(terms.Diff)?.getChildren(terms.Side);
  const [before, now] = (sides ?? []).map(({ from, to }) => {
    const text = query.slice(from, to);
    return { text, from, to, offsetMillis: readOffset(text), ...readTimes(text) };
  });
  return before && now && { before, now };
}

function readOffset(query: string): number {
  const offset = offsetNode(query);
  const duration = offset?.getChild(terms.Duration);
  const text = duration ? query.slice(duration.from, duration.to) : '';
  return Number((parseOffset(text) ?? 0n) / 1_000_000n);
}

function readTimes(query: string): Pick<SideText, 'within' | 'except'> {
  const selector = selectorNode(query);
  const [within, except] = [selector, selector?.getChild(terms.Except)].map((node) => {
    const span = node?.getChild(terms.TimeSpan);
    return span ? readSpan(query, span) : undefined;
  });
  return { within, except };
}

/** Parses a time in milliseconds; undefined if it is incomplete. */
function readSpan(query: string, node: SyntaxNode): Span | undefined {
  const [from, to] = node
    .getChildren(terms.Time)
    .map((time) => parseTime(query.slice(time.from, time.to)))
    .map((nanos) => (nanos === undefined ? nanos : Number(nanos / nanosPerMilli)));
  return from === undefined || to === undefined ? undefined : { from, to };
}

function printSpan({ from, to }: Span): string {
  const [start, end] = [from, to].map((millis) => BigInt(millis) * nanosPerMilli);
  return printTimeSpan({ from: start, to: end });
}

function isSameSpan(one: Span | undefined, other: Span | undefined): boolean {
  return one?.from === other?.from && one?.to === other?.to;
}

/** Returns the times in a range that a side selects, in order. */
export function listSpans(
  { offsetMillis, within, except }: SideText,
  range: Span,
): readonly Span[] {
  const moved = ({ from, to }: Span): Span => ({
    from: from - offsetMillis,
    to: to - offsetMillis,
  });
  const whole = moved(range);
  const only = within === undefined ? whole : moved(within);
  const from = Math.max(whole.from, only.from);
  const to = Math.min(whole.to, only.to);
  const out = except && moved(except);
  const spans =
    out === undefined
      ? [{ from, to }]
      : [
          { from, to: Math.min(to, out.from - 1) },
          { from: Math.max(from, out.to + 1), to },
        ];
  return spans.filter((span) => span.from <= span.to);
}

/** Removes the times and the offset after the query's selector. */
export function withoutTimes(query: string): string {
  return withTimes(withOffset(query, 0), '');
}

/** Replaces the times after the query's selector. */
function withTimes(query: string, times: string): string {
  const selector = selectorNode(query);
  if (selector === undefined) return query;
  const found = [selector.getChild(terms.TimeSpan), selector.getChild(terms.Except)].flatMap(
    (node) => node ?? [],
  );
  const start = found.at(0)?.from ?? offsetNode(query)?.from ?? selector.to;
  const end = found.at(-1)?.to ?? start;
  const rest = query.slice(end).trimStart();
  const before = [query.slice(0, start).trimEnd(), times].filter(Boolean).join(' ');
  return rest === '' || /^[,)]/.test(rest) ? before + rest : `${before} ${rest}`;
}

/** Moves a time in the query, on both sides of a comparison. */
export function moveSpan(query: string, span: Span, millis: number): string {
  const moved = { from: span.from + millis, to: span.to + millis };
  const found: SyntaxNode[] = [];
  parseQuery(query).iterate({
    enter: ({ type, node }) => {
      const read = type.id === terms.TimeSpan ? readSpan(query, node) : undefined;
      if (read?.from === span.from && read.to === span.to) found.push(node);
    },
  });
  return found.reduceRight(
    (text, { from, to }) => text.slice(0, from) + printSpan(moved) + text.slice(to),
    query,
  );
}

function offsetNode(query: string) {
  return selectorNode(query)?.getChild(terms.Offset) ?? undefined;
}

function selectorNode(query: string) {
  return parseQuery(query).topNode.getChild(terms.Selector) ?? undefined;
}

/** Returns the query with an offset of `millis`. */
export function withOffset(query: string, millis: number): string {
  const seconds = Math.round(millis / 1_000);
  const text = seconds === 0 ? '' : ` offset ${printOffset(BigInt(seconds) * 1_000_000_000n)}`;
  const found = offsetNode(query);
  if (found !== undefined) {
    return query.slice(0, found.from).trimEnd() + text + query.slice(found.to);
  }
  const end = selectorNode(query)?.to ?? query.length;
  return query.slice(0, end) + text + query.slice(end);
}

/** Applies an edit to one side of a comparison. */
export function editSide(query: string, name: SideName, edit: (side: string) => string): string {
  const side = readSides(query)?.[name];
  return side === undefined
    ? query
    : query.slice(0, side.from) + edit(side.text) + query.slice(side.to);
}

/**
 * Returns the offset between a range and an equally long range right before or after it. Both ends
 * belong to a range, and offsets are whole seconds, so the offset is up to a second longer than the
 * range; no profile is in both ranges.
 */
export function distanceToNext({ from, to }: { readonly from: number; readonly to: number }) {
  return Math.floor((to - from) / 1_000) * 1_000 + 1_000;
}

/**
 * Compares the query with itself `millis` earlier. If it is a comparison already, returns its
 * compared side.
 *
 * `cpu{a="b"} | top 3` becomes `diff(cpu{a="b"} offset 1h, cpu{a="b"}) | top 3`. An invalid query,
 * or a query with an offset, is not changed.
 */
export function toggleComparison(query: string, millis: number): string {
  const compared = sideQuery(query, 'now');
  return compared === query ? compareWithEarlier(query, millis) : compared;
}

/**
 * Compares the query with itself `millis` earlier. If it is a comparison, uses its compared side.
 */
export function compareWithEarlier(query: string, millis: number): string {
  const earlier = Math.max(1_000, millis);
  return compare(query, (text) => [withOffset(text, earlier), text]);
}

/** Compares the query with itself `millis` later. If it is a comparison, its base is replaced. */
export function compareWithLater(query: string, millis: number): string {
  const later = Math.max(1_000, millis);
  return compare(query, (text) => [withOffset(text, -later), text]);
}

/**
 * Compares a time in the range with the rest of the range. If the query is a comparison, uses its
 * compared side.
 */
export function compareWithRest(query: string, span: Span): string {
  return compare(query, (text) => [
    withTimes(text, `except ${printSpan(span)}`),
    withTimes(text, printSpan(span)),
  ]);
}

/**
 * If the query compares a time with the rest, returns the compared query with this time as the
 * selection; other queries are not changed.
 */
export function withTimeSelected(query: string): {
  readonly query: string;
  readonly selection?: Span;
} {
  const compared = sideQuery(query, 'now');
  const { within, except } = readTimes(compared);
  const other = readSides(query)?.before;
  const isSwapped = within === undefined && isSameSpan(other?.within, except);
  const selection = isSwapped ? except : within;
  if (selection === undefined || (except !== undefined && !isSwapped)) return { query };
  return { query: withTimes(compared, ''), selection };
}

/**
 * Compares the query for one label value with the query for the value `before`. If the query is a
 * comparison, uses its compared side.
 */
export function compareValues(query: string, label: string, before: string, value: string): string {
  return compare(query, (text) => [
    addMatcher(text, label, '=', before),
    addMatcher(text, label, '=', value),
  ]);
}

/** Swaps the sides of a comparison; other queries are not changed. */
export function swapSides(query: string): string {
  const sides = readSides(query);
  if (sides === undefined) return query;
  const { before, now } = sides;
  const between = query.slice(before.to, now.from);
  return query.slice(0, before.from) + now.text + between + before.text + query.slice(now.to);
}

/** Returns the query of one side of a comparison, including the stages after the comparison. */
export function sideQuery(query: string, name: SideName): string {
  const diff = parseQuery(query).topNode.getChild(terms.Diff);
  const side = readSides(query)?.[name];
  return diff === null || side === undefined ? query : side.text + query.slice(diff.to);
}

/**
 * Builds a comparison from the sides that `makeSides` returns for the selector; stages apply to
 * both sides.
 */
function compare(
  query: string,
  makeSides: (text: string) => readonly [before: string, now: string],
): string {
  const compared = sideQuery(query, 'now');
  const selector = selectorNode(compared);
  if (selector === undefined || selector.getChild(terms.Offset) !== null) return query;
  const text = compared.slice(selector.from, selector.to);
  if (text === '') return query;
  return `diff(${makeSides(text).join(', ')})${compared.slice(selector.to)}`;
}
