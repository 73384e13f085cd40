// Finds the two sides that the picture of an alert compares: its rule's profiles now and before.
import { type LabelSet, labelValue } from '../model/labels.ts';
import type { Expression, WindowedQuery } from '../promql-like/expression.ts';
import { printQuery } from '../promql-like/print.ts';
import type { DiffSelector } from '../query/interface.ts';
import type { TimeRange } from '../storage/interface.ts';
import { findWindow, type ListMarks } from './find-window.ts';
import type { Alert } from './interface.ts';

/** A rule, and where its windows end. */
export interface ComparedRule {
  readonly expression: Expression;
  /** Milliseconds by which an evaluation is later than the time that it evaluates. */
  readonly offsetMillis: number;
  readonly listMarks: ListMarks;
}

/** Profiles in a range; the query has no offset. */
interface Selected {
  readonly query: string;
  readonly range: TimeRange;
}

/**
 * Returns the comparison for an alert that has fired. It compares the first window in the rule with
 * the window of the same query that the rule compares it with; if there is none, with the window
 * before the expression was first true. Undefined if the rule has no query of profiles in a window.
 */
export function comparedWindows(
  { labels, activeMillis, firedMillis }: Alert,
  { expression, offsetMillis, listMarks }: ComparedRule,
): DiffSelector | undefined {
  const [first, ...others] = windowsOf(expression);
  if (first === undefined || firedMillis === undefined) return undefined;
  const at = (window: WindowedQuery, millis: number): Selected | undefined =>
    select(window, labels, BigInt(Math.round(millis - offsetMillis)) * 1_000_000n, listMarks);
  const compared = at(first, firedMillis);
  if (compared === undefined) return undefined;
  const written = others
    .map((window) => at(window, firedMillis))
    .find((one) => one?.query === compared.query && one.range.from < compared.range.from);
  const { query, range } = written ?? at(first, activeMillis) ?? compared;
  const before = range.from - (range.to - range.from + 1n);
  const base = written === undefined ? { from: before, to: range.from - 1n } : range;
  return {
    mode: 'diff',
    base: { mode: 'merge', query, range: base },
    compared: { mode: 'merge', query: compared.query, range: compared.range },
    baseScale: 'time',
  };
}

/** Lists the windows of an expression in the order in which they are written. */
function windowsOf(expression: Expression): readonly WindowedQuery[] {
  const { kind } = expression;
  if (kind === 'window') return [expression];
  if (kind === 'functions') return [expression.window];
  if (kind === 'number' || kind === 'series' || kind === 'range') return [];
  if (kind !== 'binary') return windowsOf(expression.operand);
  return [...windowsOf(expression.left), ...windowsOf(expression.right)];
}

/** Selects the profiles of a window that have the labels by which its query groups. */
function select(
  window: WindowedQuery,
  labels: LabelSet,
  evaluatedNanos: bigint,
  listMarks: ListMarks,
): Selected | undefined {
  const { operand, stages } = window.query;
  const found = findWindow(window, evaluatedNanos, listMarks);
  if (operand.kind !== 'selector' || found === undefined) return undefined;
  const own = stages
    .flatMap((stage) => (stage.kind === 'by' ? stage.names : []))
    .filter(({ kind }) => kind === 'label')
    .map(({ name }) => ({ name, operator: '=' as const, value: labelValue(labels, name) }));
  const query = printQuery({
    operand: { ...operand, offset: undefined, matchers: [...operand.matchers, ...own] },
    stages: stages.filter(({ kind }) => kind !== 'by' && kind !== 'top'),
  });
  const back = operand.offset?.nanos ?? 0n;
  return { query, range: { from: found.from - back, to: found.to - back } };
}
