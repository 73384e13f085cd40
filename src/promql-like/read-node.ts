// Reads nodes of the strict tree that are common to several parts of a query.
import type { SyntaxNode } from '@lezer/common';
import * as terms from './gen/query.terms.ts';
import { QueryError, type TextSpan } from './query.ts';
import { StringSyntaxError, unquote } from './string.ts';

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
