// Chooses the scale of a comparison: by load, by shares of the totals, or none.
import type { Measure } from '../format/measure.ts';
import { isDiff } from '../language/query-text.ts';
import type { TreeQuestion } from '../tree/tree-messages.ts';
import type { UrlState } from '../url/url-state.ts';

/** Returns the chosen scale, or else the default for the type. */
export function chosenScale(
  scale: UrlState['scale'],
  { delta }: Pick<Measure, 'delta'>,
): 'load' | 'share' | 'amount' {
  if (scale !== 'auto') return scale;
  // With more load, all functions use more CPU time. Shares would remove the effect of load, too,
  // but if one function grows, the shares of all others shrink. A state does not grow with the
  // length of the range, and usually not with load.
  return delta ? 'load' : 'amount';
}

/** Returns the server's scaling option for the base of a comparison. */
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
