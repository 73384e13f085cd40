// Evaluates expressions at one time: queries return samples, and operators combine them as in
// PromQL.
import { AppError } from '../base/errors.ts';
import {
  createLabelSet,
  formatLabels,
  type Label,
  type LabelSet,
  labelSetKey,
} from '../model/labels.ts';
import type {
  Aggregator,
  ArithmeticOperator,
  BinaryExpression,
  ComparisonOperator,
  Expression,
  FunctionSeries,
  Grouping,
  Matching,
  SeriesRange,
  WindowedQuery,
} from '../promql-like/expression.ts';
import { functionLabel } from '../promql-like/function-series.ts';
import {
  seriesNameLabel,
  type SeriesMatcher,
  type SeriesSelector,
} from '../promql-like/recorded-series.ts';
import { resultSamplesMax } from './limits.ts';

/** A number with labels. */
export interface Sample {
  readonly labels: LabelSet;
  readonly value: number;
}

/** Samples with distinct labels. */
export type Vector = readonly Sample[];

/**
 * Returns the samples of a query in its window, which ends at the moment of the evaluation; or the
 * current values of recorded series, or a function of their values in a window. The samples of a
 * FunctionSeries have only the label `function`.
 */
export type AskSamples = (
  asked: WindowedQuery | SeriesRange | SeriesSelector | FunctionSeries,
) => Promise<Vector>;

type Value = number | Vector;

/**
 * Returns the samples of an expression; a number is a sample without labels.
 *
 * Errors: AppErrors of `ask`; 'invalid-argument' if several samples on both sides match, or two
 * results have the same labels; 'resource-exhausted' for more than `resultSamplesMax` samples.
 */
export async function evaluate(expression: Expression, ask: AskSamples): Promise<Vector> {
  const value = await evaluateAny(expression, ask);
  const vector = typeof value === 'number' ? [{ labels: [], value }] : value;
  if (vector.length > resultSamplesMax) {
    const found = `${vector.length} samples, the limit is ${resultSamplesMax}`;
    throw new AppError('resource-exhausted', `cannot evaluate expression: it gives ${found}`);
  }
  return vector;
}

async function evaluateAny(expression: Expression, ask: AskSamples): Promise<Value> {
  const { kind } = expression;
  if (kind === 'number') return expression.value;
  if (kind === 'window' || kind === 'series' || kind === 'range') return ask(expression);
  if (kind === 'functions') return nameFunctions(expression, await ask(expression));
  if (kind === 'binary') {
    const left = await evaluateAny(expression.left, ask);
    return joinSides(expression, left, await evaluateAny(expression.right, ask));
  }
  const value = await evaluateAny(expression.operand, ask);
  if (kind === 'negative') return mapValue(value, (number) => -number);
  if (kind === 'aggregation') {
    return aggregate(expression.operator, expression.grouping, toVector(value));
  }
  if (kind === 'ranking') {
    const count = await evaluateAny(expression.count, ask);
    return rank(expression, toVector(count)[0].value, toVector(value));
  }
  if (expression.name === 'abs') return mapValue(value, Math.abs);
  return isEmpty(value) ? [{ labels: absentLabels(expression.operand), value: 1 }] : [];
}

/** Returns the samples of the functions that the conditions select, with the series' labels. */
function nameFunctions({ name, isRange, matchers, labels }: FunctionSeries, found: Vector): Vector {
  const fixed = isRange ? labels : [...labels, { name: seriesNameLabel, value: name }];
  return found
    .map((sample) => ({
      labels: createLabelSet([...fixed, ...sample.labels]),
      value: sample.value,
      function: sample.labels.find((one) => one.name === functionLabel)?.value ?? '',
    }))
    .filter((sample) => matchers.every((one) => one.matches(sample.function)));
}

function isEmpty(value: Value): boolean {
  return typeof value !== 'number' && value.length === 0;
}

function toVector(value: Value): Vector {
  return typeof value === 'number' ? [{ labels: [], value }] : value;
}

function mapValue(value: Value, change: (value: number) => number): Value {
  if (typeof value === 'number') return change(value);
  return value.map(({ labels, value: number }) => ({
    labels: withoutName(labels),
    value: change(number),
  }));
}

/** Returns the labels without the series name, which computed values do not have. */
export function withoutName(labels: LabelSet): LabelSet {
  return labels.filter(({ name }) => name !== seriesNameLabel);
}

/**
 * Returns the labels of `absent`: labels whose value is fixed by the query's matchers, as in
 * PromQL.
 */
function absentLabels(operand: Expression): LabelSet {
  const fixed = new Map<string, Label | undefined>();
  for (const { name, operator, value } of listMatchers(operand)) {
    if (name === seriesNameLabel) continue;
    // The value of a label with two matchers is unknown.
    const isKnown = operator === '=' && value !== '' && !fixed.has(name);
    fixed.set(name, isKnown ? { name, value } : undefined);
  }
  return [...fixed.values()]
    .filter((label) => label !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listMatchers(operand: Expression): readonly SeriesMatcher[] {
  if (operand.kind === 'series') return operand.matchers;
  if (operand.kind === 'range') return operand.series.matchers;
  if (operand.kind === 'functions') return listMatchers(operand.window);
  if (operand.kind !== 'window' || operand.query.operand.kind === 'diff') return [];
  return operand.query.operand.matchers;
}

interface GroupSums {
  readonly labels: LabelSet;
  sum: number;
  count: number;
  min: number;
  max: number;
}

function aggregate(operator: Aggregator, grouping: Grouping, samples: Vector): Vector {
  const groups = new Map<string, GroupSums>();
  for (const { labels, value } of samples) {
    const kept = groupLabels(labels, grouping);
    const key = labelSetKey(kept);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { labels: kept, sum: value, count: 1, min: value, max: value });
      continue;
    }
    group.sum += value;
    group.count += 1;
    group.min = Math.min(group.min, value);
    group.max = Math.max(group.max, value);
  }
  return [...groups.values()].map((group) => ({
    labels: group.labels,
    value: operator === 'avg' ? group.sum / group.count : group[operator],
  }));
}

