// The meaning of a rule's expression: numbers by label set, as in PromQL.
import type { LabelSet } from '../model/labels.ts';
import type { LabelMatcher } from '../model/matcher.ts';
import type { Query, TextSpan } from './query.ts';
import { seriesQuery, type SeriesSelector } from './recorded-series.ts';

/** Functions that are applied to a query over a window of time. */
export const windowFunctions = [
  'cores',
  'rate',
  'average',
  'total',
  'function_share',
  'self_share',
  'function_cores',
  'self_cores',
] as const;
export type WindowFunction = (typeof windowFunctions)[number];

/** Functions whose result has a value for each function of a program. */
export const functionsOfPrograms: ReadonlySet<WindowFunction> = new Set([
  'function_share',
  'self_share',
  'function_cores',
  'self_cores',
]);

/** Functions that are applied to the values of series in a window of time, as in PromQL. */
export const rangeFunctions = [
  'increase',
  'avg_over_time',
  'min_over_time',
  'max_over_time',
  'sum_over_time',
  'count_over_time',
  'last_over_time',
] as const;
export type RangeFunction = (typeof rangeFunctions)[number] | 'rate';

export const numberFunctions = ['absent', 'abs'] as const;
export type NumberFunction = (typeof numberFunctions)[number];

export const aggregators = ['sum', 'min', 'max', 'avg', 'count'] as const;
export type Aggregator = (typeof aggregators)[number];

/** Aggregations that keep some of their samples, those with the largest or the smallest values. */
export const rankings = ['topk', 'bottomk'] as const;
export type Ranking = (typeof rankings)[number];

export type ArithmeticOperator = '*' | '/' | '%' | '+' | '-';

export const comparisonOperators = ['==', '!=', '>=', '<=', '>', '<'] as const;
export type ComparisonOperator = (typeof comparisonOperators)[number];

export const setOperators = ['and', 'or', 'unless'] as const;
export type SetOperator = (typeof setOperators)[number];

/** Labels by which the two sides of an operator are joined; all labels if none are given. */
export interface Matching {
  /** True for `on`, false for `ignoring`. */
  readonly isOn: boolean;
  readonly names: readonly string[];
}

/** Labels that an aggregation keeps, or drops. */
export interface Grouping {
  /** True for `without`, false for `by`. */
  readonly isWithout: boolean;
  readonly names: readonly string[];
}

/** Sides of a mark. A window may be limited to the time on one side of the last mark. */
export const markSides = ['since', 'before'] as const;
export type MarkSide = (typeof markSides)[number];

/**
 * A query over a window: a span of time that ends when the expression is evaluated, or at a mark.
 */
export interface WindowedQuery {
  readonly kind: 'window';
  readonly name: WindowFunction;
  readonly query: Query;
  /** Length of the window, greater than 0. */
  readonly windowNanos: bigint;
  /**
   * `since`: the window begins at the mark if that is later; `before`: the window ends at the mark.
   */
  readonly markSide: MarkSide | undefined;
  /** Time by which the window moves back. */
  readonly offsetNanos: bigint;
  /**
   * Recorded series that `rate` reads if no profiles have the given name; undefined for other
   * functions and for queries with stages.
   */
  readonly series: SeriesRange | undefined;
  readonly span: TextSpan;
}

/** Values of recorded series in a window of time. */
export interface SeriesRange {
  readonly kind: 'range';
  readonly name: RangeFunction;
  readonly series: SeriesSelector;
  /** Length of the window, greater than 0. */
  readonly windowNanos: bigint;
}

/** Series that are computed, not recorded: functions of programs. Names: see `functionSeries`. */
export interface FunctionSeries {
  readonly kind: 'functions';
  readonly name: string;
  readonly window: WindowedQuery;
  /** True if the window is written, as in `avg_over_time(x [1h])`. */
  readonly isRange: boolean;
  /** Conditions on the label `function`. */
  readonly matchers: readonly LabelMatcher[];
  /** Labels whose values the conditions fix; all samples have them. */
  readonly labels: LabelSet;
  /** Labels with a condition `=~`. Each combination of their values has its own samples. */
  readonly groupedBy: readonly string[];
}

export interface BinaryExpression {
  readonly kind: 'binary';
  readonly operator: ArithmeticOperator | ComparisonOperator | SetOperator;
  readonly matching: Matching | undefined;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: TextSpan;
}

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'negative'; readonly operand: Expression }
  | {
      readonly kind: 'function';
      readonly name: NumberFunction;
      readonly operand: Expression;
      readonly span: TextSpan;
    }
  | {
      readonly kind: 'aggregation';
      readonly operator: Aggregator;
      readonly grouping: Grouping;
      readonly operand: Expression;
      readonly span: TextSpan;
    }
  | {
      readonly kind: 'ranking';
      readonly operator: Ranking;
      /** Number of samples that each group keeps: a scalar. */
      readonly count: Expression;
      readonly grouping: Grouping;
      readonly operand: Expression;
      readonly span: TextSpan;
    }
  | WindowedQuery
  | SeriesRange
  | FunctionSeries
  | SeriesSelector
  | BinaryExpression;

/** Returns true if an expression is one number, without labels. */
export function isScalar(expression: Expression): boolean {
  const { kind } = expression;
  if (kind === 'number') return true;
  if (kind === 'negative') return isScalar(expression.operand);
  return kind === 'binary' && isScalar(expression.left) && isScalar(expression.right);
}

/** Returns the first query for profiles in an expression, as it is written; undefined if none. */
export function firstQuery(expression: Expression): string | undefined {
  const { kind } = expression;
  if (kind === 'number') return undefined;
  if (kind === 'window') return expression.query.text.trim();
  if (kind === 'series') return seriesQuery(expression);
  if (kind === 'range') return seriesQuery(expression.series);
  if (kind === 'functions') return expression.window.query.text.trim();
  if (kind !== 'binary') return firstQuery(expression.operand);
  return firstQuery(expression.left) ?? firstQuery(expression.right);
}
