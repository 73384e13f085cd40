// What was made for the last questions about each dictionary, and stays true as it grows.
import type { Dictionary } from '../../model/dictionary.ts';

/** Keeps `countMax` of them a dictionary, and goes with it. */
export class DictionaryCache<T> {
  /** By what was asked for; the last one at the end. */
  readonly #kept = new WeakMap<Dictionary, Map<string, T>>();
  readonly #countMax: number;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** What was made for an equal `asked`, which is plain data, or is made now. */
  of(dictionary: Dictionary, asked: unknown, make: () => T): T {
    const key = JSON.stringify(asked, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const all = this.#kept.get(dictionary) ?? new Map<string, T>();
    this.#kept.set(dictionary, all);
    const one = all.get(key) ?? make();
    all.delete(key);
    all.set(key, one);
    const [oldest] = all.keys();
    if (all.size > this.#countMax) all.delete(oldest);
    return one;
  }
}
