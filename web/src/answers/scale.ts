// The scale of a comparison: shares of each side's total, or amounts.
import type { Measure } from '../format/measure.ts';
import { isDiff } from '../language/query-text.ts';
import type { TreeQuestion } from '../tree/tree-messages.ts';
import type { UrlState } from '../url/url-state.ts';

/** Returns the scale that was chosen, else that of the values. */
export function chosenScale(
  scale: UrlState['scale'],
  { delta }: Pick<Measure, 'delta'>,
): 'share' | 'amount' {
  if (scale !== 'auto') return scale;
  // More load means more CPU time everywhere, and shares leave the load out. A state does not grow
  // with the time it is looked at: if one function keeps more memory, the shares of all others
  // shrink, although they keep what they had.
  return delta ? 'share' : 'amount';
}

/** Returns what the base of a comparison is scaled to. */
export function scaleOf(
  query: string,
  scale: UrlState['scale'],
  measure: Measure,
): TreeQuestion['scale'] {
  if (!isDiff(query) || chosenScale(scale, measure) === 'share') return 'total';
  return measure.delta ? 'seconds' : 'snapshots';
}
