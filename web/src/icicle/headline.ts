// Headline: the value of the selection, or of both sides of a comparison.
import type { Explore } from '../answers/use-explore.ts';
import { formatRate, formatTotal, type Measure } from '../format/measure.ts';
import type { AnswerSide } from '../tree/tree-messages.ts';

/** Returns "1.84 cores", or "1.84 cores → 2.01 cores" for a diff; a dash while unknown. */
export function formatHeadline({ icicle, coverage, measure }: Explore): string {
  const tree = icicle.value;
  if (tree === undefined) return '–';
  const sides = [...(tree.baseSide === undefined ? [] : [tree.baseSide]), { ...tree, coverage }];
  const nothing = sides.length > 1 ? 'no profiles' : '–';
  return sides.map((side) => sideText(side, measure) ?? nothing).join(' → ');
}

/** Returns the value of a side; undefined without profiles. */
function sideText({ total, coverage }: AnswerSide, measure: Measure): string | undefined {
  if (total === 0n && coverage.seconds <= 0 && coverage.snapshots <= 0) return undefined;
  const rate = formatRate(total, measure, coverage);
  if (rate === undefined) return formatTotal(total, measure);
  return measure.delta ? rate : `avg ${rate}`;
}
