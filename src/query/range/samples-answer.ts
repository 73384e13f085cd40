// Answers queries for heatmaps and timelines: values by sample times.
import { AppError } from '../../base/errors.ts';
import { createLabelSet } from '../../model/labels.ts';
import type { Querier, SamplesOverTime } from '../../storage/interface.ts';
import { selectedSeriesBytes } from '../limits.ts';
import { missingSentences } from '../notes/missing.ts';
import type { SamplesAnswer, SamplesQuestion } from '../interface.ts';
import {
  checkMagnitude,
  computeMagnitude,
  isScaledByPeriod,
  scaledValueType,
} from '../merge/scaling.ts';
import { selectRanges } from '../merge/joined-selection.ts';
import { readSampleFacts } from '../merge/samples-in.ts';
import { planRange } from '../plan/plan.ts';
import { refuseIncrease, samplesWithin } from '../plan/ranges.ts';
import { resolveSelector } from '../plan/select.ts';
import type { QueryContext } from '../running/context.ts';

const nanosPerMilli = 1_000_000n;

/** Answers one query. Errors: see QueryEngine.querySamples. */
export async function answerSamples(
  question: SamplesQuestion,
  querier: Querier,
  context: QueryContext,
): Promise<SamplesAnswer> {
  const { query, range: asked, stepNanos, by } = question;
  if (stepNanos <= 0n || stepNanos % nanosPerMilli !== 0n) {
    const why = `step must be whole milliseconds above 0, got ${stepNanos} ns`;
    throw new AppError('invalid-argument', why);
  }
  const plan = planRange({ query, range: asked, stepNanos, sumBy: by, limit: 0 });
  refuseIncrease(plan.selector.text, plan.increase);
  const { profileTypes, matchers } = await resolveSelector(plan, querier);
  const [profileType] = profileTypes;
  const within = samplesWithin(plan, asked);
  const head = { profileTypes, startNanos: within?.samples.from ?? asked.from, stepNanos };
  if (within === undefined) {
    const nothing = { lines: [], moreLines: 0, moreTotal: 0n, untimed: 0n, missing: [] };
    return { ...head, ...nothing, valueType: profileType.sample };
  }
  using selection = await selectRanges(querier, { matchers, profileTypes }, within.profiles);
  context.throwIfAborted();
  context.budget.hold(selection.series.length * selectedSeriesBytes);
  const { periods } = await readSampleFacts(selection, within.samples, context);
  const isScaled = isScaledByPeriod(profileType, periods);
  await checkMagnitude(computeMagnitude(periods, isScaled), selection, isScaled, context);
  const sums = await selection.samplesOverTime(
    { range: within.samples, stepNanos, groupBy: plan.sumBy, timesPeriod: isScaled },
    context,
  );
  return {
    ...head,
    valueType: scaledValueType(profileType, isScaled),
    ...toLines(sums, plan.sumBy, question.limit),
    untimed: sums.untimed,
    missing: missingSentences(selection.missing),
  };
}

function toLines(
  { lines }: SamplesOverTime,
  names: readonly string[],
  limit: number,
): Pick<SamplesAnswer, 'lines' | 'moreLines' | 'moreTotal'> {
  const all = lines
    .map(({ labelValues, values }) => ({
      labels: createLabelSet(names.map((name, i) => ({ name, value: labelValues[i] }))),
      total: values.reduce((sum, value) => sum + value, 0n),
      values,
    }))
    .sort((a, b) => (a.total > b.total ? -1 : a.total < b.total ? 1 : 0));
  const shown = limit === 0 ? all : all.slice(0, limit);
  const more = all.slice(shown.length);
  const moreTotal = more.reduce((sum, { total }) => sum + total, 0n);
  return { lines: shown, moreLines: more.length, moreTotal };
}
