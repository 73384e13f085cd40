// Sums batches of rows into one value per stack, for each part and group of labels.
import { mergeInWorkerRowsMin } from '../base/limits.ts';
import type { Dictionary } from '../model/dictionary.ts';
import type { ScaledStacks, StackMerger } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { forEachAtOnce } from './at-once.ts';
import type { MergePool } from './merge-pool.ts';
import type { RowBatch } from './row-grouper.ts';
import type { RowList } from './row-lists.ts';

/** The sums of one group in one part; stacks are those of the part's dictionary. */
export interface MergedPart {
  readonly dictionary: Dictionary;
  readonly labelValues: readonly string[];
  readonly merged: MergedStacks;
}

/** Sums of a group in a part so far. */
interface PartSums {
  readonly dictionary: Dictionary;
  readonly labelValues: readonly string[];
  sums: ScaledStacks[];
}

/** Rather than keep more sums of one group than these, they are added up. */
const sumsMax = 8;
/** Below it the way to a worker and back costs more than the sum. */
const listInWorkerRowsMin = mergeInWorkerRowsMin / 8;
const listsMergedAtOnce = 8;

/** One merge, batch by batch. */
export class PartMerge {
  private readonly dictionaries: readonly (Dictionary | undefined)[];
  private readonly merger: StackMerger;
  private readonly pool: MergePool;
  private readonly signal: AbortSignal;
  private readonly byGroup = new Map<readonly string[], PartSums[]>();

  constructor(
    dictionaries: readonly (Dictionary | undefined)[],
    merger: StackMerger,
    pool: MergePool,
    signal: AbortSignal,
  ) {
    this.dictionaries = dictionaries;
    this.merger = merger;
    this.pool = pool;
    this.signal = signal;
  }
  /** Sums a batch; its memory may be let go of then. */
  async add({ groups, memories, segments }: RowBatch): Promise<void> {
    const all = groups.flatMap(({ labelValues, lists }) =>
      lists.map((list) => ({ labelValues, list })),
    );
    const rowCount = all.reduce((sum, { list }) => sum + list.runs.rowCount, 0);
    const isLarge = rowCount >= mergeInWorkerRowsMin;
    await forEachAtOnce(all, listsMergedAtOnce, async ({ labelValues, list }) => {
      const stackCount = this.dictionaries[list.part]?.stacks.length ?? 0;
      const inWorkers = isLarge && list.isShared && list.runs.rowCount >= listInWorkerRowsMin;
      const merged = inWorkers
        ? await this.pool.merge({ runs: list.runs, segments, stackCount }, this.signal)
        : [this.merger.merge(list.runs, memories, stackCount)];
      this.note(labelValues, list, merged, stackCount);
    });
  }

  /** The sums of each group in each part that has any. */
  finish(): MergedPart[] {
    const parts: MergedPart[] = [];
    for (const { labelValues, dictionary, sums } of [...this.byGroup.values()].flat()) {
      const merged = this.merger.combine(sums, dictionary.stacks.length);
      if (merged.stacks.length > 0) parts.push({ dictionary, labelValues, merged });
    }
    return parts;
  }

  private note(
    labelValues: readonly string[],
    { part, factor }: RowList,
    merged: readonly MergedStacks[],
    stackCount: number,
  ): void {
    const dictionary = this.dictionaries[part];
    if (dictionary === undefined) return;
    const ofGroup = this.byGroup.get(labelValues) ?? [];
    this.byGroup.set(labelValues, ofGroup);
    let sums = ofGroup.find((known) => known.dictionary === dictionary);
    if (sums === undefined) {
      sums = { dictionary, labelValues, sums: [] };
      ofGroup.push(sums);
    }
    for (const one of merged) sums.sums.push({ merged: one, factor });
    if (sums.sums.length <= sumsMax) return;
    sums.sums = [{ merged: this.merger.combine(sums.sums, stackCount), factor: 1n }];
  }
}
