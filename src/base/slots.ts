// Limits the number of concurrent tasks; other tasks wait in order.

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Number of tasks that wait. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Settles like `work`, which starts when a slot is free; `signal` ends the wait. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free === 0) await this.#wait(signal);
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const end = (): void => {
        const at = this.#waiting.indexOf(begin);
        if (at !== -1) this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      this.#waiting.push(begin);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  }
}
