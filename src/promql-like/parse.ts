// Query text to query: strict, with a position and what was expected for every mistake.
import type { SyntaxNode, SyntaxNodeRef, Tree } from '@lezer/common';
import { AppError, errorMessage } from '../base/errors.ts';
import { queryTextLengthMax } from '../base/limits.ts';
import { profileNameLabel } from '../model/labels.ts';
import { createMatcher } from '../model/matcher.ts';
import type { MatchOperator } from '../model/matcher.ts';
import { parser } from './gen/query.ts';
import * as terms from './gen/query.terms.ts';
import { QueryError } from './query.ts';
import type { ProfileSelection, Query, QueryMatcher, Span } from './query.ts';
import { StringSyntaxError, unquote } from './string.ts';

const strictParser = parser.configure({ strict: true });

/**
 * Parses a query.
 *
 * Errors: QueryError with the position of the first mistake; AppError 'invalid-argument' for a
 * text longer than limits allow.
 */
export function parseQuery(text: string): Query {
  if (text.length > queryTextLengthMax) {
    const length = `${text.length} characters, the limit is ${queryTextLengthMax}`;
    throw new AppError('invalid-argument', `cannot parse query: it has ${length}`);
  }
  const tree = parseTree(text);
  let profile: ProfileSelection | undefined;
  const matchers: QueryMatcher[] = [];
  const select = (name: string, span: Span): void => {
    if (profile !== undefined) throw new QueryError('profile type is given twice', text, span);
    profile = { text: name, parts: name.split(':'), span };
  };
  tree.iterate({
    enter: (node) => {
      if (node.type.id === terms.ProfileName) {
        select(text.slice(node.from, node.to), spanOf(node));
      } else if (node.type.id === terms.QuotedProfileName) {
        select(readString(text, node), spanOf(node));
      } else if (node.type.id === terms.Matcher) {
        const matcher = readMatcher(text, node.node);
        if (matcher.name === profileNameLabel) select(matcher.value, matcher.span);
        else matchers.push(matcher);
      }
    },
  });
  return { text, profile, matchers };
}

function readMatcher(text: string, node: SyntaxNode): QueryMatcher {
  const [nameNode, operatorNode, valueNode] = childrenOf(node);
  const name = readName(text, nameNode);
  const operator = readOperator(text, operatorNode);
  const value = readString(text, valueNode);
  if (name === '') throw new QueryError('a label name must not be empty', text, nameNode);
  if (name === profileNameLabel && operator !== '=') {
    throw new QueryError(`the profile type can only be selected with =`, text, operatorNode);
  }
  try {
    return { ...createMatcher(name, operator, value), span: spanOf(node) };
  } catch (error) {
    throw new QueryError(errorMessage(error), text, spanOf(valueNode), { cause: error });
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.type.id !== terms.Comment) children.push(child);
  }
  return children;
}

/** The name in a LabelName node: a word or a quoted string. */
function readName(text: string, node: SyntaxNode): string {
  const isWord = node.firstChild?.type.id === terms.Identifier;
  return isWord ? text.slice(node.from, node.to) : readString(text, node);
}

function readOperator(text: string, node: SyntaxNode): MatchOperator {
  const operator = text.slice(node.from, node.to);
  return operator === '=' || operator === '!=' || operator === '=~' ? operator : '!~';
}

function readString(text: string, node: Span): string {
  try {
    return unquote(text.slice(node.from, node.to));
  } catch (error) {
    if (!(error instanceof StringSyntaxError)) throw error;
    const span = { from: node.from + error.offset, to: node.to };
    throw new QueryError(error.message, text, span, { cause: error });
  }
}

function spanOf(node: SyntaxNodeRef | SyntaxNode): Span {
  return { from: node.from, to: node.to };
}

/** What may follow each token; the token before the mistake decides the message. */
const expectedAfter: ReadonlyMap<string, string> = new Map([
  ['', 'a profile type or "{"'],
  ['ProfileName', '"{" or the end of the query'],
  ['{', 'a label name or "}"'],
  ['<', 'a label name or ">"'],
  [',', 'a label name or the closing bracket'],
  ['Identifier', 'one of = != =~ !~'],
  ['name string', 'one of = != =~ !~'],
  ['Operator', 'a quoted label value'],
  ['value string', '"," or the closing bracket'],
  ['}', 'the end of the query'],
  ['>', 'the end of the query'],
]);

/** The tree of a text without mistakes. */
function parseTree(text: string): Tree {
  try {
    const tree = strictParser.parse(text);
    const { last } = readTokens(tree, text, text.length);
    if (last === '') throw mistakeAt(text, text.length, '', undefined);
    return tree;
  } catch (error) {
    // Lezer says where the token starts that it cannot use: "No parse at 17".
    const found = error instanceof SyntaxError ? /No parse at (\d+)/.exec(error.message) : null;
    if (found === null) throw error;
    const at = Number(found[1]);
    throw mistakeAt(text, at, readTokens(parser.parse(text), text, at).last, error);
  }
}

/** Looks at the tokens before `end`; a string without its closing quote is a mistake. */
function readTokens(tree: Tree, text: string, end: number): { readonly last: string } {
  let last = '';
  tree.iterate({
    enter: (node) => {
      if (node.from >= end || node.type.isError || node.type.id === terms.Comment) return false;
      if (node.node.firstChild !== null || node.type.isTop) return undefined;
      if (node.type.id === terms.OpenString) {
        const quote = text[node.from];
        throw new QueryError(`unterminated string, expected a closing ${quote}`, text, node);
      }
      const isString = node.type.id === terms.QuotedString || node.type.id === terms.RawString;
      if (!isString) last = node.name;
      else last = last === 'Operator' ? 'value string' : 'name string';
      return undefined;
    },
  });
  return { last };
}

function mistakeAt(text: string, at: number, after: string, cause: unknown): QueryError {
  const token = /^(?:[\w:]+|[=!~]+|.)/su.exec(text.slice(at))?.[0] ?? '';
  const got = token === '' ? 'the end of the query' : JSON.stringify(token);
  const expected = expectedAfter.get(after) ?? 'something else';
  const span = { from: at, to: at + token.length };
  return new QueryError(`expected ${expected}, got ${got}`, text, span, { cause });
}
