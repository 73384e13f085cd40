// Sums rows of chunks by stack without decoding them. It is used on the main thread and in merge
// workers.
import { AppError, errorMessage } from '../../base/errors.ts';
import type { StackMerger } from '../../model/merge.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import type { ChunkBytes } from '../selection.ts';
import { ChunkReader } from '../chunk/chunk-reader.ts';
import { decodeRows, type DecodedRows } from '../chunk/decode-rows.ts';

/** Rows of one chunk to be summed. */
export interface ChunkTask {
  readonly chunk: ChunkBytes;
  /** Index of the value column to sum. */
  readonly valueColumn: number;
  /** First profile to sum, and the end of the profiles. */
  readonly first: number;
  readonly end: number;
  /** Cost of the chunk, measured in rows of profiles whose addition takes as long; approximate. */
  readonly cost: number;
  /**
   * Filter with an element for each SampleLabelsIndex, 1 = rows with these labels match; if
   * undefined, all rows match.
   */
  readonly rowFilter: Uint8Array | undefined;
}

/**
 * Rows by stack and sample labels. They are either sums or single rows. Ownership: valid until the
 * next rows are requested.
 */
export interface LabelledRows extends MergedStacks {
  /** SampleLabelsIndex of each row; undefined when no row has labels. */
  readonly labels: Uint32Array | undefined;
}

/** Approximate number of rows that are decoded in one step. They take 1-2 MB. */
const rowsDecodedAtOnce = 65_536;

/** Sums chunks one after another, with the same scratch memory. */
export class ChunkSummer {
  readonly #reader = new ChunkReader();
  readonly #merger: StackMerger;

  constructor(merger: StackMerger) {
    this.#merger = merger;
  }

  /**
   * Returns the sums by stack. All stack numbers must be below `stackCount`, and all chunks
   * together cost about `cost`. Damaged chunks are left out and reported in `missing`.
   */
  sum(
    tasks: Iterable<ChunkTask>,
    cost: number,
    stackCount: number,
    missing: string[],
  ): MergedStacks {
    return this.#merger.collapse(this.#readRows(tasks, stackCount, missing), cost, stackCount);
  }

  /**
   * Yields the rows of a chunk with their labels: sums by stack and labels if the entries of the
   * chunk have labels, otherwise single rows.
   *
   * Errors: AppError 'data-loss'.
   */
  *labelledRows({ chunk, valueColumn, first, end, cost }: ChunkTask): Generator<LabelledRows> {
    const sum = this.#reader.sumChunk(chunk, valueColumn, first, end);
    if (!sum.labelsInRows) {
      const { entryCount, entryStack, entryLabels, sums } = sum;
      yield {
        stacks: entryStack.subarray(0, entryCount),
        values: sums.subarray(0, entryCount),
        labels: entryLabels?.subarray(0, entryCount),
      };
      return;
    }
    for (const { stacks, values, sampleLabels } of decodeInSteps(chunk, first, end, cost)) {
      yield { stacks, values: values[valueColumn], labels: sampleLabels };
    }
  }

  *#readRows(
    tasks: Iterable<ChunkTask>,
    stackCount: number,
    missing: string[],
  ): Generator<MergedStacks> {
    for (const task of tasks) {
      try {
        for (const rows of task.rowFilter === undefined
          ? [this.#sumEntries(task)]
          : this.labelledRows(task)) {
          checkStacks(rows.stacks, stackCount);
          yield task.rowFilter === undefined ? rows : filtered(rows, task.rowFilter);
        }
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (!missing.includes(errorMessage(error))) missing.push(errorMessage(error));
      }
    }
  }

  #sumEntries({ chunk, valueColumn, first, end }: ChunkTask): LabelledRows {
    const { entryCount, entryStack, sums } = this.#reader.sumChunk(chunk, valueColumn, first, end);
    const stacks = entryStack.subarray(0, entryCount);
    return { stacks, values: sums.subarray(0, entryCount), labels: undefined };
  }
}

/** Decodes rows, a few profiles at a time. */
export function* decodeInSteps(
  chunk: ChunkBytes,
  first: number,
  end: number,
  rowCount: number,
): Generator<DecodedRows> {
  const perProfile = Math.max(1, rowCount / Math.max(1, end - first));
  const step = Math.max(1, Math.floor(rowsDecodedAtOnce / perProfile));
  for (let from = first; from < end; from += step) {
    yield decodeRows(chunk, from, Math.min(end, from + step));
  }
}

function filtered({ stacks, values, labels }: LabelledRows, rowFilter: Uint8Array): MergedStacks {
  const keptStacks = new Uint32Array(stacks.length);
  const keptValues = new BigInt64Array(stacks.length);
  let kept = 0;
  for (let i = 0; i < stacks.length; i += 1) {
    if (rowFilter[labels === undefined ? 0 : labels[i]] !== 1) continue;
    keptStacks[kept] = stacks[i];
    keptValues[kept] = values[i];
    kept += 1;
  }
  return { stacks: keptStacks.subarray(0, kept), values: keptValues.subarray(0, kept) };
}

function checkStacks(stacks: Uint32Array, stackCount: number): void {
  let largest = 0;
  for (let i = 0; i < stacks.length; i += 1) if (stacks[i] > largest) largest = stacks[i];
  if (largest < stackCount) return;
  throw new AppError('data-loss', `cannot read chunk: it has stack ${largest} of ${stackCount}`);
}
