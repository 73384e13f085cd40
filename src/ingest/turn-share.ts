// The share of each turn of the event loop that small writes may take for their decoding.
import { decodeHereTurnMillis } from '../base/limits.ts';

/** Lets writes in one after the other, and the rest in the next turns, in their order. */
export class TurnShare {
  readonly #millisMax: number;
  readonly #waiting: (() => void)[] = [];
  #usedMillis = 0;
  #isArmed = false;

  constructor(millisMax = decodeHereTurnMillis) {
    this.#millisMax = millisMax;
  }

  /** Resolves when work may begin, which then calls `spend`; undefined if that is now. */
  enter(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#usedMillis < this.#millisMax) return undefined;
    this.#arm();
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Notes that work took so long. */
  spend(millis: number): void {
    this.#usedMillis += millis;
    this.#arm();
    if (this.#usedMillis < this.#millisMax) this.#waiting.shift()?.();
  }

  /** Begins the next turn with a share of its own, and lets the next work in. */
  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      this.#usedMillis = 0;
      this.#waiting.shift()?.();
      // Work that was let in may fail before it calls `spend`.
      if (this.#waiting.length > 0) this.#arm();
    });
  }
}
