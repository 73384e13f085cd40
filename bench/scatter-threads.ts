// Runs a plain loop over arrays in several threads, which shows how much this machine gains from
// more cores.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Rows in shared memory. */
export interface SharedRows {
  readonly stacks: Uint32Array;
  readonly values: BigInt64Array;
  readonly stackCount: number;
}

/** Threads that each sum a part of the same rows. */
export class ScatterThreads {
  readonly #threads: Worker[];
  readonly #rowCount: number;

  constructor(rows: SharedRows, threadCount: number) {
    const script = new URL(import.meta.url);
    const length = { length: threadCount };
    this.#threads = Array.from(length, () => new Worker(script, { workerData: rows }));
    this.#rowCount = rows.stacks.length;
  }

  /** Sums all rows; resolves when all threads have finished. */
  async run(): Promise<void> {
    const share = this.#rowCount / this.#threads.length;
    await Promise.all(
      this.#threads.map((thread, i) => {
        const done = once(thread, 'message');
        thread.postMessage([Math.round(i * share), Math.round((i + 1) * share)]);
        return done;
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}

if (!isMainThread) {
  const { stacks, values, stackCount } = workerData as SharedRows;
  parentPort?.on('message', ([from, to]: readonly [number, number]) => {
    const totals = new BigInt64Array(stackCount);
    for (let i = from; i < to; i += 1) totals[stacks[i]] += values[i];
    parentPort?.postMessage(totals[0]);
  });
}
