// The comparison of the time after a moment with an equal time before it.
import { compareWithEarlier, distanceToNext } from '../language/comparison.ts';
import type { Span } from '../rpc/api.ts';

/**
 * Compares what is left of the range after `moment` with an equal time before, in or out of it. A
 * profile of the moment itself is of the time after.
 */
export function beforeAndAfter(
  query: string,
  moment: number,
  { to }: Span,
): { readonly query: string; readonly selection: Span } {
  const selection = { from: moment, to };
  return { query: compareWithEarlier(query, distanceToNext(selection)), selection };
}
