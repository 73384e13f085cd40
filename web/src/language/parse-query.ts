// Parses queries, and remembers the last ones: each rendering of the page reads the same few texts
// in some 30 places.
import type { Tree } from '@lezer/common';
import { queryParser } from '../../../src/promql-like/language.ts';

const knownMax = 50;
const known = new Map<string, Tree>();

/** Returns the syntax tree of a query, which may contain errors. */
export function parseQuery(text: string): Tree {
  const found = known.get(text);
  if (found !== undefined) return found;
  const tree = queryParser.parse(text);
  if (known.size >= knownMax) known.clear();
  known.set(text, tree);
  return tree;
}
