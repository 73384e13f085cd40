// Nodes of the tree of an expression.
import type { SyntaxNode } from '@lezer/common';
import { AppError } from '../base/errors.ts';
import * as terms from './gen/expression.terms.ts';

/** Kinds of nodes that are expressions. */
const expressionTerms: ReadonlySet<number> = new Set([
  terms.Literal,
  terms.Group,
  terms.Sign,
  terms.Series,
  terms.WindowCall,
  terms.RangeCall,
  terms.NumberCall,
  terms.Aggregation,
  terms.Binary,
]);

/** Returns the children that are expressions. */
export function operands(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (expressionTerms.has(child.type.id)) found.push(child);
  }
  return found;
}

/** Returns a child that the grammar requires. */
export function getChild(node: SyntaxNode, term: number): SyntaxNode {
  const child = node.getChild(term);
  // The strict parser refuses an expression without this child.
  if (child === null) throw new AppError('internal', 'cannot read expression: a node is missing');
  return child;
}
