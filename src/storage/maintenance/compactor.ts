// The seam between deciding on compactions and running them, here or in a thread.
import type { Seeds } from '../wal/format.ts';

/** A block to be written from others. Plain data: it is sent to a thread. */
export interface CompactionRequest {
  readonly storagePath: string;
  /** For the hashes of the dictionary that is filled. */
  readonly seeds: Seeds;
  /** Of the new block; the file is `blocks/<id>.block.tmp` when the compaction is done. */
  readonly id: string;
  readonly level: 1 | 2;
  readonly createdNanos: bigint;
  /** Of the window that all profiles lie in, 0 = any. */
  readonly windowNanos: bigint;
  /** Blocks to be read, whose side files are applied. */
  readonly inputs: readonly string[];
  /** The inputs, and all that they replaced: copies of those may be in a bucket still. */
  readonly sources: readonly string[];
  /**
   * Content hashes of profiles before it are dropped, unless their block was made later: they came
   * late, and may be repeated still. Undefined: none are.
   */
  readonly hashesFromNanos: bigint | undefined;
}

export type CompactionOutcome =
  | {
      readonly kind: 'done';
      /** 0: everything is deleted, and there is no file. */
      readonly profileCount: number;
      readonly rowCount: number;
      /** Copies of a profile, and deleted ones, that are not there any more. */
      readonly duplicateCount: number;
      readonly deletedCount: number;
      readonly streamCount: number;
    }
  | {
      /** One of the inputs is damaged; nothing was written. */
      readonly kind: 'unreadable';
      readonly id: string;
      readonly reason: string;
    };

/** Runs compactions, one at a time. */
export interface Compactor {
  /**
   * Writes the block's temporary file, durably. On any failure the file may be there in part.
   *
   * Errors: AppError 'cancelled', 'resource-exhausted' (disk full), 'unavailable', 'internal'.
   */
  compact(request: CompactionRequest, signal: AbortSignal): Promise<CompactionOutcome>;
}
