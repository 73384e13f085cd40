// Randomness from the operating system.
import { randomFillSync } from 'node:crypto';
import type { Random } from '../random.ts';

/** Creates a source of unpredictable numbers, which makes one system call for every 256 numbers. */
export function createRandom(): Random {
  const pool = new Uint32Array(256);
  let used = pool.length;
  return {
    uint32(): number {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const value = pool[used] ?? 0;
      used += 1;
      return value;
    },
  };
}