/** Returns the samples with the largest or the smallest values in each group, in that order. */
function rank(
  { operator, grouping }: Extract<Expression, { kind: 'ranking' }>,
  count: number,
  samples: Vector,
): Vector {
  const sign = operator === 'topk' ? -1 : 1;
  const kept = new Map<string, number>();
  return samples
    .toSorted((a, b) => compareNumbers(a.value * sign, b.value * sign))
    .filter(({ labels }) => {
      const key = labelSetKey(groupLabels(labels, grouping));
      const before = kept.get(key) ?? 0;
      kept.set(key, before + 1);
      return before < Math.trunc(count);
    });
}

/** Compares numbers; NaN is last. */
function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : a < b ? -1 : 1;
}

function groupLabels(labels: LabelSet, { isWithout, names }: Grouping): LabelSet {
  return isWithout
    ? keepLabels(withoutName(labels), names, false)
    : keepLabels(labels, names, true);
}

/** Returns the labels with these names, or all other labels. */
function keepLabels(labels: LabelSet, names: readonly string[], isKept: boolean): LabelSet {
  return labels.filter(({ name }) => names.includes(name) === isKept);
}

const arithmetic: Readonly<Record<ArithmeticOperator, (a: number, b: number) => number>> = {
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
};

const comparison: Readonly<Record<ComparisonOperator, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
};

function joinSides(expression: BinaryExpression, left: Value, right: Value): Value {
  const { operator } = expression;
  if (operator === 'and' || operator === 'or' || operator === 'unless') {
    return joinSets(operator, expression.matching, toVector(left), toVector(right));
  }
  if (isComparison(operator)) {
    const holds = comparison[operator];
    // A comparison keeps the samples on its left side for which it is true.
    if (typeof right === 'number') {
      return toVector(left).filter(({ value }) => holds(value, right));
    }
    if (typeof left === 'number') return right.filter(({ value }) => holds(left, value));
    return matchSides(expression, left, right).flatMap(([a, b]) =>
      holds(a.value, b.value) ? [a] : [],
    );
  }
  const compute = arithmetic[operator];
  if (typeof right === 'number') return mapValue(left, (value) => compute(value, right));
  if (typeof left === 'number') return mapValue(right, (value) => compute(left, value));
  const results = matchSides(expression, left, right).map(([a, b]) => ({
    labels: joinedLabels(a.labels, expression.matching),
    value: compute(a.value, b.value),
  }));
  return results;
}

function isComparison(operator: BinaryExpression['operator']): operator is ComparisonOperator {
  return Object.hasOwn(comparison, operator);
}

function joinedLabels(labels: LabelSet, matching: Matching | undefined): LabelSet {
  if (matching?.isOn === true) return keepLabels(labels, matching.names, true);
  return keepLabels(withoutName(labels), matching?.names ?? [], false);
}

function matchKey(labels: LabelSet, matching: Matching | undefined): string {
  return labelSetKey(joinedLabels(labels, matching));
}

/**
 * Returns pairs of samples with the same labels, in the order of the left side. Errors: AppError
 * 'invalid-argument' if several samples on one side have the same labels.
 */
function matchSides(
  { operator, matching }: BinaryExpression,
  left: Vector,
  right: Vector,
): (readonly [Sample, Sample])[] {
  const byKey = new Map<string, Sample>();
  const refuse = (side: string, { labels }: Sample): AppError => {
    const why = `several samples on its ${side} side match ${formatLabels(labels)}`;
    return new AppError('invalid-argument', `cannot evaluate ${operator}: ${why}`);
  };
  for (const sample of right) {
    const key = matchKey(sample.labels, matching);
    if (byKey.has(key)) throw refuse('right', sample);
    byKey.set(key, sample);
  }
  const used = new Set<string>();
  const pairs: (readonly [Sample, Sample])[] = [];
  for (const sample of left) {
    const key = matchKey(sample.labels, matching);
    const other = byKey.get(key);
    if (other === undefined) continue;
    if (used.has(key)) throw refuse('left', sample);
    used.add(key);
    pairs.push([sample, other]);
  }
  return pairs;
}

function joinSets(
  operator: 'and' | 'or' | 'unless',
  matching: Matching | undefined,
  left: Vector,
  right: Vector,
): Vector {
  const listKeys = (vector: Vector): Set<string> =>
    new Set(vector.map(({ labels }) => matchKey(labels, matching)));
  if (operator === 'or') {
    const known = listKeys(left);
    return [...left, ...right.filter(({ labels }) => !known.has(matchKey(labels, matching)))];
  }
  const known = listKeys(right);
  const isKept = operator === 'and';
  return left.filter(({ labels }) => known.has(matchKey(labels, matching)) === isKept);
}
