// Shares the turns of the event loop among the slices of long tasks, however many tasks wait.
//
// Timers cannot do that: all timers that are due fire in one turn, so sixty queries would block the
// loop for sixty slices. Waiting slices take turns by the networks of their callers, and by the
// callers of each network. First come, first served would be unfair: with it, a slice of a client
// with few requests waited for 47 slices of a fleet of clients.
import type { SliceTurns } from '../clock.ts';
import { currentCaller, everyone } from '../current-caller.ts';
import { slicesPerTurnMax, turnSlicesMillis } from '../limits.ts';
import { networkOf } from '../network.ts';
import { Rounds } from '../rounds.ts';

/** Creates turns for the slices of one thread. `millis` reads the monotonic clock of the thread. */
export function createSliceTurns(millis = (): number => performance.now()): SliceTurns {
  return new ThreadTurns(millis);
}

class ThreadTurns implements SliceTurns {
  readonly #millis: () => number;
  /** Slices of work that every caller waits for. */
  readonly #first: (() => void)[] = [];
  readonly #waiting = new Rounds<() => void>();
  /** True if waiting slices are running, or an immediate will run them. */
  #isArmed = false;
  /** Number of turns in which waiting slices have run. */
  #runs = 0;
  /** Number of slices that may still run in this turn, their start, and the time that they took. */
  #left = 0;
  #startMillis = 0;
  #usedMillis = 0;
  /** Time at which slices have used up this turn; valid while the turn is open. */
  #endsMillis = 0;
  #isOpen = false;

  constructor(millis: () => number) {
    this.#millis = millis;
  }

  next(fire: () => void): void {
    const caller = currentCaller();
    if (caller === everyone) this.#first.push(fire);
    else this.#waiting.add([networkOf(caller), caller], fire);
    if (!this.#isArmed) this.#arm();
  }

  afterTurn(fire: () => void): void {
    setImmediate(fire);
  }

  isSpent(nowMillis: number): boolean {
    if (!this.#isOpen) {
      this.#open(nowMillis);
      this.#closeLater();
    }
    return nowMillis >= this.#endsMillis;
  }

  #open(nowMillis: number): void {
    this.#isOpen = true;
    this.#endsMillis = nowMillis + turnSlicesMillis - this.#usedMillis;
  }

  /** Closes this turn when the next turn begins, unless waiting slices have run by then. */
  #closeLater(): void {
    const runs = this.#runs;
    setImmediate(() => {
      if (runs !== this.#runs) return;
      this.#isOpen = false;
      this.#usedMillis = 0;
    }).unref();
  }

  #arm(): void {
    this.#isArmed = true;
    setImmediate(() => this.#begin());
  }

  #begin(): void {
    this.#runs += 1;
    this.#left = Math.min(this.#first.length + this.#waiting.size, slicesPerTurnMax);
    this.#usedMillis = 0;
    this.#startMillis = this.#millis();
    this.#open(this.#startMillis);
    // One slice of work that everyone waits for comes first, and other slices get the rest of the
    // turn. The first slice always runs, even if other work has used up the time of the turn.
    this.#run(this.#first.shift() ?? this.#waiting.take());
  }

  #run(fire: (() => void) | undefined): void {
    this.#left -= 1;
    fire?.();
    afterPromises(() => this.#goOn());
  }

  #goOn(): void {
    const now = this.#millis();
    if (this.#left > 0 && now < this.#endsMillis) {
      this.#run(this.#waiting.take() ?? this.#first.shift());
      return;
    }
    // Work that begins later in this turn gets the rest of its time.
    this.#isOpen = false;
    this.#usedMillis = now - this.#startMillis;
    this.#isArmed = false;
    if (this.#first.length + this.#waiting.size > 0) this.#arm();
    else this.#closeLater();
  }
}

/**
 * Calls `next` in this turn, after all callbacks of promises. At that time, a slice has reached its
 * next pause, because Node empties the queue of promises before it runs the next tick.
 */
function afterPromises(next: () => void): void {
  queueMicrotask(() => process.nextTick(next));
}

/** Turns of this thread. */
export const sliceTurns = createSliceTurns();
