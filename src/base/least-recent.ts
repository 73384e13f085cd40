// A map with a limit on the weight of its values: the least recently used value goes first.

/** Values by name. Getting a value counts as using it. */
export class LeastRecent<T> {
  /** Weight of all values. */
  weight = 0;
  readonly #weightMax: number;
  readonly #weigh: (value: T) => number;
  /** Values by name, in the order of their last use. */
  readonly #values = new Map<string, T>();

  constructor(weightMax: number, weigh: (value: T) => number) {
    this.#weightMax = weightMax;
    this.#weigh = weigh;
  }

  get(name: string): T | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    this.#values.delete(name);
    this.#values.set(name, value);
    return value;
  }

  /** Adds or replaces a value; returns the values that are removed for it, maybe itself among them. */
  put(name: string, value: T): [name: string, value: T][] {
    this.remove(name);
    this.#values.set(name, value);
    this.weight += this.#weigh(value);
    const gone: [string, T][] = [];
    for (const [oldName, old] of this.#values) {
      if (this.weight <= this.#weightMax) break;
      this.remove(oldName);
      gone.push([oldName, old]);
    }
    return gone;
  }

  remove(name: string): void {
    const value = this.#values.get(name);
    if (value === undefined) return;
    this.#values.delete(name);
    this.weight -= this.#weigh(value);
  }

  /** Without counting as a use. */
  all(): T[] {
    return [...this.#values.values()];
  }

  names(): string[] {
    return [...this.#values.keys()];
  }
}
