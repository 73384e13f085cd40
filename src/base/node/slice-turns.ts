// Slices of long work, which share the turns of the event loop, however many tasks wait.
//
// Timers cannot do that: all that are due fire in one turn, so sixty queries would block it for
// sixty slices. Slices that wait take turns by the networks of their callers, and by the callers of
// each network. First come, first served would not do: the slice of a client that asks a little
// waited for 47 slices of a fleet.
import type { SliceTurns } from '../clock.ts';
import { currentCaller, everyone } from '../current-caller.ts';
import { slicesPerTurnMax, turnSlicesMillis } from '../limits.ts';
import { networkOf } from '../network.ts';
import { Rounds } from '../rounds.ts';

/** Creates turns for the slices of one thread. `millis` reads its monotonic clock. */
export function createSliceTurns(millis = (): number => performance.now()): SliceTurns {
  return new ThreadTurns(millis);
}

class ThreadTurns implements SliceTurns {
  readonly #millis: () => number;
  /** Slices of work that every caller waits for. */
  readonly #first: (() => void)[] = [];
  readonly #waiting = new Rounds<() => void>();
  /** True if the slices that wait have an immediate, or run. */
  #isArmed = false;
  /** Number of times that slices which had waited ran. */
  #runs = 0;
  /** Slices that may still run in this turn, when they began, and the time that they took. */
  #left = 0;
  #startMillis = 0;
  #usedMillis = 0;
  /** End of this turn's time; it counts if the turn is open. */
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

  /** Ends the time of this turn when the next one begins, unless slices that waited do. */
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
    // Work of everyone is first once a turn, so that the others have the rest of its time. The
    // first slice makes some progress, even in a turn that others have used up.
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
    // Work that begins in the rest of the turn has the rest of its time.
    this.#isOpen = false;
    this.#usedMillis = now - this.#startMillis;
    this.#isArmed = false;
    if (this.#first.length + this.#waiting.size > 0) this.#arm();
    else this.#closeLater();
  }
}

/**
 * Calls `next` in this turn when nothing is left to do by promises: what a slice does until its
 * next pause is done by then. Node empties the queue of promises before it looks for more ticks.
 */
function afterPromises(next: () => void): void {
  queueMicrotask(() => process.nextTick(next));
}

/** Turns of this thread. */
export const sliceTurns = createSliceTurns();
