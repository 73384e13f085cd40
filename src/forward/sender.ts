// Sends queued requests one by one, and retries while the server is unavailable.
import { type Clock, sleep } from '../base/clock.ts';
import { AppError, type ErrorCode, errorCode, errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import { type Random, randomBelow } from '../base/random.ts';
import { sendRetryMillisMax, sendRetryMillisMin } from './limits.ts';
import type { Server } from '../base/node/grpc-client.ts';
import type { RequestQueue } from './request-queue.ts';
import { writeRawMethod } from './write-raw.ts';

export interface SenderOptions {
  readonly server: Pick<Server, 'call'>;
  readonly queue: RequestQueue;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Longest duration of one attempt, in milliseconds. */
  readonly callMillisMax: number;
  /**
   * Encoder for WriteArrow, which is preferred if the server supports it; undefined = only WriteRaw
   * is used.
   */
  readonly arrow?: ArrowRequests | undefined;
  /** Prefix of the names of metrics, such as parca_agent. */
  readonly metricPrefix: string;
}

/** Functions of WriteArrow requests that the sender needs. */
export interface ArrowRequests {
  readonly method: string;
  readonly isOne: (request: Uint8Array) => boolean;
  /**
   * Returns a request that stores nothing. It shows the sender whether the server supports the
   * method.
   */
  readonly encodeEmpty: () => Uint8Array;
}

/** Counts of the sender, for the status page. */
export interface SenderState {
  /** Reason why the last attempt failed; "" after a success, and before the first attempt. */
  readonly lastError: string;
  readonly sentRequests: number;
  readonly sentBytes: number;
  /** Number of requests that the server has refused for good. */
  readonly refusedRequests: number;
}

/**
 * Codes of errors after which sending the same bytes again is useless; such a request is dropped.
 */
const final: ReadonlySet<ErrorCode> = new Set(['invalid-argument', 'out-of-range']);

/** Returns true if sending the same bytes again would cause the same error. */
export function isFinal(code: ErrorCode): boolean {
  return final.has(code);
}

/** Sends requests in the background until it is stopped. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #counters: SendCounters;
  readonly #stopping = new AbortController();
  /** Aborts the running call. */
  readonly #giveUp = new AbortController();
  #state: SenderState = {
    lastError: '',
    sentRequests: 0,
    sentBytes: 0,
    refusedRequests: 0,
  };
  #wake: () => void = () => undefined;
  #running: Promise<void> | undefined;
  /** Number of failures since the last success. */
  #failures = 0;
  /** True if the server supports WriteArrow; undefined until the server has answered. */
  #takesArrow: boolean | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    if (options.arrow === undefined) this.#takesArrow = false;
    this.#counters = createCounters(options);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** True if the server supports WriteArrow, so that new profiles should be encoded for it. */
  get takesArrow(): boolean {
    return this.#takesArrow === true;
  }

  state(): SenderState {
    return this.#state;
  }

  /**
   * Tells the sender that a request was queued. While the server is unavailable, requests are
   * written to the disk.
   */
  notify(): void {
    if (this.#failures > 0) void this.#options.queue.saveAll();
    this.#wake();
  }

  /**
   * Stops sending in the background. Then tries for `flushMillis` to send the remaining requests;
   * those that cannot be sent stay in the queue.
   */
  async stop(flushMillis: number): Promise<void> {
    const { clock, queue } = this.#options;
    const end = clock.monotonicMillis() + flushMillis;
    const timer = clock.setTimer(flushMillis, () => this.#giveUp.abort(), true);
    this.#stopping.abort();
    this.#wake();
    await this.#running;
    for (;;) {
      const left = end - clock.monotonicMillis();
      if (left <= 0 || queue.state().requests === 0) break;
      if (!(await this.#sendFirst(left))) break;
    }
    timer.cancel();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      if (this.#takesArrow === undefined) {
        if (await this.#ask()) continue;
      } else if (this.#options.queue.state().requests === 0) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      } else if (await this.#sendFirst(this.#options.callMillisMax)) {
        continue;
      }
      await this.#options.queue.saveAll();
      await sleep(this.#options.clock, this.#backoffMillis(), signal).catch(() => undefined);
    }
  }

  /** Finds out whether the server supports WriteArrow. Returns true if the server has answered. */
  async #ask(): Promise<boolean> {
    const { server, callMillisMax, arrow } = this.#options;
    if (arrow === undefined) return true;
    try {
      const request = arrow.encodeEmpty();
      await server.call(arrow.method, request, callMillisMax, this.#giveUp.signal);
      this.#takesArrow = true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'unimplemented') {
        this.#fail(error);
        return false;
      }
      this.#useRaw(error);
    }
    return true;
  }

  #useRaw(error: AppError): void {
    this.#takesArrow = false;
    const reason = error.message;
    this.#options.logger.warn('the server does not know WriteArrow: WriteRaw is used', { reason });
  }

  /**
   * Sends the oldest request of the queue. Returns true if the next request may be sent
   * immediately.
   */
  async #sendFirst(millisMax: number): Promise<boolean> {
    const { queue, server, logger, arrow } = this.#options;
    const request = await queue.first();
    if (request === undefined) return true;
    const size = request.bytes.length;
    const arrowMethod = arrow?.isOne(request.bytes) === true ? arrow.method : undefined;
    try {
      await server.call(
        arrowMethod ?? writeRawMethod,
        request.bytes,
        millisMax,
        this.#giveUp.signal,
      );
    } catch (error) {
      const code = errorCode(error);
      if (!(error instanceof AppError)) throw error;
      this.#counters.writes.add(1, { result: code });
      const isUnknown = code === 'unimplemented' && arrowMethod !== undefined;
      if (isUnknown && this.takesArrow) this.#useRaw(error);
      if (final.has(code) || isUnknown) {
        logger.error('the server refused profiles, which are dropped', { error: error.message });
        this.#state = { ...this.#state, refusedRequests: this.#state.refusedRequests + 1 };
        await queue.remove(request);
        return true;
      }
      this.#fail(error);
      return false;
    }
    await queue.remove(request);
    this.#counters.writes.add(1, { result: 'ok' });
    this.#counters.bytes.add(size);
    if (this.#failures > 0) logger.info('the server takes profiles again');
    this.#failures = 0;
    this.#state = {
      ...this.#state,
      lastError: '',
      sentRequests: this.#state.sentRequests + 1,
      sentBytes: this.#state.sentBytes + size,
    };
    return true;
  }

  #fail(error: AppError): void {
    const { logger } = this.#options;
    // A failure is logged only if it differs from the last one.
    const message = errorMessage(error);
    if (message !== this.#state.lastError) {
      logger.warn('cannot send profiles, they are kept and sent later', { error: message });
    }
    this.#failures += 1;
    this.#state = { ...this.#state, lastError: message };
  }

  /**
   * Returns the milliseconds to wait after a failure, which double with each failure. A random
   * change of up to a fifth keeps agents from sending at the same time.
   */
  #backoffMillis(): number {
    const doubled = sendRetryMillisMin * 2 ** Math.min(this.#failures - 1, 20);
    const millis = Math.min(doubled, sendRetryMillisMax);
    return millis * (0.8 + randomBelow(this.#options.random, 401) / 1_000);
  }
}

interface SendCounters {
  readonly writes: Counter;
  readonly bytes: Counter;
}

function createCounters({ metrics, metricPrefix }: SenderOptions): SendCounters {
  return {
    writes: metrics.counter(`${metricPrefix}_writes_total`, 'Requests that were sent, by result.', [
      'result',
    ]),
    bytes: metrics.counter(
      `${metricPrefix}_write_request_bytes_total`,
      'Bytes of requests that the server took.',
    ),
  };
}
