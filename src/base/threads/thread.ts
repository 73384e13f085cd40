// Threads that can be ended at any time.
import { Worker } from 'node:worker_threads';
import { type Elements, transferList } from '../owned.ts';
import { shieldBits, type ThreadStart } from './unbroken.ts';

/** Longest time for which an exiting process waits for work that must not be interrupted. */
const exitMillisMax = 1_000;
const { working, ending } = shieldBits;
const running = new Set<Thread>();
const observers = new Set<EndObserver>();

/**
 * Called with a thread that is about to be ended, while the thread still answers. The call must be
 * quick.
 */
export type EndObserver = (thread: Thread) => Promise<void>;

/** Returns the threads that have not ended. */
export function runningThreads(): ReadonlySet<Thread> {
  return running;
}

/** Calls `observer` before a thread ends, and waits for it. Returns a function that removes it. */
export function observeThreads(observer: EndObserver): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

/**
 * A worker thread that is never ended during `unbroken` work, neither by its owner nor when the
 * process exits. The script of the thread reads `data` with `threadData()`.
 */
export class Thread extends Worker {
  readonly name: string;
  readonly #shield: Int32Array<SharedArrayBuffer>;

  /**
   * Starts the thread. Above `heapBytesMax`, its heap limit, the thread dies; Node's default if
   * absent.
   */
  constructor(
    script: URL,
    options: {
      readonly name: string;
      readonly data?: unknown;
      /** Arrays within `data` whose memory is transferred and can no longer be used here. */
      readonly moved?: readonly Elements[];
      readonly heapBytesMax?: number;
    },
  ) {
    const shield = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const { name, data, moved = [] } = options;
    const workerData: ThreadStart = { data, shield };
    const heapMebiMax = options.heapBytesMax && Math.ceil(options.heapBytesMax / 2 ** 20);
    const resourceLimits = heapMebiMax === undefined ? {} : { maxOldGenerationSizeMb: heapMebiMax };
    super(script, { name, workerData, resourceLimits, transferList: transferList(moved) });
    this.name = name;
    this.#shield = shield;
    running.add(this);
    this.once('exit', () => {
      running.delete(this);
      // The thread may have run out of memory in the middle of unbroken work.
      Atomics.store(shield, 0, ending);
      Atomics.notify(shield, 0);
    });
  }

  /** Ends the thread, even in the middle of work. */
  override async terminate(): Promise<number> {
    if (running.has(this)) await Promise.allSettled([...observers].map((tell) => tell(this)));
    Atomics.or(this.#shield, 0, ending);
    const waiting = Atomics.waitAsync(this.#shield, 0, working | ending);
    if (waiting.async) await waiting.value;
    return super.terminate();
  }

  /**
   * Prevents the thread from beginning unbroken work. If the thread is doing such work, blocks
   * until it is done, but at most for `exitMillisMax`.
   */
  hold(): void {
    Atomics.or(this.#shield, 0, ending);
    Atomics.wait(this.#shield, 0, working | ending, exitMillisMax);
  }
}

/** Returns the error code for work whose thread died of this error. */
export function codeOfDeath(error: unknown): 'resource-exhausted' | 'internal' {
  const isFull = error instanceof Error && 'code' in error && error.code === outOfMemory;
  return isFull ? 'resource-exhausted' : 'internal';
}

/** Code of Node's error for a thread whose objects took more than `heapBytesMax`. */
const outOfMemory = 'ERR_WORKER_OUT_OF_MEMORY';

process.on('exit', () => {
  for (const thread of running) thread.hold();
});
