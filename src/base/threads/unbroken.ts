// Work that its thread is not ended in the middle of; the other end is thread.ts.
import { workerData } from 'node:worker_threads';

/** What a Thread is started with; `data` is its owner's. */
export interface ThreadStart {
  readonly data: unknown;
  /** One word: bits of `shieldBits`. */
  readonly shield: Int32Array<SharedArrayBuffer>;
}

/** Set while the thread must not be ended, by itself; when it is to end, by its owner, for good. */
export const shieldBits = { working: 1, ending: 2 } as const;

// A thread that was started in another way has data of another shape; the main thread has none.
const start = workerData as Partial<ThreadStart> | null;
const shield = start?.shield;

/** What the owner of this thread gave it. Source: the `data` of its Thread. */
export function threadData(): unknown {
  return start?.data;
}

/** Does `work`, which must not be nested. In a thread that is being ended it is not begun. */
export function unbroken<T>(work: () => T): T {
  if (shield === undefined) return work();
  const { working, ending } = shieldBits;
  if (Atomics.compareExchange(shield, 0, 0, working) !== 0) Atomics.wait(shield, 0, ending);
  try {
    return work();
  } finally {
    Atomics.sub(shield, 0, working);
    Atomics.notify(shield, 0);
  }
}
