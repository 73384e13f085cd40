// Collects the sums of one answer, from any number of parts, in one dictionary.
import type { Dictionary } from '../../model/dictionary.ts';
import type {
  JoinedDictionaries,
  JoinedDictionary,
} from '../../model/dictionaries/joined-dictionary.ts';
import type { StackMerger } from '../../model/merge.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { ReadContext, StackGroupSum, StackSums } from '../interface.ts';
import { groupKey } from './row-lists.ts';

/** Maximum number of partial sums of a group. Above it, the partial sums are added up. */
const sumsMax = 8;

/** A group, and its partial sums, whose stacks are rows of the joined dictionary. */
interface JoinedGroup {
  readonly group: StackGroupSum;
  rows: MergedStacks[];
}

/**
 * Adds the groups of one part after another. If only one part has groups, its stacks stay
 * unchanged. When a second part is added, all stacks are translated into a joined dictionary.
 */
export class GroupSums {
  readonly #dictionaries: JoinedDictionaries;
  readonly #merger: StackMerger;
  readonly #context: ReadContext;
  #joined: JoinedDictionary | undefined;
  #only: StackSums = { dictionary: undefined, groups: [] };
  readonly #groups = new Map<string, JoinedGroup>();

  constructor(dictionaries: JoinedDictionaries, merger: StackMerger, context: ReadContext) {
    this.#dictionaries = dictionaries;
    this.#merger = merger;
    this.#context = context;
  }

  /** Adds the groups of a part. Only one call may run at a time. Pauses if the work takes long. */
  async add(dictionary: Dictionary, groups: readonly StackGroupSum[]): Promise<void> {
    if (groups.length === 0) return;
    if (this.#only.dictionary === undefined && this.#joined === undefined) {
      this.#only = { dictionary, groups };
      return;
    }
    const only = this.#only;
    this.#only = { dictionary: undefined, groups: [] };
    if (only.dictionary !== undefined) await this.#carryOver(only.dictionary, only.groups);
    await this.#carryOver(dictionary, groups);
  }

  finish(): StackSums {
    const joined = this.#joined;
    if (joined === undefined) return this.#only;
    const groups = Array.from(this.#groups.values(), ({ group, rows }) => ({
      ...group,
      merged: joined.sum(rows, this.#merger),
    }));
    // The values of one part may cancel out the values of another part.
    const left = groups.filter(({ merged }) => merged.stacks.length > 0);
    return { dictionary: joined.dictionary, groups: left };
  }

  async #carryOver(from: Dictionary, groups: readonly StackGroupSum[]): Promise<void> {
    const joined = (this.#joined ??= this.#dictionaries.current(from));
    for (const group of groups) {
      const key = groupKey(group);
      const known = this.#groups.get(key) ?? { group, rows: [] };
      this.#groups.set(key, known);
      known.rows.push(await joined.translatePausing(from, group.merged, this.#context));
      if (known.rows.length > sumsMax) known.rows = [joined.sum(known.rows, this.#merger)];
    }
  }
}
