// The scale of a comparison: by load, by shares of each side's total, or by amounts.
import type { Measure } from '../format/measure.ts';
import { isDiff } from '../language/query-text.ts';
import type { TreeQuestion } from '../tree/tree-messages.ts';
import type { UrlState } from '../url/url-state.ts';

/** Returns the chosen scale, else that of the values. */
export function chosenScale(
  scale: UrlState['scale'],
  { delta }: Pick<Measure, 'delta'>,
): 'load' | 'share' | 'amount' {
  if (scale !== 'auto') return scale;
  // More load means more CPU time everywhere. Shares also remove the effect of load, but if one
  // function takes more, the shares of all others shrink although their time is the same. A state
  // does not grow with the length of the range, and usually not with the load.
  return delta ? 'load' : 'amount';
}

/** Returns what the base of a comparison is scaled to. */
export function findScale(
  query: string,
  scale: UrlState['scale'],
  measure: Measure,
): TreeQuestion['scale'] {
  const chosen = chosenScale(scale, measure);
  if (!isDiff(query) || chosen === 'share') return 'total';
  if (chosen === 'load') return 'load';
  return measure.delta ? 'seconds' : 'snapshots';
}
