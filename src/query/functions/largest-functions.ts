// Names of the largest functions of a selection; ranked in the report thread when there are many.
import { AppError } from '../../base/errors.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { Top } from '../../report/top.ts';
import type { QueryContext } from '../running/context.ts';
import type { FunctionsQuestion, Report, ReportQuestion } from '../interface.ts';
import { planReport } from '../plan/plan.ts';
import type { ReportAnswerer } from '../report/report-answer.ts';
import type { ReportMaking } from '../report/report-thread.ts';

/**
 * Returns the functions with the largest values of the range; frames without a name do not count.
 */
export async function findLargestFunctions(
  { query, range, top, measure }: FunctionsQuestion,
  reports: ReportAnswerer,
  thread: ReportMaking | undefined,
  context: QueryContext,
): Promise<string[]> {
  const plan = planReport({
    select: { mode: 'merge', query, range },
    report: 'top',
    measure,
    limit: top,
    nodeTrimFraction: 0,
    rootTrimFraction: 0,
    groupBy: [],
  });
  const merges = await reports.merge(plan, context);
  const bytes =
    thread === undefined
      ? encodeLargestNames(reports.build(plan.build, merges), plan.build)
      : (await thread.make(plan.build, merges, 'names', context)).bytes;
  return JSON.parse(Buffer.from(bytes).toString()) as string[];
}

/** Encodes the names of a 'top' report as a JSON list, in order of the requested measure. */
export function encodeLargestNames(
  report: Report,
  { measure = 'flat', limit }: Pick<ReportQuestion, 'measure' | 'limit'>,
): Uint8Array {
  if (report.kind !== 'top') throw new AppError('internal', `got a ${report.kind} report`);
  return Buffer.from(JSON.stringify(largestNames(report.top, measure).slice(0, limit)));
}

function largestNames(
  { dictionary, rowCount, name, ...values }: Top,
  measure: 'flat' | 'cumulative',
): string[] {
  const column = values[measure];
  const rows = Array.from({ length: rowCount }, (_, row) => row).filter((row) => name[row] !== 0);
  rows.sort((a, b) => (column[a] === column[b] ? a - b : column[a] < column[b] ? 1 : -1));
  return rows.map((row) => dictionary.strings.text(name[row] as StringIndex));
}
