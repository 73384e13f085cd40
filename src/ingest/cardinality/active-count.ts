// Counts the items that were active in the current period or in the previous one.

/** Counts active items. Items that become inactive are dropped from the count without a timer. */
export class ActiveCount {
  #period = 0;
  #current = 0;
  #active = 0;

  /**
   * Counts an item that is active in `period`. `isNew` is false if the item was already active, in
   * this period or in the previous one.
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
