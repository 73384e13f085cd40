// Reads nodes of the strict tree that occur in several parts of a query.
import type { SyntaxNode } from '@lezer/common';
import * as terms from './gen/query.terms.ts';
import { QueryError, type TextSpan } from './query.ts';
import { StringSyntaxError, unquote } from './string.ts';
import { parseTime } from './time.ts';

/** Returns all children except comments. */
export function listChildren(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.type.id !== terms.Comment) children.push(child);
  }
  return children;
}

/** Returns true if a LabelName node is a bare word. */
export function isWord(node: SyntaxNode): boolean {
  return node.firstChild?.type.id === terms.Identifier;
}

/** Reads the name in a LabelName node: a word or a quoted string. Errors: QueryError. */
export function readName(text: string, node: SyntaxNode): string {
  const name = isWord(node) ? text.slice(node.from, node.to) : readString(text, node);
  if (name === '') throw new QueryError('a label name must not be empty', text, toSpan(node));
  return name;
}

/** Reads the value of a quoted string. Errors: QueryError. */
export function readString(text: string, node: TextSpan): string {
  try {
    return unquote(text.slice(node.from, node.to));
  } catch (error) {
    if (!(error instanceof StringSyntaxError)) throw error;
    const span = { from: node.from + error.offset, to: node.to };
    throw new QueryError(error.message, text, span, { cause: error });
  }
}

export function toSpan(node: TextSpan): TextSpan {
  return { from: node.from, to: node.to };
}

/** Reads the two times of a TimeSpan node, in nanoseconds since 1970. Errors: QueryError. */
export function readTimes(
  text: string,
  node: SyntaxNode,
): { readonly from: bigint; readonly to: bigint } {
  const [start, end] = node.getChildren(terms.Time);
  const [from, to] = [start, end].map((time) => {
    const written = text.slice(time.from, time.to);
    const nanos = parseTime(written);
    if (nanos !== undefined) return nanos;
    const reason = `expected seconds since 1970 such as 1764000000 or 1764000000.25, got ${written}`;
    throw new QueryError(reason, text, toSpan(time));
  });
  if (to < from) {
    throw new QueryError('expected an end that is not before the start', text, toSpan(end));
  }
  return { from, to };
}
