// Values of a few functions over time: each bucket is a small report.
import { assert } from '../../base/assert.ts';
import { AppError } from '../../base/errors.ts';
import { functionBucketsMax } from '../limits.ts';
import { finishPausing } from '../../base/pacer.ts';
import { areNamesPending, joinNameGaps, type NameGaps, noNameGaps } from '../../model/name-gaps.ts';
import type { ValueType } from '../../model/profile-type.ts';
import type { ResolvedTypes } from '../../promql-like/resolve.ts';
import { functionSumsMax, FunctionSummer } from '../../report/function-sums.ts';
import type { Querier, TimeRange } from '../../storage/interface.ts';
import type { QueryContext } from '../running/context.ts';
import type { FunctionSeries, FunctionsAnswer, FunctionsQuestion, Report } from '../interface.ts';
import { missingSentences } from '../notes/missing.ts';
import { pipelineOverTime, planReport, type ReportPlan, withRange } from '../plan/plan.ts';
import { withOffset } from '../plan/ranges.ts';
import type { ReportAnswerer } from '../report/report-answer.ts';
import { checkRange, resolveSelector } from '../plan/select.ts';
import type { BucketStates } from './known-buckets.ts';

type FunctionsReport = Extract<Report, { kind: 'functions' }>;

/**
 * Returns the values of functions in buckets. Buckets have the width `stepNanos` and begin at
 * multiples of it; buckets without profiles are left out. Each bucket is merged separately, so that
 * its sums are as exact as those of a report, and the buckets add up to the range. If no functions
 * are named, `largest` finds them.
 *
 * Errors: AppError 'invalid-argument' for too many buckets or functions; QueryError for a diff.
 */
export async function answerFunctions(
  question: FunctionsQuestion,
  querier: Querier,
  reports: ReportAnswerer,
  largest: () => Promise<readonly string[]>,
  states: BucketStates,
  context: QueryContext,
): Promise<FunctionsAnswer> {
  const { query, names: asked, stepNanos, known } = question;
  checkQuestion(question);
  const { selector } = pipelineOverTime(query);
  // A short profile type has the same meaning in every bucket, even in a bucket without profiles.
  const time = withOffset(question.range, selector);
  const { profileTypes } = await resolveSelector({ selector, range: time }, querier);
  const names = asked.length > 0 ? asked : await largest();
  const functions = new FunctionSummer(names);
  const buckets: Bucket[] = [];
  const missing: string[] = [];
  const gaps: NameGaps[] = [noNameGaps];
  let head: Pick<FunctionsReport, 'valueType'> | undefined;
  const select = { mode: 'merge', query, range: question.range } as const;
  const plan = planReport({ ...plainReport, report: 'functions', select, functions });
  // The state is read before any bucket, so that a write in the meantime makes it outdated.
  const identity = { query, asked, step: String(stepNanos), types: profileTypes };
  const settled =
    asked.length > 0 ? states.settled(question.range, stepNanos, plan, identity) : undefined;
  const leftOut = known && states.areCurrent(known, identity) ? known.range : undefined;
  for (const [start, range] of splitIntoBuckets(question)) {
    const isWhole = range.from === start && range.to === start + stepNanos - 1n;
    if (isWhole && leftOut !== undefined && start >= leftOut.from && range.to <= leftOut.to)
      continue;
    const report = await sumFunctions(
      withRange(plan, range),
      profileTypes,
      functions,
      reports,
      context,
    );
    missing.push(...report.missing);
    gaps.push(report.nameGaps);
    head ??= report;
    if (report.profileCount > 0) buckets.push({ start, report });
    const pausing = context.pause();
    if (pausing !== undefined) await pausing;
  }
  if (head === undefined) {
    assert(leftOut !== undefined, 'a range has a bucket');
    return answerFunctions(
      { ...question, known: undefined },
      querier,
      reports,
      largest,
      states,
      context,
    );
  }
  const valueType = findValueType(buckets) ?? head.valueType;
  const nameGaps = joinNameGaps(gaps);
  const columns = new BucketColumns(buckets.length, names);
  // If some buckets are scaled, buckets whose period is unknown cannot be. Their values become 0.
  for (const bucket of buckets)
    columns.add(bucket, bucket.report.valueType.unit === valueType.unit);
  return {
    profileTypes,
    valueType,
    ...columns.finish(),
    missing: missingSentences(missing),
    nameGaps,
    settled: missing.length > 0 || areNamesPending(nameGaps) ? undefined : settled,
    leftOut,
  };
}

