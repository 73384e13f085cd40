// Counts items that were active in the current or the previous period.

/** A count from which inactive items are dropped, without a timer at the end of each period. */
export class ActiveCount {
  #period = 0;
  #current = 0;
  #active = 0;

  /**
   * Counts an item in `period`. `isNew` is true if the item was not active in this period or the
   * previous one.
   */
  add(period: number, isNew: boolean): void {
    this.#advance(period);
    this.#current += 1;
    if (isNew) this.#active += 1;
  }

  /** Returns the count in `period`. */
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
