// Parses a string strictly into a query. Errors have the position of a mistake, and name the tokens
// that were expected there.
import type { SyntaxNode, Tree } from '@lezer/common';
import { AppError, errorMessage } from '../base/errors.ts';
import { queryStagesMax } from './limits.ts';
import { queryTextLengthMax } from '../base/limits.ts';
import { nearest } from '../base/text/nearest.ts';
import { profileNameLabel } from '../model/labels.ts';
import { createMatcher, type MatchOperator } from '../model/matcher.ts';
import { expectedAfter } from './expected.ts';
import { parser } from './gen/query.ts';
import * as terms from './gen/query.terms.ts';
import { checkNesting } from './nesting.ts';
import { parseOffset } from './offset.ts';
import { checkPatterns } from './pattern-budget.ts';
import { withQuotedType } from './plain-type.ts';
import {
  QueryError,
  type Diff,
  type ProfileSelection,
  type Query,
  type QueryMatcher,
  type Selector,
  type SelectorPipeline,
  type TextSpan,
  type Stage,
  type WrittenRange,
} from './query.ts';
import { listChildren, readName, readString, readTimes, toSpan } from './read-node.ts';
import { readStage } from './stages.ts';
import { readTokens, type Token } from './tokens.ts';

const strictParser = parser.configure({ strict: true });

/**
 * Parses a query. A full profile type at its start needs no quotes, even if it is not a word.
 *
 * Errors: QueryError with the position of the first mistake; AppError 'invalid-argument' if the
 * string is too long.
 */
