// Runs in a worker thread: sums runs of rows in shared memory by stack.
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../base/errors.ts';
import { StackMerger } from '../model/merge.ts';
import type { RowRuns } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';

/** What the pool sends. */
export interface MergeRequest {
  readonly runs: RowRuns;
  readonly buffers: readonly SharedArrayBuffer[];
  readonly stackCount: number;
  /** Becomes 1 when the answer is not wanted any more. */
  readonly stop: Int32Array;
}

/** What the worker answers, one reply to each request, in order. */
export type MergeReply = MergedStacks | { readonly failure: string };

const merger = new StackMerger();

function merge({ runs, buffers, stackCount, stop }: MergeRequest): MergedStacks {
  const memories = buffers.map((buffer) => ({
    values: new BigInt64Array(buffer),
    words: new Uint32Array(buffer),
  }));
  return merger.merge(runs, memories, stackCount, () => Atomics.load(stop, 0) === 1);
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
