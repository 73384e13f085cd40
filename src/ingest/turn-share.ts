// The share of each turn of the event loop that small writes may spend on decoding.
import type { Clock } from '../base/clock.ts';
import { networkOf } from '../base/network.ts';
import type { Steps } from '../base/pacer.ts';
import { Rounds } from '../base/rounds.ts';
import { decodeHereTurnMillis } from './limits.ts';

/**
 * Starts writes one by one until the share is spent, and the others in later turns. Networks take
 * turns, and so do the callers of each network. So a caller with many writes delays each other
 * caller by a single write, and a network with many callers delays each other network by a single
 * write, too. Each write takes about the same time.
 */
export class TurnShare {
  readonly #millisMax: number;
  readonly #waiting = new Rounds<() => void>();
  #usedMillis = 0;
  /** True from the start of admitted work until it calls `spend`. */
  #isTaken = false;
  #isArmed = false;

  constructor(millisMax = decodeHereTurnMillis) {
    this.#millisMax = millisMax;
  }

  /** Resolves when work may begin; undefined if it may begin now. The work then calls `spend`. */
  enter(caller = ''): Promise<void> | undefined {
    this.#arm();
    if (!this.#isTaken && this.#waiting.size === 0 && this.#usedMillis < this.#millisMax) {
      this.#isTaken = true;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.add([networkOf(caller), caller], resolve));
  }

  /** Counts time of work that continues after its share has ended. */
  use(millis: number): void {
    this.#usedMillis += millis;
  }

  /** Ends a share, and counts the time that its work took. */
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

  /** Begins the next turn with a new share, and starts the next write. */
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

/** Does work after `enter`, and ends the share. */
export function spendOnce<T>(share: TurnShare | undefined, clock: Clock, work: () => T): T {
  const start = clock.monotonicMillis();
  try {
    return work();
  } finally {
    share?.spend(clock.monotonicMillis() - start);
  }
}

/**
 * Runs steps of work after `enter`. The first step ends the share, and the time of later steps
 * counts in the turns in which they run.
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
