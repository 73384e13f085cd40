// The `match` strings in requests for labels: selectors, or bare conditions as in Parca.
import * as terms from './gen/query.terms.ts';
import { parseSelector } from './parse.ts';
import { QueryError, type Selector, type TextSpan } from './query.ts';
import { isString, readTokens } from './tokens.ts';

/**
 * Reads `process_cpu{job="x"}`, `{job="x"}` or `job="x", pod=~"y.*",`; undefined for "", which
 * selects all series.
 *
 * Errors: as in parseSelector.
 */
export function parseMatch(text: string): Selector | undefined {
  const [first, second] = readTokens(text).filter(({ type }) => type !== terms.Comment);
  if (first === undefined) return undefined;
  const isName = isString(first) || /^\w+$/.test(first.text);
  if (!isName || second?.type !== terms.Operator) return parseSelector(text);
  try {
    // The closing brace is on a separate line, because the conditions may end in a comment.
    return parseSelector(`{${text}\n}`);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const isPastEnd = error.position.from > text.length;
    const reason = isPastEnd
      ? error.reason.replace('got "}"', 'got the end of the conditions')
      : error.reason;
    throw new QueryError(reason, text, spanWithin(text, error.position), { cause: error });
  }
}

/** Converts a span in the query, which has a brace before the conditions, to one in `text`. */
function spanWithin({ length }: string, { from, to }: TextSpan): TextSpan {
  return { from: Math.min(from - 1, length), to: Math.min(to - 1, length) };
}
