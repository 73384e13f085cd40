// Limits the total size of a query's regular expressions before any of them is compiled.
import type { SyntaxNode } from '@lezer/common';
import { queryPatternsSizeMax } from './limits.ts';
import { literalAlternatives } from '../model/matcher.ts';
import { patternSize } from '../model/pattern.ts';
import * as terms from './gen/query.terms.ts';
import { QueryError } from './query.ts';
import { listChildren, toSpan } from './read-node.ts';
import { StringSyntaxError, unquote } from './string.ts';

/**
 * Sums up the sizes of all expressions below `top`.
 *
 * Errors: QueryError at the expression that exceeds the limit.
 */
export function checkPatterns(text: string, top: SyntaxNode): void {
  let size = 0;
  const cursor = top.cursor();
  do {
    const node = patternIn(text, cursor.node);
    const expression = node && readText(text, node);
    if (node === undefined || expression === undefined) continue;
    if (node.parent?.type.id === terms.Matcher && literalAlternatives(expression) !== undefined) {
      continue;
    }
    size += patternSize(expression);
    if (size <= queryPatternsSizeMax) continue;
    const reason =
      `the regular expressions up to here would have about ${size} steps together, the limit is ` +
      `${queryPatternsSizeMax}`;
    throw new QueryError(reason, text, toSpan(node));
  } while (cursor.next());
}

/** Returns the string node with the regular expression of a node; undefined if it has none. */
function patternIn(text: string, node: SyntaxNode): SyntaxNode | undefined {
  switch (node.type.id) {
    case terms.Matcher: {
      const [, operator, value] = listChildren(node);
      return text[operator.to - 1] === '~' ? value : undefined;
    }
    case terms.PatternStage:
      return listChildren(node)[1];
    case terms.StackStage:
    case terms.FrameStage: {
      const comparison = node.getChild(terms.Comparison);
      const isPattern = comparison !== null && text.startsWith('matches', comparison.from);
      return isPattern ? (node.getChild(terms.Text) ?? undefined) : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Returns the value of a quoted string; undefined for an invalid string, which is reported later.
 */
function readText(text: string, { from, to }: SyntaxNode): string | undefined {
  try {
    return unquote(text.slice(from, to));
  } catch (error) {
    if (error instanceof StringSyntaxError) return undefined;
    throw error;
  }
}
