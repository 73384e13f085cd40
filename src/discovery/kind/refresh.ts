// The loop of a discoverer that polls, with its waits, failures and metrics.
import { type Clock, sleep } from '../../base/clock.ts';
import { networkMessage } from '../../base/errors.ts';
import { createLimitCounter } from '../../base/input-limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Counter } from '../../base/metrics.ts';
import type { DiscoveryContext } from '../interface.ts';

/** Wait after the first failure, in milliseconds; each further failure doubles it. */
const retryMillisMin = 1_000;

const secondsBuckets = [0.01, 0.1, 1, 10];

/** Refreshes again and again until a signal is aborted; `wake` ends the current wait. */
export class Refresher {
  readonly #options: RefreshOptions;
  #wake = new AbortController();
  #isWaking = false;

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** Starts the next refresh after `delayMillis`. Further calls before that have no effect. */
  wake(delayMillis: number): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    this.#options.context.clock.setTimer(delayMillis, () => {
      this.#isWaking = false;
      this.#wake.abort();
    });
  }

  /**
   * Resolves when `signal` is aborted. A failure is logged only if its reason differs from the last
   * one.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { context, mechanism, intervalMillis, refresh, about } = this.#options;
    const { clock, metrics } = context;
    const durations = metrics.histogram(
      'prometheus_sd_refresh_duration_histogram_seconds',
      'The duration of a refresh for the given SD mechanism.',
      secondsBuckets,
      ['mechanism'],
    );
    const failures = new Failures(context, mechanism, about);
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const start = clock.monotonicMillis();
      let waitMillis = intervalMillis;
      try {
        await refresh(signal);
        failures.end();
      } catch (error) {
        if (signal.aborted) return;
        waitMillis = Math.min(intervalMillis, failures.note(error));
      }
      durations.observe((clock.monotonicMillis() - start) / 1000, { mechanism });
      await this.#wait(clock, waitMillis, signal);
    }
  }

  async #wait(clock: Clock, delayMillis: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(clock, delayMillis, AbortSignal.any([signal, this.#wake.signal]));
    } catch {
      // Either `wake` or the signal has ended the wait.
    }
  }
}

/** Consecutive failures of one discoverer. They are counted, and logged when the reason changes. */
export class Failures {
  readonly #logger: Logger;
  readonly #counter: Counter;
  readonly #fields: { readonly mechanism: string };
  readonly #countLimit: (error: unknown) => void;
  #count = 0;
  #lastError = '';

  /** `about` has the fields that identify the discoverer in the log. */
  constructor(
    { logger, metrics }: DiscoveryContext,
    mechanism: string,
    about: Readonly<Record<string, string>> = {},
  ) {
    this.#logger = logger;
    this.#fields = { mechanism, ...about };
    this.#countLimit = createLimitCounter(metrics);
    this.#counter = metrics.counter(
      'prometheus_sd_refresh_failures_total',
      'Number of refresh failures for the given SD mechanism.',
      ['mechanism'],
    );
  }

  /** Records a failure. Returns the number of milliseconds to wait before the next try. */
  note(error: unknown): number {
    this.#counter.add(1, { mechanism: this.#fields.mechanism });
    this.#countLimit(error);
    const message = networkMessage(error);
    if (message !== this.#lastError) {
      const fields = { ...this.#fields, error: message };
      this.#logger.warn('discovery failed, the last targets stay', fields);
    }
    this.#lastError = message;
    this.#count += 1;
    return retryMillisMin * 2 ** Math.min(this.#count - 1, 20);
  }

  /** Records a success. */
  end(): void {
    if (this.#lastError !== '') this.#logger.info('discovery works again', this.#fields);
    this.#lastError = '';
    this.#count = 0;
  }
}

export interface RefreshOptions {
  readonly context: DiscoveryContext;
  /** Value of the metrics label `mechanism`, such as dns, file or http. */
  readonly mechanism: string;
  /** Fields that identify this discoverer in the log. */
  readonly about: Readonly<Record<string, string>>;
  readonly intervalMillis: number;
  /**
   * Finds targets once. If one source cannot be read, the other sources are still read before the
   * promise rejects.
   */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
}
