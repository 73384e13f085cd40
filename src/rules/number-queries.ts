// Answers Prometheus clients' expressions: at one moment, or at each step of a range.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { Pacer } from '../base/pacer.ts';
import { formatProfileType } from '../model/profile-type.ts';
import { type LabelSet, labelSetKey } from '../model/labels.ts';
import { type Expression, isScalar } from '../promql-like/expression.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import {
  recordLabel,
  seriesNameLabel,
  seriesQuery,
  type SeriesSelector,
} from '../promql-like/recorded-series.ts';
import type { LabelQuestion, QueryCaller, QueryEngine } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import { askEngine } from './ask-engine.ts';
import { evaluate, type AskSamples } from './evaluate.ts';
import type { ListMarks } from './find-window.ts';
import type { NumberQueries, NumberSeries, NumbersNow, StepRange } from './interface.ts';
import { answerNumbersMax, answerStepsMax, windowStepsMax } from './limits.ts';
import {
  lookbackNanos,
  readSeries,
  type RecordedSeries,
  valuesAt,
  withSeriesName,
} from './recorded-values.ts';
import { recordedType } from './recorder.ts';

/** Part of the engine that numbers need. */
type NumberEngine = Pick<
  QueryEngine,
  'labelNames' | 'labelSets' | 'labelValues' | 'largestFunctions' | 'queryRange'
>;

/** Parts that queries for numbers need. */
export interface NumberQueriesOptions {
  readonly engine: NumberEngine;
  readonly clock: Clock;
  readonly listMarks: ListMarks;
}

/** Creates the queries for numbers. */
export function createNumberQueries(options: NumberQueriesOptions): NumberQueries {
  const { engine } = options;
  return {
    at: (text, timeNanos, caller) => askAt(options, text, timeNanos, caller),
    over: (text, range, caller) => askOver(options, text, range, caller),
    series: async (match, range, caller) => {
      const { labelSets } = await engine.labelSets(toQuestion(match, range), caller);
      return labelSets.map(withSeriesName);
    },
    labelNames: async (match, range, caller) => {
      const names = await engine.labelNames(toQuestion(match, range), caller);
      return names.map((name) => (name === recordLabel ? seriesNameLabel : name)).toSorted();
    },
    labelValues: (name, match, range, caller) => {
      const stored = name === seriesNameLabel ? recordLabel : name;
      return engine.labelValues(stored, toQuestion(match, range), caller);
    },
  };
}

/** Makes a query for recorded series that satisfy `match`; at most one selector may be given. */
function toQuestion(match: readonly string[], range: TimeRange | undefined): LabelQuestion {
  if (match.length > 1) {
    throw new AppError(
      'unimplemented',
      'cannot list series: more than one match[] is not supported',
    );
  }
  const queries = match.map((text) => seriesQuery(parseSeries(text)));
  return { match: queries, profileType: formatProfileType(recordedType), range };
}

function parseSeries(text: string): SeriesSelector {
  const expression = parseExpression(text);
  if (expression.kind === 'series') return expression;
  throw new AppError('invalid-argument', `cannot list series: ${text} selects none`);
}

async function askAt(
  { engine, listMarks }: NumberQueriesOptions,
  text: string,
  timeNanos: bigint,
  caller: QueryCaller,
): Promise<NumbersNow> {
  const expression = parseExpression(text);
  const ask = askEngine(engine, timeNanos, caller, listMarks);
  return { isScalar: isScalar(expression), samples: await evaluate(expression, ask) };
}

async function askOver(
  options: NumberQueriesOptions,
  text: string,
  range: StepRange,
  caller: QueryCaller,
): Promise<readonly NumberSeries[]> {
  const expression = parseExpression(text);
  const { engine, clock, listMarks } = options;
  checkSteps(expression, range);
  const kept = new Map<SeriesSelector, Promise<readonly RecordedSeries[]>>();
  const readKept = (selector: SeriesSelector): Promise<readonly RecordedSeries[]> => {
    const { offsetNanos } = selector;
    const from = range.fromNanos - offsetNanos - lookbackNanos + 1n;
    const found =
      kept.get(selector) ??
      readSeries(engine, selector, { from, to: range.toNanos - offsetNanos }, caller);
    kept.set(selector, found);
    return found;
  };
  const answers = new Map<string, { labels: LabelSet; timeNanos: bigint[]; values: number[] }>();
  const pacer = new Pacer(clock);
  let count = 0;
  for (let at = range.fromNanos; at <= range.toNanos; at += range.stepNanos) {
    const askWindow = askEngine(engine, at, caller, listMarks);
    const ask: AskSamples = async (asked) => {
      if (asked.kind !== 'series') return askWindow(asked);
      return valuesAt(await readKept(asked), at - asked.offsetNanos);
    };
    for (const { labels, value } of await evaluate(expression, ask)) {
      const key = labelSetKey(labels);
      const answer = answers.get(key) ?? { labels, timeNanos: [], values: [] };
      answers.set(key, answer);
      answer.timeNanos.push(at);
      answer.values.push(value);
      count += 1;
    }
    checkCount(count);
    const pausing = pacer.pause();
    if (pausing !== undefined) await pausing;
    caller.signal.throwIfAborted();
  }
  return [...answers.values()];
}

function checkCount(count: number): void {
  if (count <= answerNumbersMax) return;
  const why = `it has more than ${answerNumbersMax} numbers; use a longer step`;
  throw new AppError('resource-exhausted', `cannot make the answer: ${why}`);
}

function checkSteps(expression: Expression, { fromNanos, toNanos, stepNanos }: StepRange): void {
  const steps = (toNanos - fromNanos) / stepNanos + 1n;
  const isOfProfiles = hasWindow(expression);
  const limit = isOfProfiles ? windowStepsMax : answerStepsMax;
  if (steps <= limit) return;
  const what = isOfProfiles ? ' for expressions over profiles; record them by a rule' : '';
  const why = `it has ${steps} steps, the limit is ${limit}${what}`;
  throw new AppError('invalid-argument', `cannot evaluate range: ${why}`);
}

function hasWindow(expression: Expression): boolean {
  const { kind } = expression;
  if (kind === 'window') return true;
  if (kind === 'number' || kind === 'series') return false;
  if (kind === 'binary') return hasWindow(expression.left) || hasWindow(expression.right);
  return hasWindow(expression.operand);
}
