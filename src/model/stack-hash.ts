// The 64-bit hash that identifies a stack: two seeded 32-bit hashes (lanes) of its locations, leaf
// first.
import { mixHash } from './hash-index.ts';

/**
 * Mixes locations with the seeds once per profile, rather than once per frame.
 *
 * Shape: `low` and `high` get an element for each of `locations[0..count)`.
 */
export function premixLocations(
  locations: Int32Array,
  count: number,
  seedLow: number,
  seedHigh: number,
  low: Int32Array,
  high: Int32Array,
): void {
  for (let i = 0; i < count; i += 1) {
    low[i] = mixHash(locations[i], seedLow);
    high[i] = mixHash(locations[i], seedHigh);
  }
}

/**
 * Hashes every stack of a profile.
 *
 * Shape: stack i is `frames[starts[i] .. starts[i + 1])`, leaf first; each frame is an index of the
 * premixed lanes. `hashLow` and `hashHigh` get `count` elements. Stored hashes depend on every
 * constant here: changing a constant changes the stored format.
 */
export function hashStacks(
  frames: Int32Array,
  starts: Uint32Array,
  count: number,
  low: Int32Array,
  high: Int32Array,
  hashLow: Int32Array,
  hashHigh: Int32Array,
): void {
  for (let stack = 0; stack < count; stack += 1) {
    const end = starts[stack + 1];
    let a = 0x3c6ef372;
    let b = 0x1f83d9ab;
    for (let i = starts[stack]; i < end; i += 1) {
      const frame = frames[i];
      // The hash is not linear, so that swapped frames do not cancel out. The lanes have different
      // constants.
      a = Math.imul(a ^ low[frame], 0x9e3779b1);
      b = Math.imul(b ^ high[frame], 0x85ebca77);
      a ^= a >>> 15;
      b ^= b >>> 13;
    }
    hashLow[stack] = mixHash(a, end - starts[stack]);
    hashHigh[stack] = mixHash(b, a);
  }
}

/** Hashes single stacks like `hashStacks`, in memory that it reuses. */
export class StackHasher {
  /** Hash of the last stack. */
  readonly low = new Int32Array(1);
  readonly high = new Int32Array(1);
  readonly #starts = new Uint32Array(2);
  #frames = new Int32Array(0);
  #premixLow = new Int32Array(0);
  #premixHigh = new Int32Array(0);

  /** Hashes the stack `locations[0..depth)`, leaf first. */
  hash(locations: Int32Array, depth: number, seedLow: number, seedHigh: number): void {
    if (this.#frames.length < depth) {
      this.#frames = Int32Array.from({ length: depth * 2 }, (_, i) => i);
      this.#premixLow = new Int32Array(depth * 2);
      this.#premixHigh = new Int32Array(depth * 2);
    }
    const { low, high } = this;
    const frames = this.#frames;
    const starts = this.#starts;
    const premixLow = this.#premixLow;
    const premixHigh = this.#premixHigh;
    starts[1] = depth;
    premixLocations(locations, depth, seedLow, seedHigh, premixLow, premixHigh);
    hashStacks(frames, starts, 1, premixLow, premixHigh, low, high);
  }
}
