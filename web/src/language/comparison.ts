// From a query to its comparison with an earlier time, and back.
import * as terms from '../../../src/promql-like/gen/query.terms.ts';
import { queryParser } from '../../../src/promql-like/language.ts';

const units: readonly (readonly [unit: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/**
 * The query against itself as long before as the range is, or what a comparison compares.
 *
 * `cpu{a="b"} | top 3` becomes `diff(cpu{a="b"} offset 1h, cpu{a="b"}) | top 3`. A query that cannot
 * be read, or is of an earlier time already, stays as it is.
 */
export function toggleComparison(query: string, rangeMillis: number): string {
  const { topNode } = queryParser.parse(query);
  const diff = topNode.getChild(terms.Diff);
  if (diff !== null) {
    const [, compared] = diff.getChildren(terms.Side);
    if (compared === undefined) return query;
    return query.slice(compared.from, compared.to) + query.slice(diff.to);
  }
  const selector = topNode.getChild(terms.Selector);
  if (selector === null || selector.getChild(terms.Offset) !== null) return query;
  const text = query.slice(selector.from, selector.to);
  if (text === '') return query;
  const stages = query.slice(selector.to);
  return `diff(${text} offset ${durationText(rangeMillis)}, ${text})${stages}`;
}

/** In the largest unit that divides it; at least a second. */
function durationText(millis: number): string {
  const seconds = Math.max(1, Math.round(millis / 1_000));
  const [unit, size] = units.find(([, each]) => seconds % each === 0) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}
