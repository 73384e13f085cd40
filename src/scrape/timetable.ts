// Keeps the times of all loops in one heap with one timer, so that a waiting loop needs neither a
// timer nor a promise.
import type { Clock, Timer } from '../base/clock.ts';
import { startsOfTurnMax, startsOfTurnMin, startsTurnMillis } from './limits.ts';

/** Work with a time at which it is due. */
export interface Entry {
  /** Monotonic time at which to call `run`. Must not change while the entry waits. */
  readonly dueMillis: number;
  /** Index in the timetable's heap, set by the timetable; -1 = the entry does not wait. */
  place: number;
  /** Starts the work; never throws. */
  run(): void;
}

/**
 * Longest delay of a timer in milliseconds, because timers have a limit. A longer wait takes
 * several timers.
 */
const timerMillisMax = 3_600_000;

/**
 * Runs each entry once, at its time.
 *
 * Much of an entry's cost may come after its start. For example, handling a refused connection
 * takes longer than starting it. Therefore a turn of the event loop starts only a limited number of
 * entries, and leaves the other entries to later turns. The limit falls after a long turn and rises
 * after a short turn. Timers cannot be used for this, because a timer that is due again fires in
 * the same turn.
 */
export class Timetable {
  readonly #clock: Clock;
  #startsMax = startsOfTurnMin;
  /** True if the next turn continues with the entries that are due. */
  #goesOn = false;
  /**
   * Binary heap by time: the entry at index i is not later than the entries at 2i + 1 and 2i + 2.
   */
  readonly #heap: Entry[] = [];
  #timer: Timer | undefined;
  /** Time at which the timer fires. */
  #timerMillis = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an entry, which must not be in the timetable already. */
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

  /**
   * Starts the entries that are due, up to the limit for a turn. The next turn starts the others.
   */
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

  /** Continues in the next turn. `started` is the start time of this turn. */
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

  /** Adjusts the limit after a turn that reached it. `turnMillis` is the length of the turn. */
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
