// Limits the time that small writes may spend on decoding in each turn of the event loop.
import type { Clock } from '../base/clock.ts';
import { networkOf } from '../base/network.ts';
import type { Steps } from '../base/pacer.ts';
import { Rounds } from '../base/rounds.ts';
import { decodeHereTurnMillis } from './limits.ts';

/**
 * Starts waiting writes one by one until the time of a turn is used up, and the rest in later
 * turns. Networks take turns, and so do the callers of each network. So a caller with many writes
 * delays each other caller by only one write, and a network with many callers delays each other
 * network by only one write. All small writes take about the same time.
 */
export class TurnShare {
  readonly #millisMax: number;
  readonly #waiting = new Rounds<() => void>();
  #usedMillis = 0;
  /** True while admitted work has not called `spend` yet. */
  #isTaken = false;
  #isArmed = false;

  constructor(millisMax = decodeHereTurnMillis) {
    this.#millisMax = millisMax;
  }

  /**
   * Resolves when work may begin; returns undefined if it may begin now. When the work is done, it
   * must call `spend`.
   */
  enter(caller = ''): Promise<void> | undefined {
    this.#arm();
    if (!this.#isTaken && this.#waiting.size === 0 && this.#usedMillis < this.#millisMax) {
      this.#isTaken = true;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.add([networkOf(caller), caller], resolve));
  }

  /** Counts the time of work that continues after `spend`. */
  use(millis: number): void {
    this.#usedMillis += millis;
  }

  /**
   * Ends admitted work, and counts the time that it took. If time is left, the next work is
   * admitted.
   */
  spend(millis: number): void {
    this.use(millis);
    this.#isTaken = false;
    if (this.#usedMillis < this.#millisMax) this.#admit();
  }

  #admit(): void {
    const next = this.#waiting.take();
    if (next === undefined) return;
    this.#isTaken = true;
    next();
  }

  /** In the next turn of the event loop, resets the used time and admits the next work. */
  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(() => {
      this.#isArmed = false;
      this.#usedMillis = 0;
      // Admitted work may have failed before it called `spend`.
      this.#isTaken = false;
      if (this.#waiting.size === 0) return;
      this.#admit();
      this.#arm();
    });
  }
}

/** Does work that `enter` has admitted, and calls `spend`. */
export function spendOnce<T>(share: TurnShare | undefined, clock: Clock, work: () => T): T {
  const start = clock.monotonicMillis();
  try {
    return work();
  } finally {
    share?.spend(clock.monotonicMillis() - start);
  }
}

/**
 * Runs the steps of work that `enter` has admitted. After the first step, `spend` is called; the
 * time of later steps counts in the turns in which they run.
 */
export function* spendShare<T>(
  share: TurnShare | undefined,
  clock: Clock,
  steps: Steps<T>,
): Steps<T> {
  for (let isFirst = true; ; isFirst = false) {
    const start = clock.monotonicMillis();
    let step: IteratorResult<undefined, T>;
    try {
      step = steps.next();
    } finally {
      const tookMillis = clock.monotonicMillis() - start;
      if (isFirst) share?.spend(tookMillis);
      else share?.use(tookMillis);
    }
    if (step.done === true) return step.value;
    yield;
  }
}
