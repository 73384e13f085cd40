// Parses a query string without the grammar, which is too large for the first load.
import { describeTime } from '../../../src/model/profile-meaning.ts';
import type { Span } from '../rpc/api.ts';

/**
 * Returns the profile type of a query: the part before its matchers; in a diff, the type of the
 * base.
 */
export function profileTypeOfQuery(query: string): string {
  return /^\s*(?:diff\s*\(\s*)?([^{<|,)\s]*)/.exec(query)?.[1] ?? '';
}

/**
 * Returns true if only the increase of a type is meaningful, not its total. A type that is not in
 * its full form counts as a delta.
 */
export function isCounter(text: string): boolean {
  const [, type = '', unit = '', , , suffix] = text.split(':');
  return describeTime({ sample: { type, unit }, delta: suffix === 'delta' }) === 'counts';
}

/** Returns true if a query contains an `increase` stage. */
export function asksIncrease(query: string): boolean {
  return /\|\s*increase\b/.test(withoutTexts(query));
}

/** Adds `increase` to a query for a counter; `type` is its full profile type. */
export function withIncrease(query: string, type: string): string {
  return isCounter(type) && !asksIncrease(query) ? addStage(query, 'increase') : query;
}

/** Adds a stage at the end of a query, after a comment if there is one. */
export function addStage(query: string, text: string): string {
  const endsInComment = /#[^\n]*$/.test(withoutTexts(query));
  return `${query.trimEnd()}${endsInComment ? '\n' : ' '}| ${text}`;
}

/** Removes the content of quoted strings from a query, so that only keywords remain. */
function withoutTexts(query: string): string {
  return query.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, '""');
}

/** Returns true if a query selects times within its range. */
export function hasTimes(query: string): boolean {
  return /@\s*\d/.test(withoutTexts(query));
}

/**
 * Returns the time that a query excludes, in milliseconds; undefined if there is none, or the query
 * has an offset.
 */
export function timeLeftOut(query: string): Span | undefined {
  const number = String.raw`\s*(\d+(?:\.\d+)?)\s*`;
  const found = new RegExp(String.raw`\bexcept\s*@${number}to\b${number}`).exec(
    withoutTexts(query),
  );
  if (found === null || isDiff(query)) return undefined;
  const [from, to] = found.slice(1).map((seconds) => Math.round(Number(seconds) * 1e3));
  return { from, to };
}

/** Detects inverted queries, and removes an `invert` at the end. */
export function invertedQuery(query: string): {
  readonly isInverted: boolean;
  /** Query without `invert`; undefined if `invert` is not the last stage. */
  readonly upright: string | undefined;
} {
  const times = withoutTexts(query).match(/\|\s*invert\b/g)?.length ?? 0;
  if (times % 2 === 0) return { isInverted: false, upright: query };
  const upright = query.replace(/\s*\|\s*invert\s*$/, '');
  return { isInverted: true, upright: upright === query ? undefined : upright };
}

/**
 * Returns true if the query starts with a quoted profile type: `{"my-cpu:..."}`,
 * `{__name__="..."}`.
 */
export function beginsWithQuotedType(query: string): boolean {
  return /^\s*[{<]\s*(?:(["'`])(?:\\.|(?!\1)[^\\])*\1\s*[,}>]|__name__\s*=)/.test(query);
}

/** Returns true if a query is a comparison. */
export function isDiff(query: string): boolean {
  return /^\s*diff\s*\(/.test(query);
}
