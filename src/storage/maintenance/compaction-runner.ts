// Runs compactions: starts the writer of the new block, publishes the block and removes the old
// blocks.
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import {
  compactionDiskShareMin,
  retryWindowNanos,
  maintenanceBackoffMillisMax,
  maintenanceBackoffMillisMin,
} from '../limits.ts';
import { createBlockId, blockName, joinBlocksPath } from '../files/block-names.ts';
import { planCompactions, floorToWindow, type CompactionTask } from './compaction-plan.ts';
import type { CompactionOutcome, CompactionRequest, Compactor } from './compactor.ts';
import { idsWithSources, type BlockHost, type MaintainedBlock } from './block-host.ts';
import type { MaintenanceMetrics } from './metrics.ts';
import { buryBlocks, removeBlockFiles } from './block-files.ts';
import { publishFile, temporaryPath } from '../../base/durable-files.ts';
import type { Clock } from '../../base/clock.ts';

/** Function that runs changes of the block list one at a time. */
type Exclusive = <T>(change: () => Promise<T>) => Promise<T>;

export interface RunnerOptions {
  readonly storagePath: string;
  readonly compactor: Compactor;
}

/** A compaction that has begun. */
interface Run<B> {
  readonly task: CompactionTask;
  readonly inputs: readonly B[];
  readonly request: CompactionRequest;
  readonly stop: AbortController;
}

/**
 * Runs one compaction at a time. A failure is counted, logged and retried later. Until then,
 * unreadable blocks are not compacted, so that other blocks can be.
 */
export class CompactionRunner<B extends MaintainedBlock> {
  readonly #host: BlockHost<B>;
  readonly #options: RunnerOptions;
  readonly #metrics: MaintenanceMetrics;
  readonly #exclusive: Exclusive;
  readonly #backoff: Backoff;
  /** Blocks that are no longer in the list of blocks, but whose files may still exist. */
  readonly #leftOver = new Set<string>();
  /**
   * Blocks in `leftOver` whose profiles are all deleted. Their deletions stay, because they are
   * still needed for the bucket.
   */
  readonly #buried = new Set<string>();
  #running: Run<B> | undefined;
  #loop: Promise<void> | undefined;
  #isStopping = false;

  constructor(
    host: BlockHost<B>,
    options: RunnerOptions,
    metrics: MaintenanceMetrics,
    exclusive: Exclusive,
  ) {
    this.#host = host;
    this.#options = options;
    this.#metrics = metrics;
    this.#exclusive = exclusive;
    this.#backoff = new Backoff(host.clock);
  }