export function parseQuery(text: string): Query {
  if (text.length > queryTextLengthMax) {
    const length = `${text.length} characters, the limit is ${queryTextLengthMax}`;
    throw new AppError('invalid-argument', `cannot parse query: it has ${length}`);
  }
  try {
    return parseStrictly(text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const read = firstThatParses(withQuotedType(text));
    if (read === undefined) throw error;
    return read;
  }
}

function firstThatParses(texts: readonly string[]): Query | undefined {
  for (const text of texts) {
    try {
      return parseStrictly(text);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
  }
  return undefined;
}

function parseStrictly(text: string): Query {
  checkNesting(text);
  const { topNode } = parseTree(text);
  checkPatterns(text, topNode);
  const diff = topNode.getChild(terms.Diff);
  if (diff === null) {
    const { selector, stages } = readPipeline(text, topNode);
    return { text, operand: selector, stages };
  }
  return { text, operand: readDiff(text, diff), stages: readStages(text, topNode) };
}

/**
 * Parses a query that only selects series, for requests about labels.
 *
 * Errors: as in parseQuery; QueryError for a diff, times, an offset and stages.
 */
export function parseSelector(text: string): Selector {
  const { operand, stages } = parseQuery(text);
  const only = 'expected only a selector of series';
  if (operand.kind === 'diff') throw new QueryError(`${only}, got a diff`, text, operand.span);
  const { within, except, offset } = operand;
  const time = within ?? except;
  if (time !== undefined) throw new QueryError(`${only}, got a time`, text, time.span);
  if (offset !== undefined) throw new QueryError(`${only}, got an offset`, text, offset.span);
  if (stages.length > 0) throw new QueryError(`${only}, got a stage`, text, stages[0].span);
  return operand;
}

/**
 * Parses one side of a diff.
 *
 * Errors: QueryError for a diff in a diff, and for stages that change the answer rather than its
 * stacks.
 */
export function sideOfDiff({ text, operand, stages }: Query): SelectorPipeline {
  if (operand.kind === 'diff')
    throw new QueryError('a diff has no diffs in it', text, operand.span);
  for (const { kind, span } of stages) {
    if (kind !== 'by' && kind !== 'top') continue;
    throw new QueryError(`expected ${kind} after the diff, not in it`, text, span);
  }
  return { selector: operand, stages };
}

function readDiff(text: string, node: SyntaxNode): Diff {
  const [base, compared] = node.getChildren(terms.Side).map((side) => {
    const nested = side.getChild(terms.Diff);
    if (nested !== null) throw new QueryError('a diff has no diffs in it', text, toSpan(nested));
    const { selector, stages } = readPipeline(text, side);
    return sideOfDiff({ text, operand: selector, stages });
  });
  return { kind: 'diff', base, compared, span: toSpan(node) };
}

/** Reads a node that has a Selector and stages. */
function readPipeline(text: string, node: SyntaxNode): SelectorPipeline {
  const selector = node.getChild(terms.Selector) ?? node;
  return { selector: readSelector(text, selector), stages: readStages(text, node) };
}

function readStages(text: string, node: SyntaxNode): Stage[] {
  const nodes = node.getChildren(terms.Stage);
  if (nodes.length > queryStagesMax) {
    const reason = `there are ${nodes.length} stages, the limit is ${queryStagesMax}`;
    throw new QueryError(reason, text, toSpan(nodes[queryStagesMax]));
  }
  const stages = nodes.map((stage) => readStage(text, stage));
  for (const kind of ['increase', 'samples', 'by', 'top'] as const) {
    const [, second] = stages.filter((stage) => stage.kind === kind);
    if (second !== undefined) throw new QueryError(`${kind} is given twice`, text, second.span);
  }
  return stages;
}

function readSelector(text: string, node: SyntaxNode): Selector {
  let profile: ProfileSelection | undefined;
  const matchers: QueryMatcher[] = [];
  const select = (name: string, span: TextSpan): void => {
    if (profile !== undefined) throw new QueryError('profile type is given twice', text, span);
    profile = { text: name, parts: name.split(':'), span };
  };
  const name = node.getChild(terms.ProfileName);
  if (name !== null) select(text.slice(name.from, name.to), toSpan(name));
  const conditions = node.getChild(terms.Matchers);
  for (const condition of conditions === null ? [] : listChildren(conditions)) {
    if (condition.type.id === terms.QuotedProfileName) {
      select(readString(text, condition), toSpan(condition));
    } else if (condition.type.id === terms.Matcher) {
      const matcher = readMatcher(text, condition);
      if (matcher.name === profileNameLabel) select(matcher.value, matcher.span);
      else matchers.push(matcher);
    }
  }
  const except = node.getChild(terms.Except);
  return {
    kind: 'selector',
    text,
    profile,
    matchers,
    within: readTimeSpan(text, node),
    except: except === null ? undefined : readTimeSpan(text, except),
    offset: readOffset(text, node),
  };
}

function readMatcher(text: string, node: SyntaxNode): QueryMatcher {
  const [nameNode, operatorNode, valueNode] = listChildren(node);
  const name = readName(text, nameNode);
  const operator = readOperator(text, operatorNode);
  const value = readString(text, valueNode);
  if (name === profileNameLabel && operator !== '=') {
    throw new QueryError(`the profile type can only be selected with =`, text, operatorNode);
  }
  try {
    return { ...createMatcher(name, operator, value), span: toSpan(node) };
  } catch (error) {
    throw new QueryError(errorMessage(error), text, toSpan(valueNode), { cause: error });
  }
}

function readOperator(text: string, node: SyntaxNode): MatchOperator {
  const operator = text.slice(node.from, node.to);
  return operator === '=' || operator === '!=' || operator === '=~' ? operator : '!~';
}

/** Reads the time span in a node. */
function readTimeSpan(text: string, parent: SyntaxNode): WrittenRange | undefined {
  const node = parent.getChild(terms.TimeSpan);
  if (node === null) return undefined;
  const { from, to } = readTimes(text, node);
  return { from, to, span: toSpan(parent.type.id === terms.Except ? parent : node) };
}

function readOffset(text: string, selector: SyntaxNode): Selector['offset'] {
  const node = selector.getChild(terms.Offset);
  const duration = node?.getChild(terms.Duration);
  if (!node || !duration) return undefined;
  const written = text.slice(duration.from, duration.to);
  const nanos = parseOffset(written);
  if (nanos === undefined) {
    const reason = `expected a duration such as 1d12h, 90s or -250ms, got ${written}`;
    throw new QueryError(reason, text, toSpan(duration));
  }
  return { nanos, span: toSpan(node) };
}

/** Returns the tree of a query. Errors: QueryError for a mistake. */
function parseTree(text: string): Tree {
  try {
    const tree = strictParser.parse(text);
    const tokens = readTokens(text);
    refuseOpenString(text, tokens);
    if (tokens.every(isComment)) throw mistakeAt(text, text.length, tokens);
    return tree;
  } catch (error) {
    // Lezer's message has the offset of the token that it cannot use: "No parse at 17".
    const found = error instanceof SyntaxError ? /No parse at (\d+)/.exec(error.message) : null;
    if (found === null) throw error;
    const at = Number(found[1]);
    const before = readTokens(text.slice(0, at));
    refuseOpenString(text, before);
    throw mistakeAt(text, at, before, error);
  }
}

function isComment({ type }: Token): boolean {
  return type === terms.Comment;
}

/**
 * Refuses a string without a closing quote. This is the first check, because such a string causes
 * other mistakes.
 */
function refuseOpenString(text: string, tokens: readonly Token[]): void {
  const open = tokens.find(({ type }) => type === terms.OpenString);
  if (open === undefined) return;
  const reason = `unterminated string, expected a closing ${open.text[0]}`;
  throw new QueryError(reason, text, toSpan(open));
}

/** Creates the error for a token at `at` that cannot follow the tokens before it. */
function mistakeAt(
  text: string,
  at: number,
  before: readonly Token[],
  cause?: unknown,
): QueryError {
  const token = /^(?:[\w:]+|[=!~]+|.)/su.exec(text.slice(at))?.[0] ?? '';
  const got = token === '' ? 'the end of the query' : JSON.stringify(token);
  const expected = expectedAfter(before.filter((one) => !isComment(one)));
  const near = nearest(token, expected.words);
  const hint = near === undefined ? '' : `: did you mean ${near}?`;
  const span = { from: at, to: at + token.length };
  return new QueryError(`expected ${expected.text}, got ${got}${hint}`, text, span, { cause });
}