/** A bucket with profiles. */
interface Bucket {
  readonly start: bigint;
  readonly report: FunctionsReport;
}

/** Returns the type of scaled values if any bucket has scaled values; otherwise undefined. */
function findValueType(buckets: readonly Bucket[]): ValueType | undefined {
  const isScaled = ({ report: { profileType, valueType } }: Bucket): boolean =>
    valueType.unit !== profileType.sample.unit;
  return (buckets.find(isScaled) ?? buckets[0])?.report.valueType;
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

const plainReport = { nodeTrimFraction: 0, rootTrimFraction: 0, groupBy: [] };

async function sumFunctions(
  plan: ReportPlan,
  profileTypes: ResolvedTypes,
  functions: FunctionSummer,
  reports: ReportAnswerer,
  context: QueryContext,
): Promise<FunctionsReport> {
  const merges = await reports.merge(plan, context, profileTypes);
  // Stacks that stages rewrite are in another dictionary, and are looked up immediately.
  for (const { stacks } of merges) {
    if (stacks.dictionary === undefined) continue;
    for (const { merged } of stacks.groups) {
      await finishPausing(functions.lookUp(stacks.dictionary, merged), context);
    }
  }
  const report = reports.build(plan.build, merges);
  if (report.kind !== 'functions') throw new AppError('internal', `got a ${report.kind} report`);
  return report;
}

/**
 * Yields the start and the range of each bucket. The first and the last bucket are clipped.
 */
function* splitIntoBuckets({
  range,
  stepNanos,
}: FunctionsQuestion): Generator<[bigint, TimeRange]> {
  const rest = range.from % stepNanos;
  let start = range.from - (rest < 0n ? rest + stepNanos : rest);
  for (; start <= range.to; start += stepNanos) {
    const from = start < range.from ? range.from : start;
    const end = start + stepNanos - 1n;
    yield [start, { from, to: end > range.to ? range.to : end }];
  }
}

/** Columns with one element for each bucket, and their totals. */
class BucketColumns {
  #length = 0;
  #total = 0n;
  #profileCount = 0;
  readonly #buckets: FunctionsAnswer['buckets'];
  readonly #functions: (FunctionSeries & { flatTotal: bigint; cumulativeTotal: bigint })[];

  constructor(bucketCount: number, names: readonly string[]) {
    this.#buckets = {
      timeNanos: new BigInt64Array(bucketCount),
      total: new BigInt64Array(bucketCount),
      profileCount: new Uint32Array(bucketCount),
      durationNanos: new BigInt64Array(bucketCount),
      snapshots: new Float64Array(bucketCount),
    };
    this.#functions = names.map((name) => ({
      name,
      flatTotal: 0n,
      cumulativeTotal: 0n,
      flat: new BigInt64Array(bucketCount),
      cumulative: new BigInt64Array(bucketCount),
    }));
  }

  add({ start, report }: Bucket, isWorth: boolean): void {
    const buckets = this.#buckets;
    const row = this.#length;
    this.#length = row + 1;
    buckets.timeNanos[row] = start;
    buckets.profileCount[row] = report.profileCount;
    buckets.durationNanos[row] = report.durationNanos;
    buckets.snapshots[row] = report.snapshots;
    this.#profileCount += report.profileCount;
    if (!isWorth) return;
    buckets.total[row] = report.total;
    this.#total += report.total;
    for (const [i, series] of this.#functions.entries()) {
      series.flat[row] = report.sums.flat[i];
      series.cumulative[row] = report.sums.cumulative[i];
      series.flatTotal += report.sums.flat[i];
      series.cumulativeTotal += report.sums.cumulative[i];
    }
  }

  finish(): Pick<FunctionsAnswer, 'total' | 'profileCount' | 'buckets' | 'functions'> {
    const total = this.#total;
    const profileCount = this.#profileCount;
    const buckets = this.#buckets;
    const functions = this.#functions;
    return { total, profileCount, buckets, functions };
  }
}
