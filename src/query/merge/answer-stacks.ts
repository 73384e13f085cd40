// The stacks of one answer in one dictionary, whichever parts they come from.
import { Dictionary } from '../../model/dictionary.ts';
import type { StackMerger } from '../../model/merge.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { StackGroup } from '../../report/tree/call-tree.ts';
import type { QueryContext } from '../running/context.ts';
import type { View, ViewDictionary } from './joined-dictionary.ts';

/** Groups by their labels' values, in order of these; stacks are those of `dictionary`. */
export interface GroupedStacks {
  /** Undefined: there is nothing. */
  readonly dictionary: Dictionary | undefined;
  readonly groups: readonly StackGroup[];
}

export const emptyStacks: MergedStacks = {
  stacks: new Uint32Array(0),
  values: new BigInt64Array(0),
};

/** Rather than keep more sums of one group than these, they are added up. */
const sumsMax = 8;

/** The view of one answer, taken when it is first needed. */
export class AnswerView {
  readonly #views: ViewDictionary;
  readonly #merger: StackMerger;
  #view: View | undefined;

  constructor(views: ViewDictionary, merger: StackMerger) {
    this.#views = views;
    this.#merger = merger;
  }

  get dictionary(): Dictionary | undefined {
    return this.#view?.dictionary;
  }

  /** Stacks of a part as stacks of the view, in no order. */
  translate(from: Dictionary, merged: MergedStacks): MergedStacks {
    this.#view ??= this.#views.current(from);
    return this.#view.dictionary === from ? merged : this.#view.translate(from, merged);
  }

  /** The same, pausing if it takes long. */
  async translatePausing(
    from: Dictionary,
    merged: MergedStacks,
    context: QueryContext,
  ): Promise<MergedStacks> {
    this.#view ??= this.#views.current(from);
    if (this.#view.dictionary === from) return merged;
    return this.#view.translatePausing(from, merged, () => context.pause());
  }

  /** The sum of what `translate` gave, or of such sums. */
  sum(rows: readonly MergedStacks[]): MergedStacks {
    const rowCount = rows.reduce((sum, { stacks }) => sum + stacks.length, 0);
    return this.#merger.collapse(rows, rowCount, this.dictionary?.stacks.length ?? 0);
  }
}

/**
 * Adds up the groups of part after part. As long as only one part has any, its stacks stay as they
 * are; from the second one on all are carried over to the view.
 */
export class GroupSums {
  readonly #view: AnswerView;
  readonly #context: QueryContext;
  #only: GroupedStacks = { dictionary: undefined, groups: [] };
  /** By labels' values; of the view. */
  readonly #sums = new Map<string, { labelValues: readonly string[]; rows: MergedStacks[] }>();

  constructor(view: AnswerView, context: QueryContext) {
    this.#view = view;
    this.#context = context;
  }

  /** Pauses where it takes long; the next part is added after it. */
  async add(dictionary: Dictionary, groups: readonly StackGroup[]): Promise<void> {
    if (groups.length === 0) return;
    if (this.#only.dictionary === undefined && this.#sums.size === 0) {
      this.#only = { dictionary, groups };
      return;
    }
    const only = this.#only;
    this.#only = { dictionary: undefined, groups: [] };
    if (only.dictionary !== undefined) await this.#carryOver(only.dictionary, only.groups);
    await this.#carryOver(dictionary, groups);
  }

  finish(): GroupedStacks {
    if (this.#only.dictionary !== undefined) {
      return { dictionary: this.#only.dictionary, groups: inOrder(this.#only.groups) };
    }
    const groups = [...this.#sums.values()].map(({ labelValues, rows }) => ({
      labelValues,
      merged: this.#view.sum(rows),
    }));
    // What one part adds may be what another one takes away.
    const left = groups.filter(({ merged }) => merged.stacks.length > 0);
    return { dictionary: this.#view.dictionary, groups: inOrder(left) };
  }

  async #carryOver(dictionary: Dictionary, groups: readonly StackGroup[]): Promise<void> {
    for (const { labelValues, merged } of groups) {
      const key = JSON.stringify(labelValues);
      const sum = this.#sums.get(key) ?? { labelValues, rows: [] };
      this.#sums.set(key, sum);
      sum.rows.push(await this.#view.translatePausing(dictionary, merged, this.#context));
      if (sum.rows.length > sumsMax) sum.rows = [this.#view.sum(sum.rows)];
    }
  }
}

/** Both sides of a diff, or one side alone, in one dictionary. */
export function inOneDictionary(
  sides: readonly GroupedStacks[],
  view: AnswerView,
): { readonly dictionary: Dictionary; readonly sides: readonly (readonly StackGroup[])[] } {
  const [first, ...others] = new Set(sides.flatMap(({ dictionary }) => dictionary ?? []));
  if (others.length === 0) {
    const dictionary = first ?? new Dictionary([0, 0, 0]);
    return { dictionary, sides: sides.map(({ groups }) => groups) };
  }
  const carried = sides.map(({ dictionary, groups }) =>
    dictionary === undefined
      ? groups
      : groups.map(({ labelValues, merged }) => ({
          labelValues,
          merged: view.sum([view.translate(dictionary, merged)]),
        })),
  );
  return { dictionary: view.dictionary ?? first, sides: carried };
}

/** Groups in the order of their labels' values. */
export function inOrder(groups: readonly StackGroup[]): StackGroup[] {
  const keyed = groups.map((group) => ({ key: JSON.stringify(group.labelValues), group }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ group }) => group);
}
