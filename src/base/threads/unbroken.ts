// Work that must not be interrupted by the end of its thread; thread.ts has the code of the
// thread's owner.
import { workerData } from 'node:worker_threads';

/** Data that a Thread starts with; `data` is what its owner passes. */
export interface ThreadStart {
  readonly data: unknown;
  /** One word: bits of `shieldBits`. */
  readonly shield: Int32Array<SharedArrayBuffer>;
}

/**
 * Bits of the shield. `working` is set by the thread while it must not be ended. `ending` is set by
 * the owner of the thread, and never cleared.
 */
export const shieldBits = { working: 1, ending: 2 } as const;

// Threads that were started in another way have different data; the main thread has none.
const start = workerData as Partial<ThreadStart> | null;
const shield = start?.shield;

/** Returns the data that the owner of this thread passed to its Thread. */
export function threadData(): unknown {
  return start?.data;
}

/** Does `work`, which must not be nested. A thread that is about to end does not begin the work. */
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
