// The comparison of the time after a moment with an equal time before it.
import { compareWithEarlier } from '../language/comparison.ts';
import type { Span } from '../rpc/api.ts';

/** Compares what is left of the range after `moment` with the same time before, in or out of it. */
export function beforeAndAfter(
  query: string,
  moment: number,
  { to }: Span,
): { readonly query: string; readonly selection: Span } {
  return {
    query: compareWithEarlier(query, to - moment),
    selection: { from: moment, to },
  };
}
