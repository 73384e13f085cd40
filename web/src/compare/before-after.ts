// Compares the time after a given moment with an equally long time before it.
import { compareWithEarlier, distanceToNext } from '../language/comparison.ts';
import type { Span } from '../rpc/api.ts';

/**
 * Compares the part of the range after `moment` with an equally long time before it, which may
 * start before the range. A profile exactly at `moment` belongs to the later side.
 */
export function beforeAndAfter(
  query: string,
  moment: number,
  { to }: Span,
): { readonly query: string; readonly selection: Span } {
  const selection = { from: moment, to };
  return { query: compareWithEarlier(query, distanceToNext(selection)), selection };
}
