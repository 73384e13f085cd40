// Asks heavy queries of every kind from a thread of their own: answers of megabytes take their
// reader's time, too, which is not to be counted as the server's.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Whom to ask for all of a range. */
export interface HeavyQueries {
  /** For gRPC, and for HTTP. */
  readonly address: string;
  readonly url: string;
  readonly fromNanos: bigint;
  readonly toNanos: bigint;
}

/** Queries under way. */
export interface AskedQueries {
  /** Whether each kind of them was answered. */
  isRoundOver(): boolean;
  /** Ends them with the one that is being asked; resolves to the number of answers. */
  stop(): Promise<number>;
}

/** What the thread says when it has an answer. */
export interface QueriesAnswered {
  readonly count: number;
  readonly kinds: number;
}

/** Begins to ask. */
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
