// Worker threads that merge large selections, two at most, started when first needed.
import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError, errorMessage } from '../base/errors.ts';
import { mergeTasksQueuedMax, mergeWorkersMax } from '../base/limits.ts';
import type { RowRuns, RunFilters } from '../model/merge.ts';
import type { MergedStacks } from '../model/merged-stacks.ts';
import type { RowSegment } from '../storage/selection.ts';
import type { ChunkTask } from './chunk-sums.ts';
import type { QueryContext } from './context.ts';
import type { MergeReply, MergeRequest } from './merge-worker.ts';

/** Rows whose sum is asked for. */
export interface ListTask {
  readonly runs: RowRuns;
  readonly chunks: readonly ChunkTask[];
  /** About as many rows of a profile take as long to add. */
  readonly cost: number;
}

/** Lists of rows to be summed by workers, each for itself. */
export interface MergeTask {
  readonly lists: readonly ListTask[];
  readonly segments: readonly RowSegment[];
  /** Every stack is below it. */
  readonly stackCount: number;
}

/** A list, or one part of it, as a worker gets it. */
export interface ListPart extends ListTask {
  /** Row of `lists` of the task. */
  readonly list: number;
}

/** A sum of a part of a list. */
export interface ListSum {
  readonly list: number;
  readonly merged: MergedStacks;
}

/** The sums of a task, in no order; adding up those of one list is left to the caller. */
export interface PooledMerge {
  readonly sums: readonly ListSum[];
  /** Why chunks were left out. */
  readonly missing: readonly string[];
}

/** Merges in other threads. */
export interface MergePool {
  /**
   * Sums the lists, in parts.
   *
   * Errors: AppError 'cancelled', 'resource-exhausted' (too many merges wait), 'internal' (a
   * worker died; the next merge gets a new one).
   */
  merge(task: MergeTask, context: QueryContext): Promise<PooledMerge>;
  /** Ends the workers; merges under way fail. Idempotent. */
  close(): Promise<void>;
}

/** Below it a list or a chunk goes to one worker: finding the middle costs some. */
const splitCostMin = 50_000;

const workerScript = new URL('./merge-worker.ts', import.meta.url);

/**
 * Makes a pool; no thread runs before the first merge. Tests give a script of their own, benchmarks
 * a number of workers.
 */
export function createMergePool(
  script: URL = workerScript,
  workersMax: number = mergeWorkersMax,
): MergePool {
  const size = Math.max(1, Math.min(workersMax, os.availableParallelism()));
  return new WorkerPool(size, script);
}

class WorkerPool implements MergePool {
  private readonly workers: (MergeWorker | undefined)[];
  private readonly script: URL;
  private isClosed = false;

  constructor(size: number, script: URL) {
    this.script = script;
    this.workers = Array.from({ length: size });
  }

  async merge(task: MergeTask, context: QueryContext): Promise<PooledMerge> {
    context.throwIfAborted();
    if (this.isClosed) throw new AppError('unavailable', 'cannot merge profiles: closing');
    const { segments, stackCount } = task;
    const buffers = segments.map((segment) => segment.buffer);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const onAbort = (): void => void Atomics.store(stop, 0, 1);
    const { signal } = context;
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const parts = splitTask(task, this.workers.length);
      const merges = parts.map((part, i) =>
        this.workerAt(i).merge({ lists: part, buffers, stackCount, stop }),
      );
      const answers = await Promise.all(merges);
      context.throwIfAborted();
      return {
        sums: answers.flatMap(({ sums }) => sums),
        missing: answers.flatMap(({ missing }) => missing),
      };
    } catch (error) {
      // One part failed: the others need not go on.
      Atomics.store(stop, 0, 1);
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const running = this.workers.filter((worker) => worker !== undefined);
    await Promise.all(running.map((worker) => worker.close()));
  }

  private workerAt(i: number): MergeWorker {
    const running = this.workers[i];
    if (running !== undefined && !running.isDead) return running;
    const worker = new MergeWorker(this.script);
    this.workers[i] = worker;
    return worker;
  }
}

interface Waiting {
  resolve(answer: PooledMerge): void;
  reject(error: unknown): void;
}

/** One thread; answers come in the order of the requests. */
class MergeWorker {
  isDead = false;
  private readonly thread: Worker;
  private readonly waiting: Waiting[] = [];

