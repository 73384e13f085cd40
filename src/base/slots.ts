// Limits the number of concurrent tasks. Other tasks wait, and their callers take turns.
import { currentCaller } from './current-caller.ts';
import { networkOf } from './network.ts';
import { Rounds } from './rounds.ts';

/**
 * Slots for tasks. Networks of callers take turns, as do the callers of each network, so a caller
 * with many tasks delays every other caller by about one task per slot.
 */
export class Slots {
  #free: number;
  readonly #waiting = new Rounds<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Number of tasks that wait. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Runs `work` when a slot is free, and settles like it; `signal` ends the wait for a slot. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free === 0) await this.#wait(signal);
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.take();
      if (next) next();
      else this.#free += 1;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const caller = currentCaller();
    const path = [typeof caller === 'string' ? networkOf(caller) : caller, caller];
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const end = (): void => {
        this.#waiting.remove(path, begin);
        reject(signal?.reason);
      };
      this.#waiting.add(path, begin);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  }
}
