// Sums batches of rows of one part into one value per stack, for each group of labels.
import { mergeInWorkerRowsMin } from '../base/limits.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { ScaledStacks, StackMerger } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { StackGroup } from '../report/call-tree.ts';
import type { Selection } from '../storage/selection.ts';
import { forEachAtOnce } from './at-once.ts';
import type { ChunkSummer } from './chunk-sums.ts';
import type { QueryContext } from './context.ts';
import type { MergePool } from './merge-pool.ts';
import type { RowBatch } from './row-grouper.ts';
import type { RowList } from './row-lists.ts';

/** What sums are made with. */
export interface MergeTools {
  readonly merger: StackMerger;
  readonly summer: ChunkSummer;
  readonly pool: MergePool;
  readonly context: QueryContext;
  /** Whether the selection has so many rows that workers are worth their while. */
  readonly isLarge: boolean;
}

/** Rather than keep more sums of one group than these, they are added up. */
const sumsMax = 8;
/** Below it the way to a worker and back costs more than the sum. */
const listInWorkerCostMin = mergeInWorkerRowsMin / 8;
const listsMergedAtOnce = 8;

/** The merge of one part, batch by batch. */
export class PartMerge {
  private readonly dictionary: Dictionary;
  private readonly selection: Selection;
  private readonly tools: MergeTools;
  private readonly byGroup = new Map<readonly string[], ScaledStacks[]>();

  constructor(dictionary: Dictionary, selection: Selection, tools: MergeTools) {
    this.dictionary = dictionary;
    this.selection = selection;
    this.tools = tools;
  }

  /** Sums a batch; its memory may be let go of then. */
  async add(batch: RowBatch): Promise<void> {
    const lists = batch.groups.flatMap(({ labelValues, lists: ofGroup }) =>
      ofGroup.map((list) => ({ labelValues, list })),
    );
    await forEachAtOnce(lists, listsMergedAtOnce, async ({ labelValues, list }) => {
      this.note(labelValues, list, await this.mergeList(list, batch));
    });
  }

  /** The sums of each group that has any. */
  finish(): StackGroup[] {
    const groups: StackGroup[] = [];
    for (const [labelValues, sums] of this.byGroup) {
      const merged = this.tools.merger.combine(sums, this.dictionary.stacks.length);
      if (merged.stacks.length > 0) groups.push({ labelValues, merged });
    }
    return groups;
  }

  private async mergeList(
    { runs, chunks, cost, isShared }: RowList,
    { memories, segments }: RowBatch,
  ): Promise<MergedStacks[]> {
    const { merger, summer, pool, context, isLarge } = this.tools;
    const { missing } = this.selection;
    const stackCount = this.dictionary.stacks.length;
    if (isLarge && isShared && cost >= listInWorkerCostMin) {
      const answer = await pool.merge({ runs, chunks, segments, stackCount }, context);
      for (const one of answer.missing) if (!missing.includes(one)) missing.push(one);
      return answer.merged;
    }
    const merged: MergedStacks[] = [];
    if (runs.length > 0) merged.push(merger.merge(runs, memories, stackCount));
    if (chunks.length > 0) merged.push(summer.sum(chunks, stackCount, missing));
    return merged;
  }

  private note(
    labelValues: readonly string[],
    { factor }: RowList,
    merged: readonly MergedStacks[],
  ): void {
    const { budget } = this.tools.context;
    let sums = this.byGroup.get(labelValues) ?? [];
    for (const one of merged) {
      sums.push({ merged: one, factor });
      budget.hold(bytesOf(one));
    }
    if (sums.length > sumsMax) {
      const { stacks } = this.dictionary;
      const combined = this.tools.merger.combine(sums, stacks.length);
      for (const sum of sums) budget.release(bytesOf(sum.merged));
      budget.hold(bytesOf(combined));
      sums = [{ merged: combined, factor: 1n }];
    }
    this.byGroup.set(labelValues, sums);
  }
}

function bytesOf({ stacks, values }: MergedStacks): number {
  return stacks.byteLength + values.byteLength;
}
