// Services that use functions: the values of stacks with the functions, by service and version.
import { AppError } from '../../base/errors.ts';
import { type LabelSet, labelValue } from '../../model/labels.ts';
import { compilePattern } from '../../model/pattern.ts';
import { serviceLabels, versionLabels } from '../../model/service-labels.ts';
import type { FrameCriteria } from '../../report/stacks/frame-criteria.ts';
import { plainView } from '../../report/stacks/stack-view.ts';
import type { Querier } from '../../storage/interface.ts';
import { usersBucketsMax } from '../limits.ts';
import type {
  MetricsSeries,
  UserOfFunctions,
  UsersAnswer,
  UsersQuestion,
  WantedFunctions,
} from '../interface.ts';
import { answerRange } from './range-answer.ts';
import type { QueryContext } from '../running/context.ts';

/**
 * Returns the services and versions whose stacks with one of the functions have the largest values,
 * and these values over time. The values of all stacks, which shares need, are the totals of
 * profiles. Therefore the rows of profiles are read only once.
 *
 * Errors: AppError 'invalid-argument' for too many buckets or an invalid pattern; errors of
 * `answerRange`.
 */
export async function answerUsers(
  { query, range, stepNanos, wanted, limit }: UsersQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<UsersAnswer> {
  const width = range.to - range.from + 1n;
  if (stepNanos <= 0n) throw new AppError('invalid-argument', 'step: must be longer than 0.');
  const buckets = (width + stepNanos - 1n) / stepNanos;
  if (buckets > usersBucketsMax) {
    throw new AppError(
      'invalid-argument',
      `cannot show users over time: ${buckets} steps are more than ${usersBucketsMax}; take a longer step`,
    );
  }
  const firstOf = [serviceLabels, versionLabels];
  const asked = { query, range, sumBy: firstOf.flat(), firstOf, averages: true, limit: 0 };
  const view = { ...plainView, stackFilters: [toCriteria(wanted)] };
  const users = await answerRange({ ...asked, stepNanos, view }, querier, context);
  const whole = await answerRange({ ...asked, stepNanos: width }, querier, context);
  const wholeByLabels = new Map(whole.series.map((line) => [lineKey(line), line.total]));
  const lines = users.series.filter(({ total }) => total !== 0n);
  lines.sort((a, b) => Number(b.total - a.total) || (lineKey(a) < lineKey(b) ? -1 : 1));
  const shown = lines.slice(0, limit);
  const total = sum(lines);
  return {
    profileTypes: users.profileTypes,
    valueType: whole.series[0].sampleType,
    total,
    wholeTotal: sum(whole.series),
    users: shown.map((line) => toUser(line, wholeByLabels.get(lineKey(line)) ?? 0n)),
    more: lines.length - shown.length,
    moreTotal: total - sum(shown),
    missing: [...new Set([...users.missing, ...whole.missing])],
    nameGaps: users.nameGaps,
  };
}

function toCriteria({ kind, text }: WantedFunctions): FrameCriteria {
  if (text === '') throw new AppError('invalid-argument', `${kind}: cannot be blank.`);
  if (kind === 'pattern') {
    compilePattern(text);
    return { functionName: { operator: 'matches', isNegated: false, texts: [text] } };
  }
  const equal = { operator: 'equal', isNegated: false, texts: [text] } as const;
  return kind === 'function' ? { functionName: equal } : { package: equal };
}

function toUser(line: MetricsSeries, whole: bigint): UserOfFunctions {
  const { labels, total, timeNanos, covered } = line;
  return {
    service: findLabel(labels, serviceLabels),
    version: findLabel(labels, versionLabels),
    total,
    whole,
    durationNanos: covered?.durationNanos ?? 0n,
    snapshots: covered?.snapshots ?? 0,
    timeNanos,
    rate: covered?.rate ?? line.valuePerSecond,
    coveredNanos: covered?.coveredNanos ?? new BigInt64Array(timeNanos.length),
  };
}

function findLabel(labels: LabelSet, names: readonly string[]): UserOfFunctions['service'] {
  const name = names.find((one) => labelValue(labels, one) !== '');
  return name === undefined ? undefined : { name, value: labelValue(labels, name) };
}

function lineKey({ labels }: MetricsSeries): string {
  return JSON.stringify(labels.map(({ name, value }) => [name, value]));
}

function sum(lines: readonly MetricsSeries[]): bigint {
  return lines.reduce((all, { total }) => all + total, 0n);
}
