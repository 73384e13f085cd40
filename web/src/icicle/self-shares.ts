// Computes the self share of each group in the selection.
import { heaviestGroups } from '../canvas/colours.ts';
import type { FunctionTable } from '../tree/function-table.ts';
import type { GroupMode, Tree } from '../tree/tree.ts';

/** Entry in a legend of colours. */
export interface GroupShare {
  readonly text: string;
  /** Self share of its functions in the total, 0 .. 1. */
  readonly share: number;
}

export interface GroupShares {
  /** Groups with the largest area in the graph, sorted by share. */
  readonly shown: readonly GroupShare[];
  /** Share of all other groups, so that the sum is 1. */
  readonly rest: number;
}

const shownMax = 11;

/** Computes the shares. `top` has the functions of the selection if the graph is trimmed. */
export function groupShares(
  whole: Tree,
  mode: GroupMode,
  top: FunctionTable | undefined,
): GroupShares {
  const grouping = whole.groups[mode];
  const shares = top?.groupShares[mode];
  const shown = heaviestGroups(grouping)
    .slice(0, shownMax)
    .map((group) => {
      const text = grouping.texts[group];
      return {
        text,
        share: shares === undefined ? grouping.selfShare[group] : (shares.get(text) ?? 0),
      };
    })
    .sort((a, b) => b.share - a.share || (a.text < b.text ? -1 : 1));
  const sum = shown.reduce((total, { share }) => total + share, 0);
  // Sums of doubles are not exact.
  const rest = 1 - sum < 1e-9 ? 0 : 1 - sum;
  return { shown, rest };
}
