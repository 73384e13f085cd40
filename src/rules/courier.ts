// Sends messages to one address until it is stopped. Retries after failures, with growing pauses.
import { type Clock, sleep } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { retryMillis, retryMillisMax } from './limits.ts';

export interface CourierOptions {
  readonly clock: Clock;
  /**
   * Sends due messages. Returns the milliseconds until a message may be due again; undefined if
   * only a change can make a message due. Rejects if the address does not accept a message; the
   * error may be an AppError that requires a longer pause.
   */
  readonly deliver: (signal: AbortSignal) => Promise<number | undefined>;
  readonly onFailure: (error: unknown) => void;
}

/** Sends messages until it is stopped. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #stopping = new AbortController();
  readonly #finished: Promise<void>;
  #isWoken = true;
  #wake: (() => void) | undefined;

  constructor(options: CourierOptions) {
    this.#options = options;
    this.#finished = this.#run();
  }

  /** Notifies the courier that a message may be due. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Aborts the current message and waits for its end; idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake?.();
    await this.#finished;
  }

  async #run(): Promise<void> {
    const { clock, deliver, onFailure } = this.#options;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      this.#isWoken = false;
      let pauseMillis: number | undefined;
      try {
        pauseMillis = await deliver(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        onFailure(error);
        const askedMillis = error instanceof AppError ? (error.retryAfterMillis ?? 0) : 0;
        pauseMillis = Math.max(askedMillis, Math.min(retryMillis * 2 ** failures, retryMillisMax));
        failures += 1;
        // New alerts do not shorten the pause after a failure.
        await sleep(clock, pauseMillis, signal).catch(() => undefined);
        continue;
      }
      if (!this.#isWoken && !signal.aborted) await this.#pause(pauseMillis);
    }
  }

  /** Waits until a message may be due. */
  #pause(millis: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#wake = undefined;
        timer?.cancel();
        resolve();
      };
      const timer = millis === undefined ? undefined : this.#options.clock.setTimer(millis, end);
      this.#wake = end;
    });
  }
}
