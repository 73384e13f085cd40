// The label conditions of a query, read from the grammar's tree, and edits of them.
import { unquote } from '../../../src/promql-like/string.ts';
import { queryParser } from '../../../src/promql-like/language.ts';
import { printLabelName } from '../../../src/promql-like/print.ts';
import { quoteString } from '../../../src/promql-like/string.ts';
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import type { SyntaxNode } from '@lezer/common';

/** One condition and where it stands in the text. */
export interface MatcherText {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/** The conditions that are complete; half typed ones are left out. */
export function matchersOf(query: string): MatcherText[] {
  const found: MatcherText[] = [];
  queryParser.parse(query).iterate({
    enter: (node) => {
      if (node.type.id !== terms.Matcher) return;
      const matcher = readMatcher(query, node.node);
      if (matcher !== undefined) found.push(matcher);
    },
  });
  return found;
}

function readMatcher(query: string, node: SyntaxNode): MatcherText | undefined {
  const [name, operator, value] = [
    node.getChild(terms.LabelName),
    node.getChild(terms.Operator),
    node.getChild(terms.LabelValue),
  ].map((part) => (part === null ? '' : query.slice(part.from, part.to)));
  if (name === '' || operator === '' || value === '') return undefined;
  try {
    const bare = /^["'`]/.test(name) ? unquote(name) : name;
    return { name: bare, operator, value: unquote(value), from: node.from, to: node.to };
  } catch {
    // A string that is not finished yet is no condition yet.
    return undefined;
  }
}

/** The query without one of its conditions. */
export function removeMatcher(query: string, { from, to }: MatcherText): string {
  const before = query.slice(0, from);
  const after = query.slice(to);
  const comma = /^\s*,\s*/.exec(after);
  if (comma !== null) return before + after.slice(comma[0].length);
  return before.replace(/\s*,\s*$/, '') + after;
}

/** The query with a condition more; one with the same label and operator is replaced. */
export function addMatcher(query: string, name: string, operator: string, value: string): string {
  const text = `${printLabelName(name)}${operator}${quoteString(value)}`;
  const same = matchersOf(query).find(
    (matcher) => matcher.name === name && matcher.operator === operator,
  );
  if (same !== undefined) return query.slice(0, same.from) + text + query.slice(same.to);
  const close = query.lastIndexOf('}');
  if (close < 0) return `${query.trimEnd()}{${text}}`;
  const inside = query.slice(query.indexOf('{') + 1, close).trim();
  const separator = inside === '' ? '' : inside.endsWith(',') ? ' ' : ', ';
  return query.slice(0, close).trimEnd() + separator + text + query.slice(close);
}
