// The largest functions of a selection; they are ranked in the report thread if there are many.
import { AppError } from '../../base/errors.ts';
import { asWords, numberAt } from '../../base/int64.ts';
import type { StringIndex } from '../../model/rows.ts';
import type { Top } from '../../report/top.ts';
import type { QueryContext } from '../running/context.ts';
import type {
  FunctionsQuestion,
  LargestFunctions,
  LargestQuestion,
  Report,
  ReportQuestion,
} from '../interface.ts';
import { planReport } from '../plan/plan.ts';
import type { ReportAnswerer } from '../report/report-answer.ts';
import type { ReportMaking } from '../report/report-thread.ts';

/**
 * Returns the functions with the largest values in the range; frames without a name are left out.
 */
export async function findLargestFunctions(
  { query, range, top, measure }: FunctionsQuestion,
  reports: ReportAnswerer,
  thread: ReportMaking | undefined,
  context: QueryContext,
): Promise<string[]> {
  const asked = { query, range, measure, count: top };
  const bytes = await encodeLargest(asked, 'names', encodeLargestNames, reports, thread, context);
  return JSON.parse(Buffer.from(bytes).toString()) as string[];
}

/** Returns the functions with the largest values, and their values. */
export async function answerLargest(
  question: LargestQuestion,
  reports: ReportAnswerer,
  thread: ReportMaking | undefined,
  context: QueryContext,
): Promise<LargestFunctions> {
  const encode = encodeLargestFunctions;
  const bytes = await encodeLargest(question, 'functions', encode, reports, thread, context);
  return JSON.parse(Buffer.from(bytes).toString()) as LargestFunctions;
}

async function encodeLargest(
  { query, range, measure, count }: LargestQuestion,
  encoding: 'names' | 'functions',
  encode: typeof encodeLargestNames,
  reports: ReportAnswerer,
  thread: ReportMaking | undefined,
  context: QueryContext,
): Promise<Uint8Array> {
  const plan = planReport({
    select: { mode: 'merge', query, range },
    report: 'top',
    measure,
    limit: count,
    nodeTrimFraction: 0,
    rootTrimFraction: 0,
    groupBy: [],
  });
  const merges = await reports.merge(plan, context);
  if (thread === undefined) return encode(reports.build(plan.build, merges), plan.build);
  return (await thread.make(plan.build, merges, encoding, context)).bytes;
}

/** Encodes the names in a 'top' report as a JSON list, ordered by the requested measure. */
export function encodeLargestNames(
  report: Report,
  { measure = 'flat', limit }: Pick<ReportQuestion, 'measure' | 'limit'>,
): Uint8Array {
  const { top } = expectTop(report);
  const rows = largestRows(top, measure).slice(0, limit);
  return Buffer.from(JSON.stringify(rows.map((row) => functionName(top, row))));
}

/** Encodes the functions in a 'top' report as LargestFunctions in JSON. */
export function encodeLargestFunctions(
  report: Report,
  { measure = 'flat', limit }: Pick<ReportQuestion, 'measure' | 'limit'>,
): Uint8Array {
  const { top, total, sampleCount, snapshots } = expectTop(report);
  const [flat, cumulative] = [asWords(top.flat), asWords(top.cumulative)];
  const rows = largestRows(top, measure).slice(0, limit);
  const functions = rows.map((row) => ({
    name: functionName(top, row),
    flat: numberAt(flat, row),
    cumulative: numberAt(cumulative, row),
  }));
  const answer: LargestFunctions = {
    total: Number(total),
    sampleCount: Number(sampleCount),
    snapshots,
    functions,
  };
  return Buffer.from(JSON.stringify(answer));
}

function expectTop(report: Report): Extract<Report, { readonly kind: 'top' }> {
  if (report.kind !== 'top') throw new AppError('internal', `got a ${report.kind} report`);
  return report;
}

function functionName({ dictionary, name }: Top, row: number): string {
  return dictionary.strings.text(name[row] as StringIndex);
}

/** Returns the rows with a name, the largest values first. */
function largestRows({ rowCount, name, ...values }: Top, measure: 'flat' | 'cumulative'): number[] {
  const column = values[measure];
  const rows = Array.from({ length: rowCount }, (_, row) => row).filter((row) => name[row] !== 0);
  rows.sort((a, b) => (column[a] === column[b] ? a - b : column[a] < column[b] ? 1 : -1));
  return rows;
}
