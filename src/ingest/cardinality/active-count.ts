// Counts what was active in the current or the previous period.

/** A count that drops what is no longer active, without a timer at the end of each period. */
export class ActiveCount {
  #period = 0;
  #current = 0;
  #active = 0;

  /** Counts one more in `period`; `isNew` if it was inactive in this period and the one before. */
  add(period: number, isNew: boolean): void {
    this.#advance(period);
    this.#current += 1;
    if (isNew) this.#active += 1;
  }

  /** Returns the count at `period`. */
  at(period: number): number {
    this.#advance(period);
    return this.#active;
  }

  #advance(period: number): void {
    if (period === this.#period) return;
    this.#active = period === this.#period + 1 ? this.#current : 0;
    this.#current = 0;
    this.#period = period;
  }
}
