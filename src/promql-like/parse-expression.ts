// Parses the expression of a rule strictly, and reports the position of every mistake.
import type { SyntaxNode } from '@lezer/common';
import { AppError } from '../base/errors.ts';
import { queryTextLengthMax } from '../base/limits.ts';
import {
  type Aggregator,
  aggregators,
  type BinaryExpression,
  comparisonOperators,
  type Expression,
  type FunctionSeries,
  functionsOfPrograms,
  type Grouping,
  isScalar,
  type Matching,
  numberFunctions,
  type RangeFunction,
  rangeFunctions,
  rankings,
  setOperators,
  type WindowedQuery,
  windowFunctions,
} from './expression.ts';
import { getChild, operands } from './expression-nodes.ts';
import { mistakeAt } from './expression-mistakes.ts';
import { toFunctionSeries } from './function-series.ts';
import { parser } from './gen/expression.ts';
import * as terms from './gen/expression.terms.ts';
import { expressionWindowsMax } from './limits.ts';
import { checkNesting } from './nesting.ts';
import { parseOffset } from './offset.ts';
import { parseQuery } from './parse.ts';
import { type Query, QueryError, type TextSpan } from './query.ts';
import { readString, toSpan } from './read-node.ts';
import { type SeriesMatcher, type SeriesSelector, seriesNameLabel } from './recorded-series.ts';
import { seriesOfRate } from './series-of-rate.ts';

const strictParser = parser.configure({ strict: true });

/**
 * Parses an expression.
 *
 * Errors: QueryError with the position of the first mistake; AppError 'invalid-argument' if the
 * string is too long.
 */
export function parseExpression(text: string): Expression {
  if (text.length > queryTextLengthMax) {
    const length = `${text.length} characters, the limit is ${queryTextLengthMax}`;
    throw new AppError('invalid-argument', `cannot parse expression: it has ${length}`);
  }
  checkNesting(text);
  const { firstChild } = parseTree(text);
  if (firstChild === null) throw mistakeAt(text, text.length);
  const reader = new ExpressionReader(text);
  return reader.read(skipComments(firstChild));
}

function parseTree(text: string): SyntaxNode {
  try {
    return strictParser.parse(text).topNode;
  } catch (error) {
    // Lezer's message has the offset of the token that it cannot use: "No parse at 17".
    const found = error instanceof SyntaxError ? /No parse at (\d+)/.exec(error.message) : null;
    if (found === null) throw error;
    throw mistakeAt(text, Number(found[1]), error);
  }
}

/** Returns the first node from `node` on that is not a comment. */
function skipComments(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (at.type.id === terms.Comment && at.nextSibling !== null) at = at.nextSibling;
  return at;
}

class ExpressionReader {
  readonly #text: string;
  #windows = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(node: SyntaxNode): Expression {
    switch (node.type.id) {
      case terms.Literal:
        return { kind: 'number', value: this.#readNumber(node) };
      case terms.Group:
        return this.read(operands(node)[0]);
      case terms.Sign: {
        const operand = this.read(operands(node)[0]);
        return node.getChild(terms.Minus) === null ? operand : { kind: 'negative', operand };
      }
      case terms.Series:
        return this.#readOneSeries(node);
      case terms.RangeCall:
        return this.#readRangeCall(node);
      case terms.WindowCall:
        return this.#readWindow(node);
      case terms.NumberCall:
        return this.#readNumberCall(node);
      case terms.Aggregation:
        return this.#readAggregation(node);
      default:
        return this.#readBinary(node);
    }
  }

