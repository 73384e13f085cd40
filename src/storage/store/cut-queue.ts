// Cuts frozen heads into blocks, oldest first, until the log does not need to keep them.
import { sleep, type Clock } from '../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import { cutRetryMillisMax } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Epoch } from '../wal/epoch.ts';
import type { Part } from '../part.ts';
import type { PartList } from './part-list.ts';
import type { StorageMetrics } from '../storage-metrics.ts';

/** The blocks of one head in the making. Each method may be called again when it failed. */
export interface Cut<Block> {
  /** Writes the blocks under other names, durably. */
  write(): Promise<void>;
  /** Gives them their names, durably, and opens them. */
  publish(): Promise<readonly Block[]>;
}

export interface CutQueueOptions<Block extends Part> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: StorageMetrics;
  readonly parts: PartList<Block>;
  /** `signal` ends the writing of blocks. */
  readonly newCut: (epoch: Epoch, signal: AbortSignal) => Cut<Block>;
  /** Removes the epoch's segments, durably. */
  readonly removeLog: (epoch: number) => Promise<void>;
  /** The disk is full: whatever may be given back, should be. */
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
 * A head is served until its blocks are published; then they are, in one step. What fails is tried
 * again, later and later; nothing is lost meanwhile, as the log is there.
 */
export class CutQueue<Block extends Part> {
  readonly #options: CutQueueOptions<Block>;
  readonly #entries: Entry[] = [];
  readonly #freeBlocks = new WeakSet<Block>();
  readonly #closing = new AbortController();
  readonly #overdue = new AbortController();
  readonly #waiters = new Set<() => void>();
  #isRunning = false;
  /** Whether the last attempt of anything failed. */
  #isFailing = false;
  #run: Promise<void> = Promise.resolve();
  #last: Promise<void> = Promise.resolve();

  constructor(options: CutQueueOptions<Block>) {
    this.#options = options;
  }

  /** Heads that are not cut yet. */
  get backlog(): number {
    return this.#entries.length;
  }

  /**
   * Whether the log does not need the block any more: only then may it be replaced or removed. It
   * holds for blocks of the last run and of other origins than a cut, too.
   */
  isFree(block: Block): boolean {
    return this.#freeBlocks.has(block);
  }

  markFree(blocks: readonly Block[]): void {
    for (const block of blocks) this.#freeBlocks.add(block);
  }

  /**
   * Cuts the head when `drained` was called for it. Resolves when its profiles are in blocks only.
   *
   * Errors: AppError 'unavailable' when the store closes before that.
   */
  add(epoch: Epoch): Promise<void> {
    this.#last = new Promise((resolve, reject) => {
      this.#entries.push({ epoch, isDrained: false, resolve, reject });
    });
    // Whoever wants to know of a failure awaits it; the log has told of it.
    this.#last.catch(() => undefined);
    return this.#last;
  }

  /** Settles as `add` of the last head does. */
  settled(): Promise<void> {
    return this.#last;
  }

  /**
   * Resolves when no head waits to be cut, or after `millisMax`; at once when that is not under
   * way: cuts fail, or the store closes.
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

  /** No more writes come for the head. */
  drained(epoch: Epoch): void {
    for (const entry of this.#entries) if (entry.epoch === epoch) entry.isDrained = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run = this.#processAll();
  }

  /** Waits until every head is cut; gives up what fails, or takes longer than `millisMax`. */
  async close(millisMax: number): Promise<void> {
    // What waits to be tried again is tried at once, and then no more.
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
      if (!(await this.#process(entry))) break;
      if (this.#entries.at(0) === entry) this.#entries.shift();
      entry.resolve();
      this.#tellWaiters();
    }
    this.#isRunning = false;
  }

  /** False when it was given up because the store closes. */
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
      seconds: seconds.toFixed(3),
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
