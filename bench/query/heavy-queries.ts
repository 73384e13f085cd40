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

/** Begins to ask; the function ends it and resolves to the number of answers. */
export function startHeavyQueries(queries: HeavyQueries): () => Promise<number> {
  const thread = new Worker(new URL('./heavy-queries-thread.ts', import.meta.url), {
    workerData: queries,
  });
  const told = once(thread, 'message') as Promise<[number]>;
  return async () => {
    thread.postMessage('stop');
    const [count] = await told;
    return count;
  };
}
