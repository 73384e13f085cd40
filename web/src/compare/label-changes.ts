// Ranks label values by how much of a change they explain.

/** Totals of a label value on both sides of a comparison, in the same unit. */
export interface LabelChange {
  readonly label: string;
  readonly value: string;
  readonly before: number;
  readonly now: number;
  /**
   * Share of the total change: 0.92 is most of it; negative if the value changed in the opposite
   * direction.
   */
  readonly share: number;
}

/** Values of a label on one side. */
export type LabelValuesOf = ReadonlyMap<string, number>;

/** Maximum number of listed values. */
const listedMax = 30;

/**
 * Ranks values by their share of the change minus their share of the base, because a value that
 * grows like all others explains nothing. Labels with a single value are omitted.
 */
export function rankLabelChanges(
  labels: ReadonlyMap<string, { readonly before: LabelValuesOf; readonly now: LabelValuesOf }>,
): LabelChange[] {
  const ranked: { readonly change: LabelChange; readonly beyond: number }[] = [];
  for (const [label, { before, now }] of labels) {
    const values = new Set([...before.keys(), ...now.keys()]);
    const [totalBefore, totalNow] = [before, now].map(sum);
    const whole = totalNow - totalBefore;
    if (values.size < 2 || whole === 0) continue;
    for (const value of values) {
      const change = { before: before.get(value) ?? 0, now: now.get(value) ?? 0 };
      const share = (change.now - change.before) / whole;
      const expected = totalBefore > 0 ? change.before / totalBefore : 1 / values.size;
      ranked.push({ change: { label, value, ...change, share }, beyond: share - expected });
    }
  }
  return ranked
    .filter(({ beyond }) => beyond > 0)
    .sort((a, b) => b.beyond - a.beyond)
    .slice(0, listedMax)
    .map(({ change }) => change);
}

/** Returns the side without any profiles, with which nothing can be compared; else undefined. */
export function emptySide(
  labels: ReadonlyMap<string, { readonly before: LabelValuesOf; readonly now: LabelValuesOf }>,
): 'before' | 'now' | undefined {
  const sides = [...labels.values()];
  if (sides.length === 0) return undefined;
  return (['before', 'now'] as const).find((side) => sides.every((one) => sum(one[side]) === 0));
}

function sum(values: LabelValuesOf): number {
  return [...values.values()].reduce((total, value) => total + value, 0);
}
