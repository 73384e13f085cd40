// Asks heavy queries of every kind, from a separate thread: reading answers of megabytes takes time
// that must not count as time of the server.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A server and a range to ask for. */
export interface HeavyQueries {
  /** Addresses for gRPC and for HTTP. */
  readonly address: string;
  readonly url: string;
  readonly fromNanos: bigint;
  readonly toNanos: bigint;
}

/** Running queries. */
export interface AskedQueries {
  /** Returns true if each kind of query was answered. */
  isRoundOver(): boolean;
  /** Stops after the current query; resolves to the number of answers. */
  stop(): Promise<number>;
}

/** Message of the thread about an answer. */
export interface QueriesAnswered {
  readonly count: number;
  readonly kinds: number;
}

/** Starts to ask. */
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
