// Returns the times before and after a finding, which its picture compares, as on the page
// (web/src/findings/compared-finding.ts).
import type { DiffSelector, ProfileSelector } from '../query/interface.ts';
import type { Finding } from './interface.ts';

/** Longest duration of each side. */
const sideMillisMax = 86_400_000;
/** Time before the end of a drift at which its base begins. */
const driftMillis = 7 * sideMillisMax;

/** Returns the comparison for a finding. */
export function comparedTimes({ query, kind, timeMillis, foundMillis }: Finding): DiffSelector {
  const side = (fromMillis: number, lengthMillis: number): ProfileSelector => {
    const from = BigInt(Math.round(fromMillis)) * 1_000_000n;
    const to = from + BigInt(Math.round(lengthMillis)) * 1_000_000n - 1n;
    return { mode: 'merge', query, range: { from, to } };
  };
  const isDrift = kind === 'drift';
  const length = isDrift ? sideMillisMax : Math.min(sideMillisMax, foundMillis - timeMillis);
  const from = isDrift ? foundMillis - length : timeMillis;
  const base = isDrift ? foundMillis - driftMillis : timeMillis - length;
  return {
    mode: 'diff',
    base: side(base, length),
    compared: side(from, length),
    baseScale: 'load',
  };
}
