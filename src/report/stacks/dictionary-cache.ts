// Keeps the last results for each dictionary, which stay true as the dictionary grows.
import type { Dictionary } from '../../model/dictionary.ts';

/** Keeps `countMax` results for each dictionary, as long as the dictionary lives. */
export class DictionaryCache<T> {
  /** Results by key, the last used one at the end. */
  readonly #kept = new WeakMap<Dictionary, Map<string, T>>();
  readonly #countMax: number;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** Returns the result for `asked`, which is plain data; makes it if none is kept. */
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
