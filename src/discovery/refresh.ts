// The life of a discoverer that asks again and again: waits, failures, metrics.
import { type Clock, sleep } from '../base/clock.ts';
import { errorMessage } from '../base/errors.ts';
import type { DiscoveryContext } from './interface.ts';

/** First wait after a failure; each further failure doubles it, up to the interval. */
const retryMillisMin = 1_000;

const secondsBuckets = [0.01, 0.1, 1, 10];

/** Refreshes until a signal is aborted; the method `wake` ends a wait. */
export class Refresher {
  readonly #options: RefreshOptions;
  #wake = new AbortController();
  #isWaking = false;

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** Has the next refresh begin `delayMillis` from now; calls until then change nothing. */
  wake(delayMillis: number): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    this.#options.context.clock.setTimer(delayMillis, () => {
      this.#isWaking = false;
      this.#wake.abort();
    });
  }

  /** Resolves when `signal` is aborted. Failures are logged once, until the reason changes. */
  async run(signal: AbortSignal): Promise<void> {
    const { context, mechanism, intervalMillis, refresh, about } = this.#options;
    const { clock, logger, metrics } = context;
    const labels = { mechanism };
    const failures = metrics.counter(
      'prometheus_sd_refresh_failures_total',
      'Number of refresh failures for the given SD mechanism.',
      ['mechanism'],
    );
    const durations = metrics.histogram(
      'prometheus_sd_refresh_duration_histogram_seconds',
      'The duration of a refresh for the given SD mechanism.',
      secondsBuckets,
      ['mechanism'],
    );
    let lastError = '';
    let failedInRow = 0;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const start = clock.monotonicMillis();
      try {
        await refresh(signal);
        if (lastError !== '') logger.info('discovery works again', { ...labels, ...about });
        lastError = '';
        failedInRow = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures.add(1, labels);
        failedInRow += 1;
        const fields = { ...labels, ...about, error: errorMessage(error) };
        if (fields.error !== lastError) {
          logger.warn('discovery failed, the last targets stay', fields);
        }
        lastError = fields.error;
      }
      durations.observe((clock.monotonicMillis() - start) / 1000, labels);
      const retryMillis =
        failedInRow === 0 ? Infinity : retryMillisMin * 2 ** Math.min(failedInRow - 1, 20);
      await this.#wait(clock, Math.min(intervalMillis, retryMillis), signal);
    }
  }

  async #wait(clock: Clock, delayMillis: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(clock, delayMillis, AbortSignal.any([signal, this.#wake.signal]));
    } catch {
      // Woken, or at the end.
    }
  }
}

export interface RefreshOptions {
  readonly context: DiscoveryContext;
  /** Value of the label `mechanism`: dns, file, http. */
  readonly mechanism: string;
  /** Fields of log lines that tell this discoverer from others. */
  readonly about: Readonly<Record<string, string>>;
  readonly intervalMillis: number;
  /** Looks once; what cannot be read rejects, after everything else was read. */
  readonly refresh: (signal: AbortSignal) => Promise<void>;
}