  /** Ids of blocks that are being compacted. */
  busy(): ReadonlySet<string> {
    return new Set(this.#running?.inputs.map(({ id }) => id));
  }

  /** Runs compactions until none is due. Never rejects. Concurrent calls share one run. */
  run(): Promise<void> {
    this.#loop ??= this.#runAll().finally(() => {
      this.#loop = undefined;
    });
    return this.#loop;
  }

  /** Cancels the running compaction. Resolves when it has ended. */
  async cancel(): Promise<void> {
    this.#isStopping = true;
    this.#running?.stop.abort();
    await this.#loop;
    this.#isStopping = false;
  }

  /**
   * Removes files that could not be removed earlier. Until they are gone, the block list must not
   * change, because a restart would read them.
   */
  async removeLeftOver(): Promise<void> {
    if (this.#leftOver.size === 0) return;
    const leftOver = this.#leftOver;
    const buried = this.#buried;
    const options = this.#options;
    await removeBlockFiles(this.#host.files, options.storagePath, [...leftOver], buried);
    leftOver.clear();
    buried.clear();
  }

  async #runAll(): Promise<void> {
    for (let run = await this.#begin(); run !== undefined; run = await this.#begin()) {
      await this.#attempt(run);
    }
  }

  /** Chooses the next compaction, and reserves its inputs. */
  async #begin(): Promise<Run<B> | undefined> {
    try {
      await this.#exclusive(async () => {
        await this.removeLeftOver();
        this.#running = this.#next();
      });
    } catch (error) {
      this.#noteFailure('leftover files', error);
    }
    return this.#running;
  }

  #next(): Run<B> | undefined {
    if (this.#isStopping) return undefined;
    const { bucket } = this.#host;
    const blocks = this.#host.blocks().filter(({ id }) => bucket?.isRemote(id) !== true);
    const planned = blocks.flatMap(({ id, facts, range, deletions }) => {
      if (range === undefined || this.#backoff.isWaiting(id)) return [];
      const isSplit = facts.chunkCount >= 2 * facts.streamCount;
      return { id, level: facts.level, range, hasDeletions: deletions.length > 0, isSplit };
    });
    const tasks = planCompactions(planned, this.#host.clock.nowNanos());
    this.#backoff.keepOnly(new Set([...blocks.map(({ id }) => id), ...tasks.map(taskName)]));
    this.#metrics.backlog.set(tasks.length);
    const task = tasks.find((one) => !this.#backoff.isWaiting(taskName(one)));
    if (task === undefined) return undefined;
    const inputs = blocks.filter(({ id }) => task.inputs.includes(id));
    return { task, inputs, request: this.#requestFor(task, inputs), stop: new AbortController() };
  }

  /** Runs one compaction. Never rejects. */
  async #attempt(run: Run<B>): Promise<void> {
    const { task } = run;
    const { logger, clock } = this.#host;
    const started = clock.monotonicMillis();
    const name = taskName(task);
    try {
      const outcome = await this.#compact(run);
      if (outcome.kind === 'unreadable') {
        this.#backoff.failed(outcome.id);
        this.#metrics.compactionFailures.add(1, { reason: 'unreadable' });
        logger.error('cannot compact block: it is left out for now', {
          block: outcome.id,
          error: outcome.reason,
        });
        return;
      }
      this.#backoff.succeeded(name);
      this.#noteDone(task, outcome, (clock.monotonicMillis() - started) / 1000);
    } catch (error) {
      if (this.#isStopping) return;
      this.#backoff.failed(name);
      this.#noteFailure(name, error);
    }
  }

  #noteFailure(blocks: string, error: unknown): void {
    const isFull = errorCode(error) === 'resource-exhausted';
    const isMemory = error instanceof AppError && error.limit === 'memory-limit';
    const reason = isMemory ? 'memory' : isFull ? 'disk-full' : 'failed';
    this.#metrics.compactionFailures.add(1, { reason });
    this.#host.logger.error('cannot compact blocks', { blocks, error: errorMessage(error) });
  }

  #noteDone(
    task: CompactionTask,
    outcome: CompactionOutcome & { readonly kind: 'done' },
    seconds: number,
  ): void {
    this.#metrics.compactions.add(1, { level: String(task.level) });
    this.#metrics.compactionSeconds.observe(seconds);
    this.#metrics.deletedProfiles.add(outcome.deletedCount);
    this.#host.logger.info('compacted blocks', {
      blocks: task.inputs.length,
      blockLevel: task.level,
      profiles: outcome.profileCount,
      rows: outcome.rowCount,
      deleted: outcome.deletedCount,
      seconds: Number(seconds.toFixed(3)),
    });
  }

  async #compact({ inputs, request, stop }: Run<B>): Promise<CompactionOutcome> {
    try {
      await this.#checkDisk(inputs);
      const outcome = await this.#options.compactor.compact(request, stop.signal);
      if (outcome.kind === 'done') {
        await this.#exclusive(() => this.#publish(request, inputs, outcome.profileCount > 0));
      }
      return outcome;
    } finally {
      this.#running = undefined;
      await this.#removeTemporary(request.id);
    }
  }

  #requestFor(task: CompactionTask, inputs: readonly B[]): CompactionRequest {
    const { clock, random } = this.#host;
    const createdNanos = clock.nowNanos();
    return {
      storagePath: this.#options.storagePath,
      seeds: [random.uint32() | 0, random.uint32() | 0, random.uint32() | 0],
      id: createBlockId(createdNanos, random),
      level: task.level,
      createdNanos,
      windowNanos: floorToWindow(inputs.flatMap(({ range }) => range ?? [])),
      inputs: task.inputs,
      sources: [...new Set(inputs.flatMap(({ id, facts }) => [id, ...facts.sources]))],
      hashesFromNanos: task.level === 2 ? createdNanos - retryWindowNanos : undefined,
    };
  }

  /**
   * Checks the free disk space. Errors: AppError 'resource-exhausted' when the new block may not
   * fit.
   */
  async #checkDisk(inputs: readonly B[]): Promise<void> {
    const bytes = inputs.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
    const needed = Math.ceil(bytes * compactionDiskShareMin);
    const free = await this.#host.files.freeBytes(this.#options.storagePath);
    if (free >= needed) return;
    throw new AppError(
      'resource-exhausted',
      `cannot compact blocks: ${needed} bytes are needed, ${free} are free`,
    );
  }

  /** Publishes the new block, replaces the inputs with it, and removes the files of the inputs. */
  async #publish(
    request: CompactionRequest,
    inputs: readonly B[],
    hasBlock: boolean,
  ): Promise<void> {
    const host = this.#host;
    const { bucket } = host;
    if (hasBlock) {
      host.replaceBlocks(inputs, [await this.#openPublished(request.id)]);
    } else {
      const gone = idsWithSources(inputs);
      if (bucket !== undefined) await buryBlocks(host.files, this.#options.storagePath, gone);
      host.replaceBlocks(inputs, []);
      bucket?.retire(gone);
    }
    for (const { id } of inputs) {
      this.#leftOver.add(id);
      if (!hasBlock && bucket !== undefined) this.#buried.add(id);
    }
    await this.removeLeftOver();
  }

  async #openPublished(id: string): Promise<B> {
    try {
      await publishFile(this.#host.files, this.#blockPath(id));
      return await this.#host.openBlock(id);
    } catch (error) {
      // The inputs are still in use. After a restart, this block would replace them, so its file is
      // removed.
      this.#leftOver.add(id);
      await this.removeLeftOver();
      throw error;
    }
  }

  #blockPath(id: string): string {
    return `${joinBlocksPath(this.#options.storagePath)}/${blockName(id)}`;
  }

  async #removeTemporary(id: string): Promise<void> {
    const path = temporaryPath(this.#blockPath(id));
    try {
      if (await this.#host.files.exists(path)) await this.#host.files.remove(path);
    } catch (error) {
      this.#host.logger.warn('cannot remove temporary file', { error: errorMessage(error) });
    }
  }
}

function taskName(task: CompactionTask): string {
  return task.inputs.join(' ');
}

interface Failure {
  readonly untilMillis: number;
  readonly delayMillis: number;
}

/**
 * Delays after failures, by name. Each failure doubles the delay of its name, from a minute up to
 * an hour.
 */
class Backoff {
  readonly #clock: Clock;
  readonly #failures = new Map<string, Failure>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  failed(name: string): void {
    const now = this.#clock.monotonicMillis();
    const before = this.#failures.get(name)?.delayMillis ?? maintenanceBackoffMillisMin / 2;
    const delayMillis = Math.min(maintenanceBackoffMillisMax, before * 2);
    this.#failures.set(name, { untilMillis: now + delayMillis, delayMillis });
  }

  /** Returns true if it is too early to try again. */
  isWaiting(name: string): boolean {
    return this.#clock.monotonicMillis() < (this.#failures.get(name)?.untilMillis ?? 0);
  }

  succeeded(name: string): void {
    this.#failures.delete(name);
  }

  /** Forgets the failures of names that are not in `names`. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#failures.keys()) if (!names.has(name)) this.#failures.delete(name);
  }
}
