// Queues a limited number of results of failed scrapes, and stores many of them in one write. If
// 10,000 targets fail each second, 40,000 separate writes would bring the server down.
import type { Clock } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import { failedScrapesWaitingMax, failedScrapesWrittenMax } from './limits.ts';
import type { Logger } from '../base/logger.ts';
import type { Counter } from '../base/metrics.ts';
import type { Ingester, ProfileUpload } from '../ingest/interface.ts';

/** Dependencies of the queue. */
export interface FailureQueueHost {
  readonly clock: Clock;
  readonly ingester: Pick<Ingester, 'write'>;
  readonly logger: Logger;
  /** Counter of dropped results. */
  readonly skipped: Counter;
}

/** Writes results in batches. */
export class FailureQueue {
  readonly #host: FailureQueueHost;
  #waiting: ProfileUpload[] = [];
  #writing: Promise<void> | undefined;

  constructor(host: FailureQueueHost) {
    this.#host = host;
  }

  /** Makes and queues a result. If the queue is full, only counts the result as skipped. */
  add(make: () => ProfileUpload): void {
    if (this.#waiting.length >= failedScrapesWaitingMax) {
      this.#host.skipped.add();
      return;
    }
    this.#waiting.push(make());
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
  }

  /** Resolves when all results so far are written or dropped. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // All failures of this turn of the event loop are written together.
      await new Promise<void>((resolve) => this.#host.clock.setTimer(0, resolve, true));
      await this.#write(this.#waiting.splice(0, failedScrapesWrittenMax));
    }
  }

  /**
   * Writes results. If they are refused, writes each result separately, because a single result may
   * be the reason.
   */
  async #write(results: readonly ProfileUpload[]): Promise<void> {
    try {
      await this.#host.ingester.write(results);
    } catch (error) {
      this.#host.logger.debug('cannot store results of scrapes', {
        count: results.length,
        error: errorMessage(error),
      });
      if (results.length === 1) return;
      for (const result of results) await this.#write([result]);
    }
  }
}
