// The merge worker. It sums rows in shared memory by stack.
import { parentPort } from 'node:worker_threads';
import { errorMessage } from '../../base/errors.ts';
import { mergeGarbageBytesMax } from '../limits.ts';
import { createCollector } from '../../base/node/memory.ts';
import { lowerThreadPriority } from '../../base/node/thread-priority.ts';
import type { Elements } from '../../base/owned.ts';
import { send } from '../../base/threads/send.ts';
import type { MergedStacks } from '../../model/merged-stacks.ts';
import { StackMerger, type RunRange } from '../../model/merge.ts';
import { ChunkSummer, type ChunkTask } from './chunk-sums.ts';
import { sourceNumber, takeStep, type MergeSteps } from './merge-steps.ts';
import { chunkAt, type SharedChunks, type SharedLists } from './shared-lists.ts';

/** Sum of the steps of a list that one worker took. */
export interface ListSum {
  readonly list: number;
  readonly merged: MergedStacks;
}

/** A request of the pool, which goes to all workers. */
export interface MergeRequest extends SharedLists {
  readonly steps: MergeSteps;
  readonly stackCount: number;
  /**
   * Bytes of shared memory that were in no earlier request. The memory of caches and heads is sent
   * repeatedly.
   */
  readonly newBytes: number;
}

/** Sums of the steps that one worker took. */
export interface StepSums {
  readonly stepCount: number;
  readonly sums: readonly ListSum[];
  /** Reasons why chunks were left out. */
  readonly missing: readonly string[];
}

/** A worker's reply, one for each request, in order. */
export type MergeReply = StepSums | { readonly failure: string };

const collect = createCollector(mergeGarbageBytesMax);
let receivedBytes = 0;
const merger = new StackMerger();
const summer = new ChunkSummer(merger);

function merge({ lists, segments, buffers, steps, stackCount }: MergeRequest): StepSums {
  const memories = segments.map((buffer) => ({
    values: new BigInt64Array(buffer),
    words: new Uint32Array(buffer),
  }));
  const sums: ListSum[] = [];
  const missing: string[] = [];
  const taken = new TakenSteps(steps);
  while (taken.current !== undefined) {
    const source = steps.source[taken.current];
    const list = source >>> 1;
    const { runs, chunks } = lists[list];
    const ranges = taken.ofSource(source);
    const merged =
      source === sourceNumber(list, true)
        ? summer.sum(chunksIn(chunks, ranges, buffers), chunks.cost, stackCount, missing)
        : merger.merge(runs, memories, stackCount, ranges);
    sums.push({ list, merged });
  }
  return { stepCount: taken.count, sums, missing };
}

function* chunksIn(
  chunks: SharedChunks,
  ranges: Iterable<RunRange>,
  buffers: readonly SharedArrayBuffer[],
): Generator<ChunkTask> {
  for (const { from, to } of ranges) {
    for (let i = from; i < to; i += 1) yield chunkAt(chunks, i, buffers);
  }
}

/** The steps that this worker takes, one after another. */
class TakenSteps {
  /** The step that this worker has taken but not finished. */
  current: number | undefined;
  /** Number of steps that this worker has finished. */
  count = 0;
  readonly #steps: MergeSteps;

  constructor(steps: MergeSteps) {
    this.#steps = steps;
    this.current = takeStep(steps);
  }

  /**
   * Yields the elements of the current step, and of the steps that are taken after it, as long as
   * they belong to the given source.
   */
  *ofSource(source: number): Generator<RunRange> {
    const steps = this.#steps;
    while (this.current !== undefined && steps.source[this.current] === source) {
      yield { from: steps.from[this.current], to: steps.to[this.current] };
      this.count += 1;
      this.current = takeStep(steps);
    }
  }
}

function listColumns({ merged }: ListSum): Elements[] {
  return [merged.stacks, merged.values];
}

// With normal priority, pushes would have to wait for both workers on a machine with two cores.
lowerThreadPriority('awaited');

parentPort?.on('message', (request: MergeRequest) => {
  let reply: MergeReply;
  try {
    reply = merge(request);
  } catch (error) {
    reply = { failure: `cannot merge profiles: ${errorMessage(error)}` };
  }
  receivedBytes += request.newBytes;
  // The sums are transferred, because copying them took a sixth of the time of a merge.
  send(parentPort, reply, 'sums' in reply ? reply.sums.flatMap(listColumns) : []);
  // Memory that caches have dropped stays in use until each thread that has read it collects
  // garbage.
  collect(receivedBytes);
});
