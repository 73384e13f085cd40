// From the sums of parts to groups of stacks of one dictionary, for one side or both of a diff.
import { Dictionary } from '../model/dictionary.ts';
import type { StackMerger } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { StackGroup } from '../report/call-tree.ts';
import type { MergedPart } from './part-merge.ts';
import type { View, ViewDictionary } from './view-dictionary.ts';

/** Groups of each side, by their labels' values; their stacks are those of `dictionary`. */
export interface GroupedSides {
  readonly dictionary: Dictionary;
  readonly sides: readonly (readonly StackGroup[])[];
}

export const emptyStacks: MergedStacks = {
  stacks: new Uint32Array(0),
  values: new BigInt64Array(0),
};

/**
 * Joins parts into groups, in the order of their labels' values. When all stacks are of one
 * dictionary it stays; else stacks are carried over to the view.
 */
export function joinParts(
  sides: readonly (readonly MergedPart[])[],
  views: ViewDictionary,
  merger: StackMerger,
): GroupedSides {
  const [first, ...others] = new Set(sides.flat().map(({ dictionary }) => dictionary));
  if (first === undefined) {
    return { dictionary: new Dictionary([0, 0, 0]), sides: sides.map(() => []) };
  }
  if (others.length === 0) {
    const groups = sides.map((parts) =>
      inOrder(parts.map(({ labelValues, merged }) => ({ labelValues, merged }))),
    );
    return { dictionary: first, sides: groups };
  }
  const view = views.current(first);
  const groups = sides.map((parts) => joinInView(parts, view, merger));
  return { dictionary: view.dictionary, sides: groups };
}

function joinInView(parts: readonly MergedPart[], view: View, merger: StackMerger): StackGroup[] {
  const byKey = new Map<string, { labelValues: readonly string[]; rows: MergedStacks[] }>();
  for (const { dictionary, labelValues, merged } of parts) {
    const key = JSON.stringify(labelValues);
    const group = byKey.get(key) ?? { labelValues, rows: [] };
    byKey.set(key, group);
    group.rows.push(view.translate(dictionary, merged));
  }
  const { stacks } = view.dictionary;
  return inOrder(
    [...byKey.values()].map(({ labelValues, rows }) => ({
      labelValues,
      merged: merger.collapse(rows, stacks.length),
    })),
  );
}

function inOrder(groups: StackGroup[]): StackGroup[] {
  const keyed = groups.map((group) => ({ key: JSON.stringify(group.labelValues), group }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ group }) => group);
}
