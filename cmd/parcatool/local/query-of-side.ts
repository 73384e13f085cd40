// A query about one of the two files of a comparison.
import { parseQuery } from '../../../src/promql-like/parse.ts';
import { printQuery } from '../../../src/promql-like/print.ts';
import { QueryError } from '../../../src/promql-like/query.ts';
import { sideLabel } from './load-files.ts';

/** `text`, for the profiles of one side alone. Errors: AppError 'invalid-argument'. */
export function queryOfSide(text: string, side: 'base' | 'compared'): string {
  const { operand, stages } = parseQuery(text);
  if (operand.kind === 'diff') {
    throw new QueryError('the files are compared: expected no diff', text, operand.span);
  }
  const condition = { name: sideLabel, operator: '=', value: side } as const;
  return printQuery({
    operand: { ...operand, matchers: [...operand.matchers, condition] },
    stages,
  });
}
