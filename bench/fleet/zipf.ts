// Draws ranks with Zipf weights in constant time, using an alias table.
import { type Random, randomBelow } from '../../src/base/random.ts';

/**
 * Returns a function that draws numbers from 0..count-1; rank r has the weight 1 / (r +
 * 1)^exponent.
 */
export function zipfSampler(random: Random, count: number, exponent: number): () => number {
  const weights = Float64Array.from({ length: count }, (_, i) => (i + 1) ** -exponent);
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / count;
  const share = weights.map((weight) => weight / mean);
  const alias = new Int32Array(count);
  const small: number[] = [];
  const large: number[] = [];
  share.forEach((value, i) => (value < 1 ? small : large).push(i));
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop() ?? 0;
    const rich = large[large.length - 1];
    alias[poor] = rich;
    share[rich] -= 1 - share[poor];
    if (share[rich] < 1) {
      large.pop();
      small.push(rich);
    }
  }
  for (const i of [...small, ...large]) share[i] = 1;
  return () => {
    const i = randomBelow(random, count);
    return random.uint32() / 2 ** 32 < share[i] ? i : alias[i];
  };
}
