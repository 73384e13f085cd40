// Sums batches of rows of one part. The result has one value for each stack in each group of
// labels.
import type { Dictionary } from '../../model/dictionary.ts';
import type { ScaledStacks, StackMerger } from '../../model/merge.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { ReadContext, StackGroupSum } from '../interface.ts';
import type { ChunkSummer } from './chunk-sums.ts';
import type { MergePool } from './merge-pool.ts';
import type { RowBatch } from './row-grouper.ts';
import type { GroupName, RowList } from './row-lists.ts';

/** Tools for summing. */
export interface MergeTools {
  readonly merger: StackMerger;
  readonly summer: ChunkSummer;
  readonly pool: MergePool | undefined;
  readonly context: ReadContext;
  /** True if the selection has enough rows for workers to be worthwhile. */
  readonly isLarge: boolean;
}

/** Maximum number of partial sums of a group. Above it, the partial sums are added up. */
const sumsMax = 8;

/** A list of rows, and the name of its group. */
interface GroupedList {
  readonly name: GroupName;
  readonly list: RowList;
}

/** The merge of one part, batch by batch. */
export class PartMerge {
  readonly #dictionary: Dictionary;
  readonly #missing: string[];
  readonly #tools: MergeTools;
  readonly #byGroup = new Map<GroupName, ScaledStacks[]>();

  /** Creates a merge. Sentences about data that cannot be read are added to `missing`. */
  constructor(dictionary: Dictionary, missing: string[], tools: MergeTools) {
    this.#dictionary = dictionary;
    this.#missing = missing;
    this.#tools = tools;
  }

  /** Sums a batch. After that, its memory may be reused. */
  async add({ groups, memories, segments }: RowBatch): Promise<void> {
    const { merger, summer, pool, context, isLarge } = this.#tools;
    const missing = this.#missing;
    const stackCount = this.#dictionary.stacks.length;
    const all = groups.flatMap(({ name, lists }) => lists.map((list) => ({ name, list })));
    // Memory that is not shared would have to be copied row by row, which takes longer than a sum
    // on this thread.
    const pooled = isLarge && pool !== undefined ? all.filter(({ list }) => list.isShared) : [];
    const here = isLarge ? all.filter(({ list }) => !list.isShared) : all;
    if (pool !== undefined && pooled.length > 0) {
      const lists = pooled.map(({ list }) => list);
      const answer = await pool.merge({ lists, segments, stackCount }, context);
      for (const one of answer.missing) if (!missing.includes(one)) missing.push(one);
      for (const { list, merged } of answer.sums) this.#note(pooled[list], merged);
    }
    for (const one of here) {
      const { runs, chunks, chunkCost } = one.list;
      if (runs.length > 0) this.#note(one, merger.merge(runs, memories, stackCount));
      if (chunks.length > 0) this.#note(one, summer.sum(chunks, chunkCost, stackCount, missing));
    }
  }

  /** Returns the sums of all groups that have rows. */
  finish(): StackGroupSum[] {
    const groups: StackGroupSum[] = [];
    for (const [name, sums] of this.#byGroup) {
      const merged = this.#tools.merger.combine(sums, this.#dictionary.stacks.length);
      if (merged.stacks.length > 0) groups.push({ ...name, merged });
    }
    return groups;
  }

  #note({ name, list }: GroupedList, merged: MergedStacks): void {
    const { budget } = this.#tools.context;
    let sums = this.#byGroup.get(name) ?? [];
    sums.push({ merged, factor: list.factor });
    budget.hold(countBytes(merged));
    if (sums.length > sumsMax) {
      const { stacks } = this.#dictionary;
      const combined = this.#tools.merger.combine(sums, stacks.length);
      for (const sum of sums) budget.release(countBytes(sum.merged));
      budget.hold(countBytes(combined));
      sums = [{ merged: combined, factor: 1n }];
    }
    this.#byGroup.set(name, sums);
  }
}

function countBytes({ stacks, values }: MergedStacks): number {
  return stacks.byteLength + values.byteLength;
}
