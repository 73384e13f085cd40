// The order of frames. Frames are compared only when they are added; later sorts read their ranks.
import { grown } from '../../model/column.ts';

/** Ranks of all keys that have been requested. */
export class KeyOrder {
  readonly #compare: (a: number, b: number) => number;
  /** Known keys in order. */
  #sorted = new Uint32Array(0);
  #length = 0;
  /** Rank of each key among the known keys, plus 1; 0 = not known. */
  #places = new Uint32Array(0);

  /** Starts without keys. `compare` is negative if key `a` comes first, and must be consistent. */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  /** Returns the rank of each of `keys`, indexed by key; valid until the next call. */
  rank(keys: Uint32Array): Uint32Array {
    let largest = 0;
    for (let i = 0; i < keys.length; i += 1) if (keys[i] > largest) largest = keys[i];
    this.#places = grown(this.#places, largest + 1);
    const places = this.#places;
    const added = new Uint32Array(keys.length);
    let count = 0;
    for (let i = 0; i < keys.length; i += 1) {
      if (places[keys[i]] !== 0) continue;
      places[keys[i]] = 1;
      added[count] = keys[i];
      count += 1;
    }
    if (count > 0) this.#add(added.subarray(0, count).sort(this.#compare));
    return places;
  }

  /** Merges sorted keys with the known keys. */
  #add(added: Uint32Array): void {
    const length = this.#length + added.length;
    this.#sorted = grown(this.#sorted, length);
    const sorted = this.#sorted;
    let known = this.#length - 1;
    let next = added.length - 1;
    // Merges from the end, so that no known key is overwritten before it has moved.
    for (let at = length - 1; next >= 0; at -= 1) {
      const isKnown = known >= 0 && this.#compare(sorted[known], added[next]) > 0;
      sorted[at] = isKnown ? sorted[known] : added[next];
      this.#places[sorted[at]] = at + 1;
      if (isKnown) known -= 1;
      else next -= 1;
    }
    this.#length = length;
  }
}
