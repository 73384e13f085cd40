// Merged stacks by group, for one or both sides of a report. If a group has a time, the time is an
// additional value after the label values.
import { Dictionary } from '../../model/dictionary.ts';
import type { JoinedDictionaries } from '../../model/dictionaries/joined-dictionary.ts';
import type { StackMerger } from '../../model/merge.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { ProfileTimes } from '../../model/profiles/profile-columns.ts';
import type { StackGroup } from '../../report/tree/call-tree.ts';
import type { StackSums } from '../../storage/interface.ts';

/** Groups in the order of their label values; stacks are rows of `dictionary`. */
export interface GroupedStacks {
  /** Dictionary of the stacks; undefined when there are none. */
  readonly dictionary: Dictionary | undefined;
  readonly groups: readonly StackGroup[];
}

export const emptyStacks: MergedStacks = {
  stacks: new Uint32Array(0),
  values: new BigInt64Array(0),
};

/** Returns the groups of a store's sums. If groups have a time, the time is their last value. */
export function groupStacks({ dictionary, groups }: StackSums): GroupedStacks {
  const named = groups.map(({ labelValues, span, merged }) => ({
    labelValues: span === undefined ? labelValues : [...labelValues, printSpan(span)],
    merged,
  }));
  return { dictionary, groups: inOrder(named) };
}

/** Both sides of a diff, or a single side, in one dictionary. */
export interface JoinedSides {
  readonly dictionary: Dictionary;
  readonly sides: readonly (readonly StackGroup[])[];
}

export function inOneDictionary(
  sides: readonly GroupedStacks[],
  dictionaries: JoinedDictionaries,
  merger: StackMerger,
): JoinedSides {
  const [first, ...others] = new Set(sides.flatMap(({ dictionary }) => dictionary ?? []));
  if (others.length === 0) {
    const dictionary = first ?? new Dictionary([0, 0, 0]);
    return { dictionary, sides: sides.map(({ groups }) => groups) };
  }
  const joined = dictionaries.current(first);
  const carried = sides.map(({ dictionary, groups }) =>
    dictionary === undefined || dictionary === joined.dictionary
      ? groups
      : groups.map(({ labelValues, merged }) => ({
          labelValues,
          merged: joined.sum([joined.translate(dictionary, merged)], merger),
        })),
  );
  return { dictionary: joined.dictionary, sides: carried };
}

/** Returns groups in the order of their label values. */
export function inOrder(groups: readonly StackGroup[]): StackGroup[] {
  const keyed = groups.map((group) => ({ key: JSON.stringify(group.labelValues), group }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ group }) => group);
}

/** Formats the time of a group as the value that follows its label values. */
function printSpan({ timeNanos, durationNanos }: ProfileTimes): string {
  return `${timeNanos}+${durationNanos}`;
}

/** Parses the result of `printSpan`; undefined for "", which a group without profiles has. */
export function parseSpan(text: string): ProfileTimes | undefined {
  if (text === '') return undefined;
  const [timeNanos, durationNanos] = text.split('+').map(BigInt);
  return { timeNanos, durationNanos };
}
