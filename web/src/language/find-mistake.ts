// The first mistake of a query text, with its place: the server's own strict parser, in the page.
import { errorMessage } from '../../../src/base/errors.ts';
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { QueryError } from '../../../src/promql-like/query.ts';

/** What is wrong, and where in the text (UTF-16 offsets). */
export interface Mistake {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** undefined for a query the server would accept. */
export function findMistake(text: string): Mistake | undefined {
  try {
    parseQuery(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryError)) {
      return { message: errorMessage(error), from: 0, to: text.length };
    }
    return { message: error.reason, from: error.position.from, to: error.position.to };
  }
}
