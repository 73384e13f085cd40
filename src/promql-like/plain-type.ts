// Queries with an unquoted profile type that is not a word. Clients build them from the answers of
// ProfileTypes: `my-cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="x"}`.
import { quoteString } from './string.ts';

/** Minimum number of colons in a full profile type. */
const colonsMin = 4;
const colonsMax = 5;
/**
 * Maximum number of positions that are tried as the end of the type. There may be several, because
 * a type may contain something that looks like a condition.
 */
const endsMax = 4;
/**
 * Characters of conditions and stages that units never contain, so that a stage with a mistake is
 * not taken for a part of a type.
 */
const notOfTypes = /[=~|"'`]/;

/** Tokens that may follow a type: conditions, stages, times, an offset, nothing. */
const followers = /[{<|]|\s@|\s(?:except|offset)\b|$/g;

/**
 * Returns the query with its type in quotes: one version for each possible end of the type, the
 * shortest type first.
 */
export function withQuotedType(text: string): string[] {
  const start = text.length - text.trimStart().length;
  // The query has no type, only conditions with a mistake, which may have as many colons as a type.
  if (text[start] === '{') return [];
  const readings: string[] = [];
  let firstEnd: number | undefined;
  for (const { index } of text.matchAll(followers)) {
    const type = text.slice(start, index).trimEnd();
    const colons = type.split(':').length - 1;
    if (colons > colonsMax || readings.length === endsMax) break;
    if (colons < colonsMin) continue;
    firstEnd ??= index;
    if (notOfTypes.test(text.slice(firstEnd, index))) break;
    readings.push(quoted(type, text.slice(index)));
  }
  return readings;
}

function quoted(type: string, rest: string): string {
  const opening = /^[{<]/.exec(rest)?.[0];
  return opening === undefined
    ? `{${quoteString(type)}}${rest}`
    : `${opening}${quoteString(type)}, ${rest.slice(1)}`;
}
