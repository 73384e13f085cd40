// The comparison of the time after a moment with an equal time before it.
import { compareWithEarlier } from '../language/comparison.ts';
import type { Span } from '../rpc/api.ts';

/**
 * Compares what is left of the range after `moment` with an equal time before, in or out of it.
 *
 * Both ends belong to a range, and times of queries are whole seconds, so the time before ends up
 * to a second earlier: a profile of the moment itself is of the time after.
 */
export function beforeAndAfter(
  query: string,
  moment: number,
  { to }: Span,
): { readonly query: string; readonly selection: Span } {
  return {
    query: compareWithEarlier(query, Math.floor((to - moment) / 1_000) * 1_000 + 1_000),
    selection: { from: moment, to },
  };
}