  #slice({ from, to }: TextSpan): string {
    return this.#text.slice(from, to);
  }

  #readNumber(node: SyntaxNode): number {
    const written = this.#slice(node).toLowerCase();
    if (written === 'inf') return Infinity;
    return written === 'nan' ? NaN : Number(written);
  }

  #readWindow(node: SyntaxNode): WindowedQuery {
    const span = toSpan(node);
    this.#countWindow(span);
    const name = this.#wordOf(node, terms.WindowFunction, windowFunctions);
    const query = this.#readQuery(getChild(node, terms.QueryText), name);
    const windowNanos = this.#readDuration(node);
    const offsetNanos = this.#readOffset(node);
    const series = name === 'rate' ? seriesOfRate(query, windowNanos, offsetNanos) : undefined;
    const markSide = this.#readMarkSide(node);
    return { kind: 'window', name, query, windowNanos, markSide, offsetNanos, series, span };
  }

  /** Reads the current values of series. */
  #readOneSeries(node: SyntaxNode): Expression {
    const window = node.getChild(terms.Window);
    if (window !== null) {
      const reason = 'a window of a series needs a function, such as avg_over_time(x [5m])';
      throw new QueryError(reason, this.#text, toSpan(window));
    }
    const selector = this.#readSeries(node);
    const functions = this.#toFunctionSeries(selector, undefined);
    return functions ?? selector;
  }

  #readRangeCall(node: SyntaxNode): Expression {
    const name: RangeFunction = this.#wordOf(node, terms.RangeFunction, rangeFunctions);
    const written = getChild(node, terms.Series);
    if (written.getChild(terms.Window) === null) {
      const reason = `${name} needs a window of a series, such as x [5m]`;
      throw new QueryError(reason, this.#text, toSpan(written));
    }
    const windowNanos = this.#readDuration(written);
    const series = this.#readSeries(written);
    const functions = this.#toFunctionSeries(series, windowNanos);
    if (functions === undefined) return { kind: 'range', name, series, windowNanos };
    if (name === 'avg_over_time') return functions;
    const reason = `${name} of ${functions.name} is not supported: record it by a rule`;
    throw new QueryError(reason, this.#text, toSpan(node));
  }

  #toFunctionSeries(
    selector: SeriesSelector,
    windowNanos: bigint | undefined,
  ): FunctionSeries | undefined {
    const functions = toFunctionSeries(selector, windowNanos);
    if (functions !== undefined) this.#countWindow(selector.span);
    return functions;
  }

  #countWindow(span: TextSpan): void {
    this.#windows += 1;
    if (this.#windows <= expressionWindowsMax) return;
    const reason = `there are more than ${expressionWindowsMax} queries`;
    throw new QueryError(reason, this.#text, span);
  }

  #readSeries(node: SyntaxNode): SeriesSelector {
    const name = node.getChild(terms.MetricName);
    const conditions = node.getChild(terms.Matchers)?.getChildren(terms.Matcher) ?? [];
    const matchers = conditions.map((one) => this.#readMatcher(one));
    if (name !== null) {
      matchers.unshift({ name: seriesNameLabel, operator: '=', value: this.#slice(name) });
    }
    if (matchers.length === 0) {
      throw new QueryError('expected a name or a condition', this.#text, toSpan(node));
    }
    return { kind: 'series', matchers, offsetNanos: this.#readOffset(node), span: toSpan(node) };
  }

  #readMatcher(node: SyntaxNode): SeriesMatcher {
    const [name] = this.#readNames(node);
    const value = getChild(node, terms.QuotedString);
    const written = this.#text.slice(getChild(node, terms.LabelName).to, value.from).trim();
    const operator = (['=', '!=', '=~', '!~'] as const).find((one) => one === written);
    const matcher = { name, value: readString(this.#text, toSpan(value)) };
    if (operator !== undefined) return { ...matcher, operator };
    const reason = `expected =, !=, =~ or !~, got ${written}`;
    throw new QueryError(reason, this.#text, toSpan(node));
  }

  /** Reads the offset after a series or a window; 0 without one. */
  #readOffset(parent: SyntaxNode): bigint {
    const node = parent.getChild(terms.SeriesOffset);
    if (node === null) return 0n;
    const duration = getChild(node, terms.Duration);
    const nanos = parseOffset(this.#slice(duration));
    if (nanos === undefined) {
      const reason = `expected a duration such as 1h30m, got ${this.#slice(duration)}`;
      throw new QueryError(reason, this.#text, toSpan(duration));
    }
    return node.getChild(terms.Minus) === null ? nanos : -nanos;
  }

  #readMarkSide(node: SyntaxNode): WindowedQuery['markSide'] {
    const written = node.getChild(terms.MarkSide);
    if (written === null) return undefined;
    return this.#slice(written).startsWith('since') ? 'since' : 'before';
  }

  #readDuration(node: SyntaxNode): bigint {
    const duration = getChild(getChild(node, terms.Window), terms.Duration);
    const written = this.#slice(duration);
    const nanos = parseOffset(written);
    if (nanos !== undefined && nanos > 0n) return nanos;
    const reason = `expected a window such as 5m or 1h30m, got ${written}`;
    throw new QueryError(reason, this.#text, toSpan(duration));
  }

  /** Reads a query; positions of mistakes are relative to the expression. */
  #readQuery(node: SyntaxNode, name: WindowedQuery['name']): Query {
    const fail = (reason: string, { from, to }: TextSpan, cause?: unknown): QueryError => {
      const span = { from: node.from + from, to: node.from + to };
      return new QueryError(reason, this.#text, span, { cause });
    };
    let query: Query;
    try {
      query = parseQuery(this.#slice(node));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      throw fail(error.reason, error.position, error);
    }
    const { operand, stages } = query;
    if (operand.kind === 'diff') throw fail('a diff has no value in a window', operand.span);
    const time = operand.within ?? operand.except;
    if (time !== undefined) throw fail('a window has no @: it ends at each evaluation', time.span);
    const group = stages.find(({ kind }) => kind === 'by');
    if (group !== undefined && functionsOfPrograms.has(name)) {
      throw fail(`${name} gives a value for each function, so by has no meaning`, group.span);
    }
    return query;
  }

  #readNumberCall(node: SyntaxNode): Expression {
    const name = this.#wordOf(node, terms.NumberFunction, numberFunctions);
    const operand = this.read(operands(node)[0]);
    return { kind: 'function', name, operand: this.#vector(operand, node), span: toSpan(node) };
  }

  #readAggregation(node: SyntaxNode): Expression {
    const written = node.getChild(terms.Grouping);
    const isWithout = written !== null && this.#slice(written).startsWith('without');
    const names = written === null ? [] : this.#readNames(written);
    const grouping: Grouping = { isWithout, names };
    const span = toSpan(node);
    if (node.getChild(terms.Ranking) === null) {
      const operator: Aggregator = this.#wordOf(node, terms.Aggregator, aggregators);
      const operand = this.#vector(this.read(operands(node)[0]), node);
      return { kind: 'aggregation', operator, grouping, operand, span };
    }
    const operator = this.#wordOf(node, terms.Ranking, rankings);
    const [counted, ranked] = operands(node);
    const count = this.read(counted);
    if (!isScalar(count)) {
      throw new QueryError(`${operator} needs a number of samples`, this.#text, toSpan(counted));
    }
    const operand = this.#vector(this.read(ranked), node);
    return { kind: 'ranking', operator, count, grouping, operand, span };
  }

  /** Returns the operand. Errors: QueryError for a number, which has no labels to aggregate. */
  #vector(operand: Expression, { from, to }: TextSpan): Expression {
    if (!isScalar(operand)) return operand;
    throw new QueryError('expected a query in it, got a number', this.#text, { from, to });
  }

  #readBinary(node: SyntaxNode): Expression {
    const [left, right] = operands(node);
    const operator = this.#operatorBetween(left, right);
    const matching = node.getChild(terms.Matching);
    const expression: BinaryExpression = {
      kind: 'binary',
      operator: operator.name,
      matching: matching === null ? undefined : this.#readMatching(matching),
      left: this.read(left),
      right: this.read(right),
      span: toSpan(operator),
    };
    this.#checkSides(expression);
    return expression;
  }

  #operatorBetween(
    { to }: SyntaxNode,
    right: SyntaxNode,
  ): TextSpan & { readonly name: BinaryExpression['operator'] } {
    const between = this.#text.slice(to, right.from);
    const found = /^(?:\s|#[^\n]*)*([*/%+-]|[=!<>]=|[<>]|\w+)/.exec(between);
    const name = found?.[1] ?? '';
    const at = to + (found?.[0].length ?? 0) - name.length;
    // The grammar accepts only names of these operators.
    return { name: name as BinaryExpression['operator'], from: at, to: at + name.length };
  }

  #checkSides({ operator, matching, left, right, span }: BinaryExpression): void {
    const scalars = [left, right].filter(isScalar).length;
    if (scalars > 0 && isIn(setOperators, operator)) {
      throw new QueryError(`${operator} needs a query on both sides`, this.#text, span);
    }
    if (scalars > 0 && matching !== undefined) {
      throw new QueryError('labels are matched only between queries', this.#text, span);
    }
    if (scalars === 2 && isIn(comparisonOperators, operator)) {
      throw new QueryError('expected a query on one side, got two numbers', this.#text, span);
    }
  }

  #readMatching(node: SyntaxNode): Matching {
    return { isOn: this.#slice(node).startsWith('on'), names: this.#readNames(node) };
  }

  #readNames(node: SyntaxNode): string[] {
    return node.getChildren(terms.LabelName).map((name) => {
      const written = this.#slice(name);
      return /^["']/.test(written) ? readString(this.#text, toSpan(name)) : written;
    });
  }

  #wordOf<const T extends string>(node: SyntaxNode, term: number, known: readonly T[]): T {
    const written = this.#slice(getChild(node, term));
    return known.find((one) => one === written) ?? known[0];
  }
}

function isIn(words: readonly string[], word: string): boolean {
  return words.includes(word);
}
