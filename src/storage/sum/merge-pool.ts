// Worker threads that merge large selections. There are at most two. They start on demand.
import os from 'node:os';
import { AppError, type ErrorCode, errorMessage } from '../../base/errors.ts';
import { workerHeapBytesMax } from '../../base/limits.ts';
import { memoryShare } from '../../base/memory-limit.ts';
import { mergeTasksQueuedMax, mergeWorkersMax } from '../limits.ts';
import { send } from '../../base/threads/send.ts';
import { codeOfDeath, Thread } from '../../base/threads/thread.ts';
import type { RowSegment } from '../selection.ts';
import type { ReadContext } from '../interface.ts';
import { cutIntoSteps, stopSteps } from './merge-steps.ts';
import type { ListSum, MergeReply, MergeRequest, StepSums } from './merge-worker.ts';
import { shareLists, type ListTask, type SharedLists } from './shared-lists.ts';

/** Lists of rows. Each list is summed separately. */
export interface MergeTask {
  readonly lists: readonly ListTask[];
  readonly segments: readonly RowSegment[];
  /** Number of stacks. All stack numbers are smaller. */
  readonly stackCount: number;
}

/** Partial sums of a task, in any order. The caller adds up the sums of each list. */
export interface PooledMerge {
  readonly sums: readonly ListSum[];
  /** Reasons why chunks were left out. */
  readonly missing: readonly string[];
}

type PoolContext = Pick<ReadContext, 'signal' | 'throwIfAborted'>;

/** Merges in other threads. */
export interface MergePool {
  /**
   * Returns true if all workers are ready. If some are not running yet, starts them, which takes
   * 0.2 s.
   */
  wake(): boolean;
  /**
   * Sums the lists, step by step.
   *
   * Errors: AppError 'cancelled', 'resource-exhausted' (too many merges are waiting, or a worker
   * ran out of memory), 'internal' (a worker died for another reason). After a worker has died, the
   * next merge gets a new worker.
   */
  merge(task: MergeTask, context: PoolContext): Promise<PooledMerge>;
  /** Ends the workers; running merges fail. Idempotent. */
  close(): Promise<void>;
}

const workerScript = new URL('./merge-worker.ts', import.meta.url);

/**
 * Creates a pool. Its threads start with `wake` or with the first merge. Tests pass their own
 * script, and benchmarks pass the number of workers.
 */
export function createMergePool(
  script: URL = workerScript,
  workersMax: number = mergeWorkersMax,
): MergePool {
  const size = Math.max(1, Math.min(workersMax, os.availableParallelism()));
  return new WorkerPool(size, script);
}

class WorkerPool implements MergePool {
  readonly #workers: (MergeWorker | undefined)[];
  readonly #script: URL;
  /** Memory that has already been sent to the workers. */
  readonly #sent = new WeakSet<SharedArrayBuffer>();
  #isClosed = false;

  constructor(size: number, script: URL) {
    this.#script = script;
    this.#workers = Array.from({ length: size });
  }

  wake(): boolean {
    if (this.#isClosed) return false;
    let areReady = true;
    for (let i = 0; i < this.#workers.length; i += 1) {
      const worker = this.#workerAt(i);
      worker.wake();
      areReady &&= worker.isReady;
    }
    return areReady;
  }

  async merge(task: MergeTask, context: PoolContext): Promise<PooledMerge> {
    context.throwIfAborted();
    if (this.#isClosed) throw new AppError('unavailable', 'cannot merge profiles: closing');
    const { lists, segments, stackCount } = task;
    const steps = cutIntoSteps(lists);
    const shared = shareLists(lists, segments);
    const request = { ...shared, steps, stackCount, newBytes: this.#countNew(shared) };
    const stop = (): void => stopSteps(steps);
    const { signal } = context;
    signal.addEventListener('abort', stop, { once: true });
    try {
      const stepCount = steps.source.length;
      const asked = Array.from({ length: Math.min(this.#workers.length, stepCount) }, (_, i) =>
        this.#workerAt(i).merge(request),
      );
      const answers = await waitForSteps(asked, stepCount);
      context.throwIfAborted();
      return {
        sums: answers.flatMap(({ sums }) => sums),
        missing: answers.flatMap(({ missing }) => missing),
      };
    } catch (error) {
      // One worker has failed, so the others can stop.
      stop();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const running = this.#workers.filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => worker.close()));
  }

  #countNew({ segments, buffers, ownBytes }: SharedLists): number {
    let bytes = ownBytes;
    for (const all of [segments, buffers]) {
      for (const buffer of all) {
        if (this.#sent.has(buffer)) continue;
        this.#sent.add(buffer);
        bytes += buffer.byteLength;
      }
    }
    return bytes;
  }

  #workerAt(i: number): MergeWorker {
    const running = this.#workers[i];
    if (running !== undefined && !running.isDead) return running;
    const worker = new MergeWorker(this.#script);
    this.#workers[i] = worker;
    return worker;
  }
}

/** An empty request. A worker answers it once it has loaded. */
const nothing: MergeRequest = {
  ...shareLists([], []),
  steps: cutIntoSteps([]),
  stackCount: 0,
  newBytes: 0,
};

interface Waiting {
  resolve(answer: StepSums): void;
  reject(error: unknown): void;
}

/** One worker thread. It answers requests in order. */
class MergeWorker {
  isDead = false;
  /** True once the worker has answered a request. */
  isReady = false;
  #isWoken = false;
  #isClosing = false;
  readonly #thread: Thread;
  readonly #waiting: Waiting[] = [];

  constructor(script: URL) {
    const heapBytesMax = memoryShare('workerHeap', workerHeapBytesMax);
    this.#thread = new Thread(script, { name: 'merge', heapBytesMax });
    this.#thread.unref();
    this.#thread.on('message', (reply: MergeReply) => this.#settle(reply));
    this.#thread.on('error', (error) => this.#die(errorMessage(error), codeOfDeath(error)));
    this.#thread.on('exit', (code) => this.#die(`it exited with code ${code}`));
  }

  /** Sends an empty request, whose answer shows that the worker is ready. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.merge(nothing).catch(() => undefined);
  }

  async merge(request: MergeRequest): Promise<StepSums> {
    if (this.#waiting.length >= mergeTasksQueuedMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot merge profiles: ${mergeTasksQueuedMax} merges are waiting already`,
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#thread.ref();
      send(this.#thread, request);
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#thread.terminate();
  }

  #settle(reply: MergeReply): void {
    this.isReady = true;
    const first = this.#waiting.shift();
    // A reply may arrive even after `close`, which waits for the thread to end.
    if (this.#waiting.length === 0 && !this.#isClosing) this.#thread.unref();
    if ('failure' in reply) first?.reject(new AppError('internal', reply.failure));
    else first?.resolve(reply);
  }

  #die(why: string, code: ErrorCode = 'internal'): void {
    this.isDead = true;
    const error = new AppError(code, `cannot merge profiles: the merge worker died: ${why}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/**
 * Resolves when all steps are done, or all workers have answered. Once all steps are done, it does
 * not wait for a worker that is busy with another merge.
 */
async function waitForSteps(
  merges: readonly Promise<StepSums>[],
  stepCount: number,
): Promise<readonly StepSums[]> {
  return new Promise((resolve, reject) => {
    const answers: StepSums[] = [];
    let done = 0;
    if (stepCount === 0) resolve(answers);
    const add = (answer: StepSums): void => {
      answers.push(answer);
      done += answer.stepCount;
      if (done === stepCount || answers.length === merges.length) resolve(answers);
    };
    for (const merge of merges) merge.then(add, reject);
  });
}
