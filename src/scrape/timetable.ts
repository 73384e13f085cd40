// The times of all loops in one heap with one timer: a loop that waits costs an entry, no promise.
import type { Clock, Timer } from '../base/clock.ts';
import { backgroundSliceMillis } from '../base/limits.ts';

/** Work that has its time. */
export interface Entry {
  /** Monotonic time at which `run` is to be called. Changes only while the entry does not wait. */
  readonly dueMillis: number;
  /** Position in the heap of the timetable, which sets it; -1 = the entry does not wait. */
  place: number;
  /** Starts the work; never throws. */
  run(): void;
}

/** Longest delay of the timer; a longer wait takes several, because timers have a limit. */
const timerMillisMax = 3_600_000;

/** Runs entries, each once, at their times. */
export class Timetable {
  readonly #clock: Clock;
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

  /** Removes an entry; does nothing for one that does not wait. */
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

  /** Runs what is due; what does not fit into a slice, after other work. */
  #runDue(): void {
    this.#timer = undefined;
    this.#timerMillis = Infinity;
    const started = this.#clock.monotonicMillis();
    for (let first = this.#heap.at(0); first !== undefined; first = this.#heap.at(0)) {
      const now = this.#clock.monotonicMillis();
      if (first.dueMillis > now || now - started > backgroundSliceMillis) break;
      this.remove(first);
      first.run();
    }
    this.#setTimer();
  }

  #setTimer(): void {
    const first = this.#heap.at(0);
    if (first === undefined) return;
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
