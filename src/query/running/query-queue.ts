// The queue of queries: a limited number runs at once, and callers take turns.
import { AppError } from '../../base/errors.ts';
import { busyRetryMillis } from '../../base/limits.ts';
import { abortError } from './context.ts';

/** Largest numbers of queries that run and that wait. */
export interface QueueLimits {
  /** Largest number of running queries; 0 = no limit. */
  readonly runningMax: number;
  readonly waitingMax: number;
}

interface Waiting {
  begin(): void;
  refuse(error: AppError): void;
}

/**
 * Gives turns. A query that comes when all turns are taken waits, in a line of its caller; the
 * lines take turns, so that a caller with many queries delays those of others by one each. When
 * too many wait, the last query of the longest line is refused.
 */
export class QueryQueue {
  readonly #limits: QueueLimits;
  /** Lines by caller; the first line is next. No line is empty. */
  readonly #lines = new Map<string, Waiting[]>();
  #running = 0;
  #waiting = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get runningCount(): number {
    return this.#running;
  }

  get waitingCount(): number {
    return this.#waiting;
  }

  /**
   * Resolves when it is the query's turn, with a function that ends the turn and must be called
   * once.
   *
   * Errors: AppError 'resource-exhausted' when too many wait; the reason why the signal was
   * aborted.
   */
  async take(peer: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw abortError(signal);
    const { runningMax } = this.#limits;
    if (runningMax === 0 || this.#running < runningMax) this.#running += 1;
    else await this.#wait(peer, signal);
    return () => this.#end();
  }

  #wait(peer: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#leave(peer, waiting);
        reject(abortError(signal));
      };
      const waiting: Waiting = {
        begin: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
        refuse: (error) => {
          signal.removeEventListener('abort', onAbort);
          reject(error);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const line = this.#lines.get(peer) ?? [];
      this.#lines.set(peer, line);
      line.push(waiting);
      this.#waiting += 1;
      if (this.#waiting > this.#limits.waitingMax) this.#refuseOne();
    });
  }

  #refuseOne(): void {
    let [longest] = this.#lines;
    for (const entry of this.#lines) if (entry[1].length > longest[1].length) longest = entry;
    const [peer, line] = longest;
    const last = line[line.length - 1];
    const { runningMax, waitingMax } = this.#limits;
    this.#leave(peer, last);
    last.refuse(
      new AppError(
        'resource-exhausted',
        `cannot answer query: ${runningMax} queries are running (--query-concurrency) and ` +
          `${waitingMax} are waiting; ask again later`,
        { retryAfterMillis: busyRetryMillis, limit: 'query-concurrency' },
      ),
    );
  }

  #leave(peer: string, waiting: Waiting): void {
    const line = this.#lines.get(peer);
    const at = line?.indexOf(waiting) ?? -1;
    if (line === undefined || at === -1) return;
    line.splice(at, 1);
    this.#waiting -= 1;
    if (line.length === 0) this.#lines.delete(peer);
  }

  #end(): void {
    const [next] = this.#lines;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    const [peer, line] = next;
    const [first] = line;
    this.#leave(peer, first);
    // The caller goes to the end of the line of callers.
    if (this.#lines.delete(peer)) this.#lines.set(peer, line);
    first.begin();
  }
}
