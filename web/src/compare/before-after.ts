// Compares the time after a moment with an equal time before it.
import { compareWithEarlier, distanceToNext } from '../language/comparison.ts';
import type { Span } from '../rpc/api.ts';

/**
 * Compares the rest of the range after `moment` with an equal time before it, which may begin
 * before the range. A profile at the moment itself belongs to the time after.
 */
export function beforeAndAfter(
  query: string,
  moment: number,
  { to }: Span,
): { readonly query: string; readonly selection: Span } {
  const selection = { from: moment, to };
  return { query: compareWithEarlier(query, distanceToNext(selection)), selection };
}
