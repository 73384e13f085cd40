// Randomness as a dependency, so that a run can be repeated with the same seed.

/** A source of random numbers. The real one is in base/node/random.ts, the seeded one below. */
export interface Random {
  /** Returns a uniform integer in [0, 2^32). */
  uint32(): number;
}

/**
 * Creates a seeded xorshift128 generator: the same seed gives the same sequence. It is not for
 * secrets.
 */
export function seededRandom(seed: number): Random {
  let a = seed | 0 || 0x9e3779b9;
  let b = a ^ 0x85ebca6b;
  let c = a ^ 0xc2b2ae35;
  let d = a ^ 0x27d4eb2f;
  const next = (): number => {
    let t = a ^ (a << 11);
    a = b;
    b = c;
    c = d;
    t ^= t >>> 8;
    d = d ^ (d >>> 19) ^ t;
    return d >>> 0;
  };
  for (let i = 0; i < 16; i += 1) next();
  return { uint32: next };
}

/** Returns random hexadecimal digits, 8 for each of `words`. */
export function randomHex(random: Random, words: number): string {
  const digits = Array.from({ length: words }, () => random.uint32().toString(16).padStart(8, '0'));
  return digits.join('');
}

/** Returns a uniform integer in [0, bound), for a bound in 1..2^32. */
export function randomBelow(random: Random, bound: number): number {
  return Math.floor((random.uint32() / 0x1_0000_0000) * bound);
}
