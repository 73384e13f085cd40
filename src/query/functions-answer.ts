// Values of a few functions over time: a small report for each bucket.
import { AppError } from '../base/errors.ts';
import { functionBucketsMax } from '../base/limits.ts';
import { grown } from '../model/column.ts';
import type { StringIndex } from '../model/rows.ts';
import { functionSumsMax } from '../report/function-sums.ts';
import type { Top } from '../report/top.ts';
import type { TimeRange } from '../storage/interface.ts';
import type { QueryContext } from './context.ts';
import type { FunctionSeries, FunctionsAnswer, FunctionsQuestion, Report } from './interface.ts';
import { missingSentences } from './missing.ts';
import { pipelineOverTime } from './plan.ts';
import type { ReportAnswerer } from './report-answer.ts';
import { checkRange } from './select.ts';

type FunctionsReport = Extract<Report, { kind: 'functions' }>;

/**
 * Values of functions in buckets of `stepNanos` that begin at its multiples; those without profiles
 * are left out. Each bucket is a merge of its own, so its sums are as exact as those of a report.
 *
 * Errors: AppError 'invalid-argument' for too many buckets or functions; QueryError for a diff.
 */
export async function answerFunctions(
  question: FunctionsQuestion,
  reports: ReportAnswerer,
  context: QueryContext,
): Promise<FunctionsAnswer> {
  const { query, range } = question;
  checkQuestion(question);
  pipelineOverTime(query);
  const names =
    question.names.length > 0 ? question.names : await topNames(question, reports, context);
  const sumOf = (part: TimeRange): Promise<FunctionsReport> =>
    sumFunctionsOf(query, part, names, reports, context);
  const whole = await sumOf(range);
  const columns = new BucketColumns(names.length);
  const missing = [...whole.missing];
  for (const [start, bucket] of bucketsOf(question)) {
    const report = await sumOf(bucket);
    missing.push(...report.missing);
    // Counts whose profiles know no period are worth 0 of what the whole is scaled to.
    const isWorth = report.valueType.unit === whole.valueType.unit;
    if (report.profileCount > 0) columns.add(start, report, isWorth);
  }
  const { profileType, valueType, total, profileCount } = whole;
  return {
    ...{ profileType, valueType, total, profileCount, ...columns.finish(names, whole) },
    missing: missingSentences(missing),
  };
}

function checkQuestion({ range, stepNanos, names, top }: FunctionsQuestion): void {
  checkRange(range);
  if (stepNanos <= 0n) throw invalid('step: must be longer than 0.');
  const count = (range.to - range.from) / stepNanos + 1n;
  if (count > functionBucketsMax) {
    throw invalid(
      `cannot show functions over time: ${count} steps are more than ${functionBucketsMax}; ` +
        'take a longer step',
    );
  }
  if (Math.max(names.length, top) > functionSumsMax) {
    throw invalid(`cannot show more than ${functionSumsMax} functions over time`);
  }
  if (new Set(names).size < names.length) {
    throw invalid('cannot show a function twice: name each once');
  }
}

function invalid(message: string): AppError {
  return new AppError('invalid-argument', message);
}

/** The functions with the largest values of the range; frames without a name are none. */
async function topNames(
  { query, range, top, measure }: FunctionsQuestion,
  reports: ReportAnswerer,
  context: QueryContext,
): Promise<string[]> {
  const report = await reports.answer(
    { ...plainReport, report: 'top', select: { mode: 'merge', query, range } },
    context,
  );
  return report.kind === 'top' ? largest(report.top, measure).slice(0, top) : [];
}

function largest({ dictionary, rowCount, name, ...values }: Top, measure: 'flat' | 'cumulative') {
  const column = values[measure];
  const rows = Array.from({ length: rowCount }, (_, row) => row).filter((row) => name[row] !== 0);
  rows.sort((a, b) => (column[a] === column[b] ? a - b : column[a] < column[b] ? 1 : -1));
  return rows.map((row) => dictionary.strings.text(name[row] as StringIndex));
}

const plainReport = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };

async function sumFunctionsOf(
  query: string,
  range: TimeRange,
  functionNames: readonly string[],
  reports: ReportAnswerer,
  context: QueryContext,
): Promise<FunctionsReport> {
  const select = { mode: 'merge', query, range } as const;
  const question = { ...plainReport, report: 'functions', select, functionNames } as const;
  const report = await reports.answer(question, context);
  if (report.kind !== 'functions') throw new AppError('internal', `got a ${report.kind} report`);
  return report;
}

/** Start and range of each bucket; the first and the last are cut at the ends of the range. */
function* bucketsOf({ range, stepNanos }: FunctionsQuestion): Generator<[bigint, TimeRange]> {
  const rest = range.from % stepNanos;
  let start = range.from - (rest < 0n ? rest + stepNanos : rest);
  for (; start <= range.to; start += stepNanos) {
    const from = start < range.from ? range.from : start;
    const end = start + stepNanos - 1n;
    yield [start, { from, to: end > range.to ? range.to : end }];
  }
}

/** Columns with an element for each bucket. */
class BucketColumns {
  private length = 0;
  private time = new BigInt64Array(64);
  private total = new BigInt64Array(64);
  private profileCount = new Uint32Array(64);
  private durationNanos = new BigInt64Array(64);
  private snapshots = new Float64Array(64);
  private readonly flat: BigInt64Array<ArrayBuffer>[];
  private readonly cumulative: BigInt64Array<ArrayBuffer>[];

  constructor(functionCount: number) {
    const column = (): BigInt64Array<ArrayBuffer> => new BigInt64Array(64);
    this.flat = Array.from({ length: functionCount }, column);
    this.cumulative = Array.from({ length: functionCount }, column);
  }

  add(start: bigint, report: FunctionsReport, isWorth: boolean): void {
    const row = this.length;
    this.length = row + 1;
    this.time = grown(this.time, row + 1);
    this.total = grown(this.total, row + 1);
    this.profileCount = grown(this.profileCount, row + 1);
    this.durationNanos = grown(this.durationNanos, row + 1);
    this.snapshots = grown(this.snapshots, row + 1);
    this.time[row] = start;
    this.profileCount[row] = report.profileCount;
    this.durationNanos[row] = report.durationNanos;
    this.snapshots[row] = report.snapshots;
    this.total[row] = isWorth ? report.total : 0n;
    for (let i = 0; i < this.flat.length; i += 1) {
      this.flat[i] = grown(this.flat[i], row + 1);
      this.cumulative[i] = grown(this.cumulative[i], row + 1);
      this.flat[i][row] = isWorth ? report.sums.flat[i] : 0n;
      this.cumulative[i][row] = isWorth ? report.sums.cumulative[i] : 0n;
    }
  }

  finish(names: readonly string[], whole: FunctionsReport) {
    const { length } = this;
    const functions: FunctionSeries[] = names.map((name, i) => ({
      name,
      flatTotal: whole.sums.flat[i],
      cumulativeTotal: whole.sums.cumulative[i],
      flat: this.flat[i].subarray(0, length),
      cumulative: this.cumulative[i].subarray(0, length),
    }));
    return {
      buckets: {
        timeNanos: this.time.subarray(0, length),
        total: this.total.subarray(0, length),
        profileCount: this.profileCount.subarray(0, length),
        durationNanos: this.durationNanos.subarray(0, length),
        snapshots: this.snapshots.subarray(0, length),
      },
      functions,
    };
  }
}
