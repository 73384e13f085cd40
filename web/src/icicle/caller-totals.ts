// The direct callers of a function, added up over an inverted tree.
import type { TreeTexts } from '../tree/tree-texts.ts';
import type { Tree } from '../tree/tree.ts';

/** One caller, and its share of all that the function has. */
export interface CallerTotal {
  readonly name: string;
  readonly share: number;
}

/** Callers of a function by share, the largest first; what has no caller is not among them. */
export function callerTotals(tree: Tree, texts: TreeTexts, callee: string): CallerTotal[] {
  const name = texts.indexOf(callee);
  const whole = Number(tree.total);
  if (name === undefined || whole <= 0) return [];
  const totals = new Map<number, bigint>();
  const isBelow = new Uint8Array(tree.count);
  for (let row = 1; row < tree.count; row++) {
    const parent = tree.parent[row];
    isBelow[row] = isBelow[parent] | Number(tree.name[parent] === name);
    const isCaller = tree.name[parent] === name && isBelow[parent] === 0;
    if (isCaller) {
      totals.set(tree.name[row], (totals.get(tree.name[row]) ?? 0n) + tree.cumulative[row]);
    }
  }
  return [...totals]
    .map(([caller, value]) => ({ name: texts.name(caller), share: Number(value) / whole }))
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
}
