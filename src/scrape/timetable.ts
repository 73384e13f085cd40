// The times of all loops in one heap with one timer: a waiting loop costs an entry and no promise.
import type { Clock, Timer } from '../base/clock.ts';
import { startsOfTurnMax, startsOfTurnMin, startsTurnMillis } from './limits.ts';

/** Work that is due at some time. */
export interface Entry {
  /** Monotonic time at which to call `run`. Must not change while the entry waits. */
  readonly dueMillis: number;
  /** Position in the timetable's heap, which sets it; -1 = the entry does not wait. */
  place: number;
  /** Starts the work; never throws. */
  run(): void;
}

/** Longest delay of the timer; a longer wait takes several, because timers have a limit. */
const timerMillisMax = 3_600_000;

/**
 * Runs entries once each, at their times.
 *
 * An entry may cost more later in the turn than its start: a refused connection takes longer than
 * starting it. So a turn starts a limited number of the entries that are due, fewer after a long
 * turn and more after a short one, and leaves the rest to later turns. A timer would not work for
 * that: one that is due again fires in the same turn.
 */
export class Timetable {
  readonly #clock: Clock;
  #startsMax = startsOfTurnMin;
  /** True if the next turn continues with entries that are due. */
  #goesOn = false;
  /** Binary heap by time: no entry is later than the two at twice its position plus 1 and 2. */
  readonly #heap: Entry[] = [];
  #timer: Timer | undefined;
  /** Time at which the timer fires. */
  #timerMillis = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an entry that does not wait. */
  add(entry: Entry): void {
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1, entry);
    this.#setTimer();
  }

  /** Removes an entry; does nothing if it is not waiting. */
  remove(entry: Entry): void {
    const { place } = entry;
    if (place < 0) return;
    entry.place = -1;
    const last = this.#heap.pop();
    if (last !== undefined && last !== entry) {
      this.#sink(place, last);
      this.#rise(last.place, last);
    }
    if (this.#heap.length === 0) this.#stopTimer();
  }

  /** Starts the entries that are due, up to the limit of a turn; the next turn continues. */
  #runDue(): void {
    this.#timer = undefined;
    this.#timerMillis = Infinity;
    const started = this.#clock.monotonicMillis();
    let count = 0;
    for (let first = this.#heap.at(0); first !== undefined; first = this.#heap.at(0)) {
      if (first.dueMillis > started) break;
      if (count >= this.#startsMax) {
        this.#goOn(started);
        return;
      }
      count += 1;
      this.remove(first);
      first.run();
    }
    this.#setTimer();
  }

  /** Continues in the next turn. `started` is the time when this turn started. */
  #goOn(started: number): void {
    this.#goesOn = true;
    const run = (): void => {
      this.#goesOn = false;
      this.#adapt(this.#clock.monotonicMillis() - started);
      this.#runDue();
    };
    const { slices } = this.#clock;
    if (slices === undefined) this.#clock.setTimer(0, run);
    else slices.afterTurn(run);
  }

  /** Adjusts the number of starts, after a turn of this length that had as many as it may. */
  #adapt(turnMillis: number): void {
    if (turnMillis > 2 * startsTurnMillis) {
      this.#startsMax = Math.max(startsOfTurnMin, this.#startsMax >> 1);
    } else if (turnMillis < startsTurnMillis) {
      this.#startsMax = Math.min(startsOfTurnMax, 2 * this.#startsMax);
    }
  }

  #setTimer(): void {
    const first = this.#heap.at(0);
    if (first === undefined || this.#goesOn) return;
    const now = this.#clock.monotonicMillis();
    const delay = Math.min(Math.max(0, Math.ceil(first.dueMillis - now)), timerMillisMax);
    if (now + delay >= this.#timerMillis) return;
    this.#stopTimer();
    this.#timerMillis = now + delay;
    this.#timer = this.#clock.setTimer(delay, () => this.#runDue());
  }

  #stopTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#timerMillis = Infinity;
  }

  #rise(from: number, entry: Entry): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.#heap[above].dueMillis <= entry.dueMillis) break;
      this.#put(place, this.#heap[above]);
      place = above;
    }
    this.#put(place, entry);
  }

  #sink(from: number, entry: Entry): void {
    let place = from;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#heap.length) break;
      const other = below + 1;
      const isOther =
        other < this.#heap.length && this.#heap[other].dueMillis < this.#heap[below].dueMillis;
      if (isOther) below = other;
      if (this.#heap[below].dueMillis >= entry.dueMillis) break;
      this.#put(place, this.#heap[below]);
      place = below;
    }
    this.#put(place, entry);
  }

  #put(place: number, entry: Entry): void {
    this.#heap[place] = entry;
    entry.place = place;
  }
}
