// One call of a method over any transport. Calls are counted, measured and limited, and failures
// are logged by their code.
import type { Clock, Timer } from '../../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../../base/errors.ts';
import { createLimitCounter } from '../../../base/input-limits.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Counter, Histogram, MetricLabels, Metrics } from '../../../base/metrics.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Sender } from '../../auth/caller-id.ts';
import type { Gate } from '../../auth/gate.ts';
import type { JsonTurns } from '../json/json-turns.ts';
import type { CallContext, Method } from './method.ts';
import type { RefusalWaits } from './refusal-waits.ts';
import type { RequestMemory } from './request-memory.ts';
import type { RequestOptions } from './request-options.ts';
import type { RequestTurns } from './request-turns.ts';
import { okStatus, wireStatus } from './status.ts';

/** Counters of calls, with the usual metric names of gRPC servers. */
export interface CallMetrics {
  readonly started: Counter;
  readonly handled: Counter;
  readonly seconds: Histogram;
  /** Counts an error by the limit that it names. */
  readonly countLimit: (error: unknown) => void;
}

const labelNames = ['grpc_type', 'grpc_service', 'grpc_method'];
/**
 * Bounds of the buckets in seconds. They are the bounds that the objectives in Parca's Pyrra files
 * use.
 */
const secondsBuckets = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60];

export function createCallMetrics(metrics: Metrics): CallMetrics {
  const handledLabels = [...labelNames, 'grpc_code'];
  return {
    started: metrics.counter('grpc_server_started_total', 'Calls started.', labelNames),
    handled: metrics.counter('grpc_server_handled_total', 'Calls ended, by code.', handledLabels),
    seconds: metrics.histogram(
      'grpc_server_handling_seconds',
      'Duration of calls.',
      secondsBuckets,
      labelNames,
    ),
    countLimit: createLimitCounter(metrics),
  };
}

/**
 * Time after a deadline, in milliseconds, in which a method that knows the deadline may still
 * report its own error.
 */
const ownErrorMillis = 100;

/** Parts that every transport needs to run calls. */
export interface CallRunner {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: CallMetrics;
}

/**
 * A running call. Its `signal` is aborted when the handler must stop, with the reason.
 *
 * `end` must be called once, with the error if the call failed.
 */
export class Call {
  readonly context: CallContext;
  /** Created when a handler first reads the signal. Handlers of pushes never do. */
  #controller: AbortController | undefined;
  /** Rejects when the call is cancelled or out of time. */
  readonly #aborted = Promise.withResolvers<never>();
  #whyAborted: AppError | undefined;
  readonly #runner: CallRunner;
  readonly #labels: MetricLabels;
  readonly #startMillis: number;
  readonly #timer: Timer;

  /** Starts the call. `limitMillis` is the server's own limit; the caller may set a lower one. */
  constructor(
    runner: CallRunner,
    method: Pick<Method, 'path' | 'kind'>,
    { peer, caller }: Sender,
    limitMillis: number,
    { limits, tags }: RequestOptions,
  ) {
    this.#runner = runner;
    const timeMillisMax = Math.min(limitMillis, limits.timeMillisMax ?? limitMillis);
    this.#aborted.promise.catch(() => undefined);
    const callSignal = (): AbortSignal => this.#signal();
    this.context = {
      get signal() {
        return callSignal();
      },
      peer,
      caller,
      tags,
      limits: { ...limits, timeMillisMax },
    };
    const slash = method.path.lastIndexOf('/');
    this.#labels = {
      grpc_type: method.kind === 'unary' ? 'unary' : 'bidi_stream',
      grpc_service: method.path.slice(1, slash),
      grpc_method: method.path.slice(slash + 1),
    };
    this.#startMillis = runner.clock.monotonicMillis();
    runner.metrics.started.add(1, this.#labels);
    this.#timer = runner.clock.setTimer(timeMillisMax + ownErrorMillis, () => {
      const why = `deadline exceeded: there was no answer within ${timeMillisMax} ms`;
      this.#abort(new AppError('deadline-exceeded', why));
    });
  }

  /** Ends the call because its caller has disconnected. */
  cancel(): void {
    this.#abort(new AppError('cancelled', 'cancelled by the caller'));
  }

  /** Settles like `work`, or rejects as soon as the call is cancelled or out of time. */
  async bounded<T>(work: Promise<T>): Promise<T> {
    if (this.#whyAborted === undefined) return Promise.race([work, this.#aborted.promise]);
    work.catch(() => undefined);
    throw this.#whyAborted;
  }

  #abort(why: AppError): void {
    if (this.#whyAborted !== undefined) return;
    this.#whyAborted = why;
    this.#aborted.reject(why);
    this.#controller?.abort(why);
  }

  #signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#whyAborted !== undefined) this.#controller.abort(this.#whyAborted);
    return this.#controller.signal;
  }

  /** Counts the call, and logs an internal error with its stack. */
  end(error?: unknown): void {
    this.#timer.cancel();
    const { metrics, clock, logger } = this.#runner;
    const status = error === undefined ? okStatus : wireStatus(errorCode(error));
    metrics.handled.add(1, { ...this.#labels, grpc_code: status.name });
    metrics.countLimit(error);
    metrics.seconds.observe((clock.monotonicMillis() - this.#startMillis) / 1000, this.#labels);
    if (status.name !== 'Internal') return;
    const stack = error instanceof Error ? error.stack : undefined;
    logger.error('call failed', { ...this.#labels, error: errorMessage(error), stack });
  }
}

export interface TransportContext {
  readonly runner: CallRunner;
  readonly memory: RequestMemory;
  readonly requestTurns: RequestTurns;
  readonly refusalWaits: RefusalWaits;
  /** Turns of callers with long JSON answers. */
  readonly jsonTurns: JsonTurns;
  /** Maximum size of a message or body in bytes, before and after decompression. */
  readonly messageBytesMax: number;
  /** Longest duration of a call in milliseconds, even if its deadline is later. */
  readonly callMillisMax: number;
  /** Longest time in milliseconds in which an upload may deliver nothing. */
  readonly stallMillisMax: number;
  /** Gate that decides which requests are accepted. */
  readonly gate: Gate;
  /** Returns the kind of a method that can be called in the current state. */
  methodKind(path: string): Method['kind'] | undefined;
  /**
   * Returns the method at a path. This is the only way to get a method.
   *
   * Errors: AppError 'permission-denied' when the caller lacks its scope; 'unimplemented' for an
   * unknown path; 'unavailable' while the server starts or stops.
   */
  findMethod(path: string, caller: Caller): Method;
}
