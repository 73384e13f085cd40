// Queries with an unquoted profile type that is not a word, as clients make them from answers of
// ProfileTypes: `my-cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="x"}`.
import { quoteString } from './string.ts';

/** Number of colons in a full profile type. */
const colonsMin = 4;
const colonsMax = 5;
/** Number of ends that are tried, because what follows the type may be part of it. */
const endsMax = 4;
/**
 * Characters of conditions and stages that units never contain: a mistake in a stage is not part of
 * a type.
 */
const notOfTypes = /[=~|"'`]/;

/** Things that follow a type: conditions, stages, times, an offset, nothing. */
const followers = /[{<|]|\s@|\s(?:except|offset)\b|$/g;

/** Returns the query with its type in quotes, for each end that the type may have, shortest first. */
export function withQuotedType(text: string): string[] {
  const start = text.length - text.trimStart().length;
  // These are conditions with a mistake, which may have as many colons as a type.
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
