// Queries whose profile type is no word and stands there without quotes, as clients write that put
// together what ProfileTypes lists: `my-cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="x"}`.
import { quoteString } from './string.ts';

/** Colons in a profile type in full. */
const colonsMin = 4;
const colonsMax = 5;
/** What may come after the type may be part of it: so many ends are tried. */
const endsMax = 4;
/** What conditions and stages have, and units do not: a mistake in them makes no other type. */
const notOfTypes = /[=~|"'`]/;

/** What may follow: conditions, stages, an offset, nothing. */
const followers = /[{<|]|\soffset\b|$/g;

/** The query with its type in quotes, by where the type may end, the shortest one first. */
export function withQuotedType(text: string): string[] {
  const start = text.length - text.trimStart().length;
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