  constructor(script: URL) {
    this.thread = new Worker(script, { name: 'merge' });
    this.thread.unref();
    this.thread.on('message', (reply: MergeReply) => this.settle(reply));
    this.thread.on('error', (error) => this.die(errorMessage(error)));
    this.thread.on('exit', (code) => this.die(`it exited with code ${code}`));
  }

  async merge(request: MergeRequest): Promise<PooledMerge> {
    if (this.waiting.length >= mergeTasksQueuedMax) {
      throw new AppError(
        'resource-exhausted',
        `cannot merge profiles: ${mergeTasksQueuedMax} merges are waiting already`,
      );
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.thread.ref();
      this.thread.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private settle(reply: MergeReply): void {
    const first = this.waiting.shift();
    if (this.waiting.length === 0) this.thread.unref();
    if ('failure' in reply) first?.reject(new AppError('internal', reply.failure));
    else first?.resolve(reply);
  }

  private die(why: string): void {
    this.isDead = true;
    const error = new AppError('internal', `cannot merge profiles: the merge worker died: ${why}`);
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}

/** Spreads lists over at most `count` workers: large ones in parts, small ones whole. */
function splitTask({ lists }: MergeTask, count: number): ListPart[][] {
  const all = lists.flatMap((task, list) => {
    const parts = task.cost < splitCostMin ? [task] : splitList(task, count);
    return parts.map((part) => ({ ...part, list }));
  });
  const costs: number[] = Array.from({ length: count }, () => 0);
  const parts: ListPart[][] = costs.map(() => []);
  for (const part of all.sort((a, b) => b.cost - a.cost)) {
    const least = costs.indexOf(Math.min(...costs));
    costs[least] += part.cost;
    parts[least].push(part);
  }
  return parts.filter((part) => part.length > 0);
}

/** Cuts a list into `count` parts of about equal cost; chunks go where there is least. */
function splitList({ runs, chunks }: ListTask, count: number): ListTask[] {
  const parts = splitRuns(runs, count).map((part) => {
    return { runs: part, chunks: [] as ChunkTask[], cost: part.rowCount };
  });
  const smaller = chunks.flatMap((chunk) => splitChunk(chunk, count));
  for (const chunk of smaller.sort((a, b) => b.cost - a.cost)) {
    let [least] = parts;
    for (const part of parts) if (part.cost < least.cost) least = part;
    least.cost += chunk.cost;
    least.chunks.push(chunk);
  }
  return parts.filter((part) => part.runs.length + part.chunks.length > 0);
}

/** Cuts a large chunk by profiles; its sums over all of them are one step anyway. */
function splitChunk(task: ChunkTask, count: number): ChunkTask[] {
  const { chunk, first, end, cost } = task;
  if (chunk.rows === undefined || cost < splitCostMin || end - first < count) return [task];
  return Array.from({ length: count }, (_, i) => ({
    ...task,
    first: first + Math.floor(((end - first) * i) / count),
    end: first + Math.floor(((end - first) * (i + 1)) / count),
    cost: cost / count,
  }));
}

/** Cuts runs into `count` parts of about equal numbers of rows, some maybe empty. */
function splitRuns(runs: RowRuns, count: number): RowRuns[] {
  const parts: RowRuns[] = [];
  let from = 0;
  let rowsBefore = 0;
  for (let part = 1; part <= count; part += 1) {
    const goal = (runs.rowCount * part) / count;
    let to = from;
    let rows = rowsBefore;
    while (to < runs.length && (part === count || rows < goal)) {
      rows += runs.rows[to];
      to += 1;
    }
    parts.push(sliceRuns(runs, from, to, rows - rowsBefore));
    from = to;
    rowsBefore = rows;
  }
  return parts;
}

function sliceRuns(runs: RowRuns, from: number, to: number, rowCount: number): RowRuns {
  return {
    length: to - from,
    rowCount,
    memory: runs.memory.slice(from, to),
    valueStart: runs.valueStart.slice(from, to),
    stackStart: runs.stackStart.slice(from, to),
    rows: runs.rows.slice(from, to),
    filters: runs.filters === undefined ? undefined : sliceFilters(runs.filters, from, to),
  };
}

function sliceFilters(filters: RunFilters, from: number, to: number): RunFilters {
  return {
    filters: filters.filters,
    filter: filters.filter.slice(from, to),
    labelStart: filters.labelStart.slice(from, to),
  };
}
