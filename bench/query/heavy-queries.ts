// Sends every type of heavy query from a separate thread, so that the time to parse megabytes of
// responses does not count as the server's time.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A server and a range to query. */
export interface HeavyQueries {
  /** gRPC address and base URL of the server. */
  readonly address: string;
  readonly url: string;
  readonly fromNanos: bigint;
  readonly toNanos: bigint;
}

/** Running queries. */
export interface AskedQueries {
  /** Returns true if each type of query has been answered. */
  isRoundOver(): boolean;
  /** Stops after the current query; resolves to the number of responses. */
  stop(): Promise<number>;
}

/** Message that the thread sends after each response. */
export interface QueriesAnswered {
  readonly count: number;
  readonly kinds: number;
}

/** Starts to send queries. */
export function startHeavyQueries(queries: HeavyQueries): AskedQueries {
  const thread = new Worker(new URL('./heavy-queries-thread.ts', import.meta.url), {
    workerData: queries,
  });
  let answered: QueriesAnswered = { count: 0, kinds: 1 };
  thread.on('message', (told: QueriesAnswered) => (answered = told));
  return {
    isRoundOver: () => answered.count >= answered.kinds,
    async stop() {
      const ended = once(thread, 'exit');
      thread.postMessage('stop');
      await ended;
      return answered.count;
    },
  };
}
