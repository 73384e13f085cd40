// Runs in a worker thread: sums rows in shared memory by stack.
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../base/errors.ts';
import { StackMerger } from '../model/merge.ts';
import type { RowRuns } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { ChunkSummer } from './chunk-sums.ts';
import type { ChunkTask } from './chunk-sums.ts';
import type { PooledMerge } from './merge-pool.ts';

/** What the pool sends. */
export interface MergeRequest {
  readonly runs: RowRuns;
  readonly chunks: readonly ChunkTask[];
  readonly buffers: readonly SharedArrayBuffer[];
  readonly stackCount: number;
  /** Becomes 1 when the answer is not wanted any more. */
  readonly stop: Int32Array;
}

/** What the worker answers, one reply to each request, in order. */
export type MergeReply = PooledMerge | { readonly failure: string };

const merger = new StackMerger();
const summer = new ChunkSummer(merger);

function merge({ runs, chunks, buffers, stackCount, stop }: MergeRequest): PooledMerge {
  const memories = buffers.map((buffer) => ({
    values: new BigInt64Array(buffer),
    words: new Uint32Array(buffer),
  }));
  const stopped = (): boolean => Atomics.load(stop, 0) === 1;
  const merged: MergedStacks[] = [];
  const missing: string[] = [];
  if (runs.length > 0) merged.push(merger.merge(runs, memories, stackCount, stopped));
  if (chunks.length > 0) merged.push(summer.sum(chunks, stackCount, missing, stopped));
  return { merged, missing };
}

parentPort?.on('message', (request: MergeRequest) => {
  let reply: MergeReply;
  try {
    reply = merge(request);
  } catch (error) {
    reply = { failure: `cannot merge profiles: ${errorMessage(error)}` };
  }
  // Not transferred: a copy of some hundred kilobytes, and the scratch memory stays whole.
  parentPort?.postMessage(reply);
});
