// The interface between the code that plans compactions and the code that runs them, in this thread
// or another.
import { memoryShare } from '../../base/memory-limit.ts';
import { askThread } from '../../base/threads/ask-thread.ts';
import type { Seeds } from '../../model/dictionary.ts';
import { compactionHeapBytesMax } from '../limits.ts';

/** A request to compact blocks into a new block, as plain data that can be sent to a thread. */
export interface CompactionRequest {
  readonly storagePath: string;
  /** Seeds for the dictionary of the new block. */
  readonly seeds: Seeds;
  /** Id of the new block, which is written to `blocks/<id>.block.tmp`. */
  readonly id: string;
  readonly level: 1 | 2;
  readonly createdNanos: bigint;
  /** Length of the window that contains all profiles; 0 = no such window. */
  readonly windowNanos: bigint;
  /** Ids of the blocks to read. Their deletions are applied. */
  readonly inputs: readonly string[];
  /**
   * Ids of the inputs, and of earlier blocks that the inputs replaced. The earlier blocks may still
   * be in a bucket.
   */
  readonly sources: readonly string[];
  /**
   * Content hashes of profiles before this time are dropped if their block was also created before
   * it; undefined = all hashes are kept.
   */
  readonly hashesFromNanos: bigint | undefined;
}

export type CompactionOutcome =
  | {
      readonly kind: 'done';
      /** 0 = all profiles are deleted, and there is no file. */
      readonly profileCount: number;
      readonly rowCount: number;
      /** Number of deleted profiles that were dropped. */
      readonly deletedCount: number;
    }
  | {
      /** An input is damaged, and no block was written. */
      readonly kind: 'unreadable';
      readonly id: string;
      readonly reason: string;
    };

/** Runs compactions, one at a time. */
export interface Compactor {
  /**
   * Writes the block's temporary file, durably. After a failure, part of the file may exist.
   *
   * Errors: AppError 'cancelled', 'resource-exhausted' (the disk is full, or the memory limit is
   * reached), 'unavailable', 'internal'.
   */
  compact(request: CompactionRequest, signal: AbortSignal): Promise<CompactionOutcome>;
}

/**
 * Creates a compactor that starts a thread for each compaction; `script` runs `compactBlocks` in
 * it. Cancelling a compaction ends its thread.
 */
export function createCompactionThreads(script: URL): Compactor {
  const whyCancelled = 'the store is busy or closing';
  const heapBytesMax = memoryShare('compactionHeap', compactionHeapBytesMax);
  const task = 'compact blocks';
  const thread = { script, name: 'compaction', task, whyCancelled, heapBytesMax };
  return { compact: (request, signal) => askThread(thread, request, signal) };
}
