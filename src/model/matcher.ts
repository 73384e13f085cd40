// Label matchers as in Prometheus: anchored RE2; a missing label has the value "".
import { compilePattern } from './pattern.ts';

export type MatchOperator = '=' | '!=' | '=~' | '!~';

/** One condition on one label. */
export interface LabelMatcher {
  readonly name: string;
  readonly operator: MatchOperator;
  readonly value: string;
  /** Returns true if a label value matches; "" stands for an absent label. */
  matches(value: string): boolean;
}

/**
 * Compiles a matcher. Regular expressions must match the complete value.
 *
 * Errors: AppError 'invalid-argument' when the expression is not RE2.
 */
export function createMatcher(name: string, operator: MatchOperator, value: string): LabelMatcher {
  return { name, operator, value, matches: compile(name, operator, value) };
}

function compile(
  name: string,
  operator: MatchOperator,
  value: string,
): (candidate: string) => boolean {
  if (operator === '=') return (candidate) => candidate === value;
  if (operator === '!=') return (candidate) => candidate !== value;
  const alternatives = literalAlternatives(value);
  if (alternatives !== undefined) {
    return (candidate) => alternatives.has(candidate) === (operator === '=~');
  }
  const expression = compilePattern(value, `of label ${name}`);
  if (operator === '=~') return (candidate) => expression.testExact(candidate);
  return (candidate) => !expression.testExact(candidate);
}

/**
 * Returns the values that an expression like `web-1|web-2\.x` or `(web-1|web-2)` lists; undefined
 * for other expressions. Dashboards use such expressions with hundreds of values.
 */
export function literalAlternatives(expression: string): ReadonlySet<string> | undefined {
  const [, list = expression] = /^\((?:\?:)?(.*)\)$/s.exec(expression) ?? [];
  if (!/^(?:[^\\.+*?()|[\]{}^$]|\\[\\.+*?()|[\]{}^$-]|\|)*$/.test(list)) return undefined;
  const values = [''];
  for (const [token] of list.matchAll(/\\?./gsu)) {
    if (token === '|') values.push('');
    else values[values.length - 1] += token.startsWith('\\') ? token.slice(1) : token;
  }
  return new Set(values);
}
