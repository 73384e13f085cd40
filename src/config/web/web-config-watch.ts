// Applies a web config file again when the file, or a certificate that it names, has changed.
import { isDeepStrictEqual } from 'node:util';
import type { Clock, Timer } from '../../base/clock.ts';
import { AppError, errorMessage } from '../../base/errors.ts';
import { webConfigCheckMillis } from '../limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { Gauge, Metrics } from '../../base/metrics.ts';
import { asksForCredentials, verifiesClients, type WebConfig } from './web-config.ts';

/** The functions that a watch needs, and the config with which it starts. */
export interface WebConfigParts {
  readonly load: () => Promise<WebConfig>;
  /**
   * Applies a config. Throws if the config cannot be used; then the previous config stays in use.
   */
  readonly apply: (config: WebConfig) => void;
  /** Config in use when the watch starts. */
  readonly first: WebConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Reads the files every few seconds. Comparing modification times would not be enough: tools that
 * renew certificates rename, link or write files, and a time does not tell whether both files of a
 * pair have arrived. A certificate and a key that do not match are not used.
 */
export class WebConfigWatch {
  readonly #parts: WebConfigParts;
  readonly #successful: Gauge;
  #last: WebConfig;
  #lastMistake = '';
  #timer: Timer | undefined;
  #checking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: WebConfigParts) {
    this.#parts = parts;
    this.#last = parts.first;
    this.#successful = parts.metrics.gauge(
      'parca_web_config_last_reload_successful',
      'Whether the web config file, as it is now, is in force.',
    );
    this.#successful.set(1);
    this.#wait();
  }

  /** Checks the files now. Rejects with the reason when they cannot be used. */
  check(): Promise<void> {
    const check = this.#checking.then(() => this.#check());
    this.#checking = check.catch(() => undefined);
    return check;
  }

  /** Stops the checks. Idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#checking;
  }

  #wait(): void {
    if (this.#isStopped) return;
    this.#timer = this.#parts.clock.setTimer(webConfigCheckMillis, () => {
      void this.check()
        .catch(() => undefined)
        .then(() => this.#wait());
    });
  }

  async #check(): Promise<void> {
    const { load, apply, logger } = this.#parts;
    try {
      const config = await load();
      if (!isDeepStrictEqual(config, this.#last)) {
        checkChange(this.#last, config);
        apply(config);
        this.#last = config;
        const { tokens, users } = config;
        logger.info('web config loaded', { tokens: tokens.length, users: users.size });
      }
      this.#lastMistake = '';
      this.#successful.set(1);
    } catch (error) {
      this.#successful.set(0);
      const mistake = errorMessage(error);
      // The same mistake is logged once, not at each check.
      if (mistake !== this.#lastMistake) {
        logger.error('cannot load web config, the last one stays', { error: mistake });
      }
      this.#lastMistake = mistake;
      throw error;
    }
  }
}

/**
 * Refuses a change that needs a restart because clients would use the wrong protocol, or that would
 * let everybody in.
 */
function checkChange(last: WebConfig, next: WebConfig): void {
  const refuse = (what: string): never => {
    throw new AppError('failed-precondition', `cannot ${what} without a restart`);
  };
  if ((last.tls === undefined) !== (next.tls === undefined)) refuse('turn TLS on or off');
  const isClosed = (config: WebConfig): boolean =>
    asksForCredentials(config) || verifiesClients(config);
  if (isClosed(last) && !isClosed(next)) refuse('let everybody in');
}
