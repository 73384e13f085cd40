// Evaluates an expression at each step of a range. Recorded series are read once for all steps.
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { Pacer } from '../base/pacer.ts';
import { type LabelSet, labelSetKey } from '../model/labels.ts';
import type {
  Expression,
  FunctionSeries,
  SeriesRange,
  WindowedQuery,
} from '../promql-like/expression.ts';
import { parseExpression } from '../promql-like/parse-expression.ts';
import type { SeriesSelector } from '../promql-like/recorded-series.ts';
import type { QueryCaller, QueryEngine } from '../query/interface.ts';
import { askEngine, isNoDataError, type RuleEngine } from './ask-engine.ts';
import { type AskSamples, evaluate, type Vector } from './evaluate.ts';
import type { ListMarks } from './find-window.ts';
import type { NumberSeries, StepRange } from './interface.ts';
import { answerNumbersMax, answerStepsMax, windowStepsMax } from './limits.ts';
import {
  lookbackNanos,
  readSeries,
  type RecordedSeries,
  valuesAt,
  valuesOver,
} from './recorded-values.ts';

/** Parts that an evaluation needs. */
interface StepOptions {
  readonly engine: RuleEngine & Pick<QueryEngine, 'labelNames'>;
  readonly clock: Clock;
  readonly listMarks: ListMarks;
}

/**
 * Returns the numbers of an expression at each step.
 *
 * Errors: QueryError for a mistake in the expression; AppError 'invalid-argument' for too many
 * steps, 'resource-exhausted' for too many numbers; errors of `evaluate`.
 */
export async function askOver(
  options: StepOptions,
  text: string,
  range: StepRange,
  caller: QueryCaller,
): Promise<readonly NumberSeries[]> {
  const expression = parseExpression(text);
  const asker = new StepAsker(options, range, caller, await findRates(expression, options, caller));
  checkSteps(asker.isOfProfiles(expression), range);
  const answers = new Map<string, { labels: LabelSet; timeNanos: bigint[]; values: number[] }>();
  const pacer = new Pacer(options.clock);
  let count = 0;
  for (let at = range.fromNanos; at <= range.toNanos; at += range.stepNanos) {
    for (const { labels, value } of await evaluate(expression, asker.askAt(at))) {
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

/** Queries with `rate` that read recorded series, because no profiles have the given name. */
type Rates = ReadonlySet<WindowedQuery>;

async function findRates(
  expression: Expression,
  { engine }: StepOptions,
  caller: QueryCaller,
): Promise<Rates> {
  const rates = new Set<WindowedQuery>();
  for (const part of listParts(expression)) {
    if (part.kind !== 'window' || part.series === undefined) continue;
    try {
      const match = [part.query.text];
      await engine.labelNames({ match, profileType: '', range: undefined }, caller);
    } catch (error) {
      if (!isNoDataError(error)) throw error;
      rates.add(part);
    }
  }
  return rates;
}

/** Returns the expression and all its operands, including operands of operands. */
function listParts(expression: Expression): readonly Expression[] {
  if (expression.kind === 'binary') {
    return [expression, ...listParts(expression.left), ...listParts(expression.right)];
  }
  return 'operand' in expression ? [expression, ...listParts(expression.operand)] : [expression];
}

/** Answers the queries of an expression at each step. */
class StepAsker {
  readonly #options: StepOptions;
  readonly #range: StepRange;
  readonly #caller: QueryCaller;
  readonly #rates: Rates;
  /** Time between two evaluations of series of functions; a multiple of the step. */
  readonly #functionStepNanos: bigint;
  readonly #series = new Map<SeriesSelector, Promise<readonly RecordedSeries[]>>();
  readonly #functions = new Map<
    FunctionSeries,
    { readonly atNanos: bigint; readonly samples: Promise<Vector> }
  >();

  constructor(options: StepOptions, range: StepRange, caller: QueryCaller, rates: Rates) {
    this.#options = options;
    this.#range = range;
    this.#caller = caller;
    this.#rates = rates;
    const steps = (range.toNanos - range.fromNanos) / range.stepNanos;
    this.#functionStepNanos = range.stepNanos * (steps / BigInt(windowStepsMax) + 1n);
  }

  /** Returns true if each step queries profiles. */
  isOfProfiles(expression: Expression): boolean {
    return listParts(expression).some((one) => one.kind === 'window' && !this.#rates.has(one));
  }

  /** Returns the function that answers queries at a time. */
  askAt(atNanos: bigint): AskSamples {
    const { engine, listMarks } = this.#options;
    const askWindow = askEngine(engine, atNanos, this.#caller, listMarks);
    return (asked) => {
      if (asked.kind === 'functions') return this.#askFunctions(asked, atNanos);
      if (asked.kind === 'range') return this.#askSeries(asked.series, asked, atNanos);
      if (asked.kind === 'series') return this.#askSeries(asked, undefined, atNanos);
      if (asked.series === undefined || !this.#rates.has(asked)) return askWindow(asked);
      return this.#askSeries(asked.series.series, asked.series, atNanos);
    };
  }

  async #askSeries(
    selector: SeriesSelector,
    window: SeriesRange | undefined,
    stepNanos: bigint,
  ): Promise<Vector> {
    const { offsetNanos } = selector;
    const reach = window?.windowNanos ?? lookbackNanos;
    const range = {
      from: this.#range.fromNanos - offsetNanos - reach + 1n,
      to: this.#range.toNanos - offsetNanos,
    };
    const found =
      this.#series.get(selector) ?? readSeries(this.#options.engine, selector, range, this.#caller);
    this.#series.set(selector, found);
    const series = await found;
    const atNanos = stepNanos - offsetNanos;
    return window === undefined ? valuesAt(series, atNanos) : valuesOver(series, window, atNanos);
  }

  /**
   * Evaluates functions at most `windowStepsMax` times in the range, because each evaluation reads
   * profiles. The steps in between get the values of the last evaluation. If the expression gives
   * no window, the window begins at the previous evaluation, so that averages have no gaps.
   */
  #askFunctions(asked: FunctionSeries, stepNanos: bigint): Promise<Vector> {
    const since = stepNanos - this.#range.fromNanos;
    const atNanos = stepNanos - (since % this.#functionStepNanos);
    const before = this.#functions.get(asked);
    if (before?.atNanos === atNanos) return before.samples;
    const { engine, listMarks } = this.#options;
    const { windowNanos } = asked.window;
    const isShort = !asked.isRange && windowNanos < this.#functionStepNanos;
    const window = {
      ...asked.window,
      windowNanos: isShort ? this.#functionStepNanos : windowNanos,
    };
    const samples = askEngine(engine, atNanos, this.#caller, listMarks)({ ...asked, window });
    this.#functions.set(asked, { atNanos, samples });
    return samples;
  }
}

function checkCount(count: number): void {
  if (count <= answerNumbersMax) return;
  const why = `it has more than ${answerNumbersMax} numbers; use a longer step, or topk`;
  throw new AppError('resource-exhausted', `cannot make the answer: ${why}`);
}

function checkSteps(isOfProfiles: boolean, { fromNanos, toNanos, stepNanos }: StepRange): void {
  const steps = (toNanos - fromNanos) / stepNanos + 1n;
  const limit = isOfProfiles ? windowStepsMax : answerStepsMax;
  if (steps <= limit) return;
  const what = isOfProfiles ? ' for expressions over profiles; record them by a rule' : '';
  const why = `it has ${steps} steps, the limit is ${limit}${what}`;
  throw new AppError('invalid-argument', `cannot evaluate range: ${why}`);
}
