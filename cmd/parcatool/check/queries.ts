// Edits query strings.
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { printQuery } from '../../../src/promql-like/print.ts';
import { QueryError } from '../../../src/promql-like/query.ts';

/** Returns the query with an additional label matcher. Errors: QueryError for a diff. */
export function withMatcher(text: string, name: string, value: string): string {
  const { operand, stages } = parseQuery(text);
  if (operand.kind === 'diff') {
    throw new QueryError(
      'both sides have queries of their own: expected no diff',
      text,
      operand.span,
    );
  }
  const matcher = { name, operator: '=', value } as const;
  return printQuery({ operand: { ...operand, matchers: [...operand.matchers, matcher] }, stages });
}
