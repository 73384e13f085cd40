// A map with a limit on the weight of its values: it drops the least recently used values.

/** A value with its weight at the time it was added; values may grow later. */
interface Weighed<T> {
  readonly value: T;
  readonly weight: number;
}

/**
 * Values by name. Getting a value counts as using it. A value that has grown must be added again.
 */
export class LeastRecent<T> {
  /** Weight of all values. */
  weight = 0;
  readonly #weightMax: number;
  readonly #weigh: (value: T) => number;
  /** Values by name, in the order of their last use. */
  readonly #values = new Map<string, Weighed<T>>();
  /** Name that was used last. Its value, if it still has one, is the last of the map. */
  #latest = '';

  constructor(weightMax: number, weigh: (value: T) => number) {
    this.#weightMax = weightMax;
    this.#weigh = weigh;
  }

  get(name: string): T | undefined {
    const found = this.#values.get(name);
    if (found === undefined) return undefined;
    if (name !== this.#latest) {
      this.#values.delete(name);
      this.#values.set(name, found);
      this.#latest = name;
    }
    return found.value;
  }

  /**
   * Adds or replaces a value; returns the values that were removed for it, which may include the
   * new value.
   */
  put(name: string, value: T): [name: string, value: T][] {
    this.remove(name);
    const weight = this.#weigh(value);
    this.#values.set(name, { value, weight });
    this.#latest = name;
    this.weight += weight;
    const gone: [string, T][] = [];
    for (const [oldName, old] of this.#values) {
      if (this.weight <= this.#weightMax) break;
      this.remove(oldName);
      gone.push([oldName, old.value]);
    }
    return gone;
  }

  remove(name: string): void {
    const found = this.#values.get(name);
    if (found === undefined) return;
    this.#values.delete(name);
    this.weight -= found.weight;
  }

  /** Returns the values, which does not count as a use. */
  all(): T[] {
    return Array.from(this.#values.values(), ({ value }) => value);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  /** Returns names and values, which does not count as a use. */
  entries(): [name: string, value: T][] {
    return Array.from(this.#values, ([name, { value }]) => [name, value]);
  }
}
