// Runs in a worker thread: sums rows in shared memory by stack.
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../base/errors.ts';
import { StackMerger } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import { ChunkSummer } from './chunk-sums.ts';
import type { ListPart, ListSum, PooledMerge } from './merge-pool.ts';

/** What the pool sends. */
export interface MergeRequest {
  readonly lists: readonly ListPart[];
  readonly buffers: readonly SharedArrayBuffer[];
  readonly stackCount: number;
  /** Becomes 1 when the answer is not wanted any more. */
  readonly stop: Int32Array;
}

/** What the worker answers, one reply to each request, in order. */
export type MergeReply = PooledMerge | { readonly failure: string };

const merger = new StackMerger();
const summer = new ChunkSummer(merger);

function merge({ lists, buffers, stackCount, stop }: MergeRequest): PooledMerge {
  const memories = buffers.map((buffer) => ({
    values: new BigInt64Array(buffer),
    words: new Uint32Array(buffer),
  }));
  const stopped = (): boolean => Atomics.load(stop, 0) === 1;
  const sums: ListSum[] = [];
  const missing: string[] = [];
  for (const { list, runs, chunks } of lists) {
    if (stopped()) break;
    const add = (merged: MergedStacks): number => sums.push({ list, merged });
    if (runs.length > 0) add(merger.merge(runs, memories, stackCount, stopped));
    if (chunks.length > 0) add(summer.sum(chunks, stackCount, missing, stopped));
  }
  return { sums, missing };
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
