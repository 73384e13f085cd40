// Logs failed scrapes, up to a limited number per minute for each job. Without the limit, a list of
// 10,000 unreachable targets would cause 50,000 lines whenever the list changes.
import type { Clock } from '../base/clock.ts';
import type { LogFields, Logger } from '../base/logger.ts';
import { loggedFailuresMax } from './limits.ts';

const minuteMillis = 60_000;

/** Log lines of a job in the current minute. */
interface Minute {
  readonly startMillis: number;
  count: number;
}

export class FailureLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #minutes = new Map<string, Minute>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Logs a failure, unless the limit per minute is reached. For the first failure above the limit,
   * logs a note that further failures are left out.
   */
  add(job: string, fields: LogFields): void {
    const now = this.#clock.monotonicMillis();
    let minute = this.#minutes.get(job);
    if (minute === undefined || now - minute.startMillis >= minuteMillis) {
      minute = { startMillis: now, count: 0 };
      this.#minutes.set(job, minute);
    }
    minute.count += 1;
    if (minute.count <= loggedFailuresMax) {
      this.#logger.warn('scrape failed', { job, ...fields });
    } else if (minute.count === loggedFailuresMax + 1) {
      const shownBy = '/api/v1/targets';
      this.#logger.warn('more scrapes fail than are logged in a minute', { job, shownBy });
    }
  }
}
