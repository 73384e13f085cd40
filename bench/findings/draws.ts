// Random numbers with the distributions that simulated services need.
import { type Random, randomBelow } from '../../src/base/random.ts';

/** Draws numbers from a seeded source. */
export class Draws {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns a number greater than 0 and up to 1. */
  unit(): number {
    return (this.#random.uint32() + 1) / 2 ** 32;
  }

  uniform(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  logUniform(low: number, high: number): number {
    return low * (high / low) ** this.unit();
  }

  below(count: number): number {
    return randomBelow(this.#random, count);
  }

  isTrue(probability: number): boolean {
    return this.unit() <= probability;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }

  poisson(mean: number): number {
    if (mean > 200) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.unit(); product > limit; product *= this.unit()) count += 1;
    return count;
  }
}
