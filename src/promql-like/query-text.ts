// The token of a query in an expression: all characters up to the bracket that opens its window.
import { ExternalTokenizer } from '@lezer/lr';
import { QueryText } from './gen/expression.terms.ts';

const [newline, openBracket] = [10, 91];
const [doubleQuote, singleQuote, backtick, backslash, hash] = [34, 39, 96, 92, 35];
/** Code that the input returns after its last character. */
const end = -1;

/**
 * Reads a query. Brackets in its strings and comments belong to it. It has no other brackets.
 */
export const queryText: ExternalTokenizer = new ExternalTokenizer((input) => {
  let quote = 0;
  let isComment = false;
  for (let next = input.next; next !== end; next = input.advance()) {
    if (isComment) isComment = next !== newline;
    else if (quote !== 0) {
      if (next === backslash && quote !== backtick) input.advance();
      else if (next === quote) quote = 0;
    } else if (next === doubleQuote || next === singleQuote || next === backtick) quote = next;
    else if (next === hash) isComment = true;
    else if (next === openBracket) {
      input.acceptToken(QueryText);
      return;
    }
  }
});
