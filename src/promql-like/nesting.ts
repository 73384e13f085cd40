// The limit on nested parentheses, because the parser takes 8 us for each level.
import { queryNestingMax } from './limits.ts';
import { QueryError } from './query.ts';

/**
 * Matches parentheses. Also matches strings and comments, closed or not, because parentheses in
 * them do not count.
 */
const tokens = /[()]|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*|'(?:[^'\\\n]|\\[^\n])*|`[^`]*/g;

/** Returns the offset of the first parenthesis that is nested too deeply. */
export function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === ')') depth -= 1;
    if (token !== '(') continue;
    depth += 1;
    if (depth > queryNestingMax) return index;
  }
  return undefined;
}

/**
 * Checks the nesting of parentheses. Errors: QueryError at a parenthesis that is nested too deeply.
 */
export function checkNesting(text: string): void {
  const from = tooDeepAt(text);
  if (from === undefined) return;
  const reason = `parentheses are nested more than ${queryNestingMax} deep`;
  throw new QueryError(reason, text, { from, to: from + 1 });
}
