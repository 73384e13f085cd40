// Writes the audit log: callers and their actions. Refusals are also in the server's log.
import type { Clock } from '../../base/clock.ts';
import { AppError, errorCode, errorMessage } from '../../base/errors.ts';
import {
  auditCallersMax,
  auditRefusalsMax,
  auditTextLengthMax,
  auditWindowMillis,
} from '../limits.ts';
import type { LogFields, Logger } from '../../base/logger.ts';

/** Kinds of events. */
export type AuditAction =
  | 'login'
  | 'logout'
  | 'refused'
  | 'delete'
  | 'snapshot'
  | 'reload'
  | 'settings'
  | 'upload'
  | 'download'
  | 'share'
  | 'unshare'
  | 'unmark'
  | 'remove view'
  | 'cancel query'
  | 'profile server';

/** One event. */
export interface AuditEvent {
  readonly action: AuditAction;
  /** Name of the caller: `token "ci"`, `user alice`; "anybody" or "" for unknown callers. */
  readonly who: string;
  /** Address of the caller, "" for the machine itself. */
  readonly from: string;
  /** Object of the action, such as a path, a method or a build id. */
  readonly what: string;
  readonly result: 'done' | 'refused' | 'failed';
  /** Reason for a refusal or failure. */
  readonly why?: string | undefined;
}

/** Destination of the lines of the audit log. `write` must not wait or throw. */
export interface AuditSink {
  write(fields: LogFields): void;
  /** Waits until all lines are written. */
  flush(): Promise<void>;
}

/** Request that was refused. */
export interface Refusal extends Pick<AuditEvent, 'from' | 'what'> {
  readonly error: unknown;
  /**
   * True if the request had credentials. Browsers first send a request without credentials, which
   * is not an attempt to log in.
   */
  readonly hasCredentials: boolean;
}

interface Refusals {
  count: number;
  /** Number of refusals that got a line of their own. */
  written: number;
  last: Refusal;
}

/**
 * Records events. The number of recorded refusals is limited, because anybody can cause refusals.
 */
export class Audit {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #sink: AuditSink | undefined;
  /** Refusals since the start of the window, by address. */
  readonly #refused = new Map<string, Refusals>();
  #isWindowOpen = false;

  /** Without a `sink`, only refusals are logged. */
  constructor(clock: Clock, logger: Logger, sink: AuditSink | undefined) {
    this.#clock = clock;
    this.#logger = logger;
    this.#sink = sink;
  }

  /** Records an event. */
  record({ action, who, from, what, result, why }: AuditEvent): void {
    if (this.#sink === undefined) return;
    const time = new Date(this.#clock.nowMillis()).toISOString();
    const [object, reason] = [bounded(what), why === undefined ? undefined : bounded(why)];
    this.#sink.write({ time, action, who, from, what: object, result, why: reason });
  }

  /**
   * Records the outcome of an action: success if there is no `error`, otherwise a refusal or a
   * failure.
   */
  outcome(event: Omit<AuditEvent, 'result' | 'why'>, error?: unknown): void {
    const { action, who, from, what } = event;
    const result = error === undefined ? 'done' : isRefusal(error) ? 'refused' : 'failed';
    const why = error === undefined ? undefined : errorMessage(error);
    this.record({ action, who, from, what, result, why });
  }

  /**
   * Records a refusal. The first few refusals of each address get a line; further refusals are
   * counted.
   */
  refuse(refusal: Refusal): void {
    const { from } = refusal;
    const isKnown = this.#refused.has(from) || this.#refused.size < auditCallersMax;
    const key = isKnown ? from : '';
    const known = this.#refused.get(key) ?? { count: 0, written: 0, last: refusal };
    this.#refused.set(key, known);
    known.count += 1;
    known.last = refusal;
    if (known.written < auditRefusalsMax) {
      known.written += 1;
      const { what, error } = refusal;
      const why = errorMessage(error);
      this.record({ action: 'refused', who: '', from, what, result: 'refused', why });
    }
    // The first refusal is written immediately, so that an operator sees it. A browser that has not
    // sent credentials yet gets no line.
    if (known.count === 1 && refusal.hasCredentials) this.#warn(refusal, 1);
    if (this.#isWindowOpen) return;
    this.#isWindowOpen = true;
    this.#clock.setTimer(auditWindowMillis, () => this.#closeWindow());
  }

  #closeWindow(): void {
    this.#isWindowOpen = false;
    const all = [...this.#refused];
    this.#refused.clear();
    for (const [from, { count, written, last }] of all) {
      if (count > 1 && last.hasCredentials) this.#warn(last, count);
      if (count === written) continue;
      const what = `${count - written} more requests like ${last.what}`;
      const why = errorMessage(last.error);
      this.record({ action: 'refused', who: '', from, what, result: 'refused', why });
    }
  }

  #warn({ from, what, error }: Refusal, count: number): void {
    const fields = { from, what: bounded(what), count, why: errorMessage(error) };
    this.#logger.warn(count === 1 ? 'request refused' : 'requests refused in a minute', fields);
  }
}

function isRefusal(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'permission-denied' || code === 'unauthenticated';
}

function bounded(text: string): string {
  return text.length <= auditTextLengthMax ? text : `${text.slice(0, auditTextLengthMax)}…`;
}

/** Returns the error to pass to `outcome` for the status of an HTTP answer; undefined below 400. */
export function errorOfStatus(status: number): AppError | undefined {
  if (status < 400) return undefined;
  const isRefused = status === 401 || status === 403;
  return new AppError(isRefused ? 'permission-denied' : 'internal', `the answer was ${status}`);
}
