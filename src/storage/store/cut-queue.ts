// The queue of frozen heads. It cuts them into blocks, oldest first, and then removes their log.
import { sleep, type Clock } from '../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { cutRetryMillisMax } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import { duringWork } from '../../base/work.ts';
import type { Epoch } from '../wal/epoch.ts';
import type { Part } from '../part.ts';
import type { PartList } from './part-list.ts';
import type { StorageMetrics } from '../storage-metrics.ts';

/** The cut of one head into blocks. A method that has failed may be called again. */
export interface Cut<Block> {
  /** Writes the blocks under temporary names, durably. */
  write(): Promise<void>;
  /** Gives the blocks their final names, durably, and opens them. */
  publish(): Promise<readonly Block[]>;
}

interface CutQueueOptions<Block extends Part> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
  readonly parts: PartList<Block>;
  /** Creates the cut of a head. `signal` cancels it. */
  readonly newCut: (epoch: Epoch, signal: AbortSignal) => Cut<Block>;
  /** Removes the log segments of an epoch, durably. */
  readonly removeLog: (epoch: number) => Promise<void>;
  /** Called when the disk is full, to free as much space as possible. */
  readonly onDiskFull: () => Promise<void>;
  readonly retryMillisMin: number;
}

interface Entry {
  readonly epoch: Epoch;
  isDrained: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Cuts heads one after another. Queries read a head until its blocks replace it in one step. A
 * failed cut is retried after increasing delays. No profile is lost meanwhile, because the log
 * still has all of them.
 */
export class CutQueue<Block extends Part> {
  readonly #options: CutQueueOptions<Block>;
  readonly #entries: Entry[] = [];
  readonly #freeBlocks = new WeakSet<Block>();
  readonly #closing = new AbortController();
  readonly #overdue = new AbortController();
  readonly #waiters = new Set<() => void>();
  #isRunning = false;
  /** True if the last attempt failed. */
  #isFailing = false;
  #run: Promise<void> = Promise.resolve();
  #last: Promise<void> = Promise.resolve();

  constructor(options: CutQueueOptions<Block>) {
    this.#options = options;
  }

  /** Number of heads in the queue. */
  get backlog(): number {
    return this.#entries.length;
  }

  /**
   * Returns true if the block may be replaced or removed, because the log no longer has its
   * profiles. This holds for blocks that existed at startup, and for blocks that were not cut from
   * a head.
   */
  isFree(block: Block): boolean {
    return this.#freeBlocks.has(block);
  }

  markFree(blocks: readonly Block[]): void {
    for (const block of blocks) this.#freeBlocks.add(block);
  }

  /**
   * Adds a head to the queue. It is cut once `drained` has been called for it. Resolves when its
   * profiles are only in blocks.
   *
   * Errors: AppError 'unavailable' when the store closes first.
   */
  add(epoch: Epoch): Promise<void> {
    this.#last = new Promise((resolve, reject) => {
      this.#entries.push({ epoch, isDrained: false, resolve, reject });
    });
    // Failures are logged where they happen, and callers that need to know await the promise.
    this.#last.catch(() => undefined);
    return this.#last;
  }

  /** Settles like the promise of the last `add`. */
  settled(): Promise<void> {
    return this.#last;
  }

  /**
   * Resolves when the queue is empty, or after `millisMax`. Resolves immediately if waiting does
   * not help, because cuts fail or the store is closing.
   */
  async untilIdle(millisMax: number): Promise<void> {
    if (!this.#isProgressing) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.cancel();
        this.#waiters.delete(end);
        resolve();
      };
      const timer = this.#options.clock.setTimer(millisMax, end);
      this.#waiters.add(end);
    });
  }

  get #isProgressing(): boolean {
    return this.backlog > 0 && !this.#isFailing && !this.#closing.signal.aborted;
  }

  #tellWaiters(): void {
    if (!this.#isProgressing) for (const end of this.#waiters) end();
  }

  /** Records that a head no longer accepts writes, so that it can be cut. */
  drained(epoch: Epoch): void {
    for (const entry of this.#entries) if (entry.epoch === epoch) entry.isDrained = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run = this.#processAll();
  }

  /**
   * Waits until all heads are cut. Gives up on a cut that fails, and on all cuts after `millisMax`.
   */
  async close(millisMax: number): Promise<void> {
    // A cut that is waiting for its retry is retried immediately.
    this.#closing.abort();
    this.#tellWaiters();
    const timer = this.#options.clock.setTimer(millisMax, () => this.#overdue.abort());
    await this.#run;
    timer.cancel();
    const why = new AppError('unavailable', 'cannot cut the head: the storage is closing');
    for (const { reject } of this.#entries.splice(0)) reject(why);
  }

  async #processAll(): Promise<void> {
    for (;;) {
      const entry = this.#entries.at(0);
      if (entry === undefined || !entry.isDrained) break;
      const isCut = await duringWork('cut of a head', () => this.#process(entry));
      if (!isCut) break;
      if (this.#entries.at(0) === entry) this.#entries.shift();
      entry.resolve();
      this.#tellWaiters();
    }
    this.#isRunning = false;
  }

  /** Cuts one head. Returns false if the store closes before the head is cut. */
  async #process({ epoch }: Entry): Promise<boolean> {
    const { clock, parts, newCut, removeLog, logger, metrics } = this.#options;
    const started = clock.monotonicMillis();
    const cut = newCut(epoch, this.#overdue.signal);
    let blocks: readonly Block[] = [];
    const isCut = await this.#retried('cut the head into blocks', async () => {
      await cut.write();
      blocks = await cut.publish();
    });
    if (!isCut) return false;
    parts.replaceHead(epoch.part, blocks);
    const isRemoved = await this.#retried('remove the log of a head that is cut', () =>
      removeLog(epoch.number),
    );
    if (!isRemoved) return false;
    this.markFree(blocks);
    const seconds = (clock.monotonicMillis() - started) / 1000;
    metrics.cuts.add();
    metrics.cutSeconds.observe(seconds);
    logger.info('cut the head into blocks', {
      epoch: epoch.number,
      blocks: blocks.length,
      profiles: epoch.head.profileCount,
      rows: epoch.head.rowCount,
      seconds: Number(seconds.toFixed(3)),
    });
    return true;
  }

  async #retried(verb: string, work: () => Promise<void>): Promise<boolean> {
    const { clock, logger, metrics, onDiskFull, retryMillisMin } = this.#options;
    let delay = retryMillisMin;
    while (!this.#overdue.signal.aborted) {
      const isLastTry = this.#closing.signal.aborted;
      try {
        await work();
        this.#isFailing = false;
        return true;
      } catch (error) {
        metrics.cutFailures.add();
        this.#isFailing = true;
        this.#tellWaiters();
        logger.error(`cannot ${verb}`, { error: errorMessage(error) });
        if (isLastTry) return false;
        if (errorCode(error) === 'resource-exhausted') await onDiskFull();
      }
      await sleep(clock, delay, this.#closing.signal).catch(() => undefined);
      delay = Math.min(delay * 2, cutRetryMillisMax);
    }
    return false;
  }
}
