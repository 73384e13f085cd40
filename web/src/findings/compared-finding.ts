// Compares the times before and after a finding.
import { compareWithEarlier, distanceToNext } from '../language/comparison.ts';
import type { FindingAnswer } from '../rpc/findings.ts';
import { fixedRange } from '../url/time-range.ts';
import type { UrlState } from '../url/url-state.ts';

/** Longest duration of each side, in milliseconds. */
const sideMillisMax = 86_400_000;

/** Returns the page state for comparing the times before and after a finding. */
export function comparedFinding(
  { query, time, found, kind }: Pick<FindingAnswer, 'query' | 'time' | 'found' | 'kind'>,
  now: number,
): Pick<UrlState, 'query' | 'from' | 'to' | 'selection'> {
  // A slow change is most visible at its end.
  const at = Date.parse(kind === 'drift' ? found : time);
  const end = Math.min(now, at + sideMillisMax);
  const start = at - (kind === 'drift' ? 7 : 1) * sideMillisMax;
  const selection = kind === 'drift' ? { from: at - sideMillisMax, to: at } : { from: at, to: end };
  const distance = kind === 'drift' ? at - sideMillisMax - start : distanceToNext(selection);
  return {
    query: compareWithEarlier(query, distance),
    ...fixedRange(start, end),
    selection,
  };
}
