// Hashes of strings with a secret seed. A hash has 52 bits, which fit into the fraction of a
// double.
import { mixHash } from '../../model/hash-index.ts';

/** Computes the hash of a sequence of strings. */
export class TextHash {
  readonly #seeds: readonly [number, number];
  #high = 0;
  #low = 0;

  constructor(seeds: readonly [number, number]) {
    this.#seeds = seeds;
  }

  begin(): this {
    [this.#high, this.#low] = this.#seeds;
    return this;
  }

  /** Adds a string and its length. The length makes "ab", "c" differ from "a", "bc". */
  add(text: string): this {
    let high = mixHash(this.#high, text.length);
    let low = mixHash(this.#low, text.length);
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      high = mixHash(high, unit);
      low = Math.imul(low ^ unit, 0x0100_0193) ^ (low >>> 15);
    }
    this.#high = high;
    this.#low = low;
    return this;
  }

  get value(): number {
    return (this.#high >>> 12) * 0x1_0000_0000 + (mixHash(this.#low, this.#high) >>> 0);
  }
}
