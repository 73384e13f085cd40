// Makes a profile with many functions and call nodes, which is the same in every run.
import { randomBelow, seededRandom } from '../../../src/base/random.ts';
import { cpuProfile, gzippedPprof } from './pprof-builder.ts';

/** Maximum number of stacks whose start later stacks may share. */
const branchesMax = 20_000;

/**
 * Makes CPU samples of `functionCount` functions in about `nodeCount` call nodes, as gzipped pprof.
 * Each stack starts like an earlier one, and continues with 3 to 22 other functions.
 */
export function wideProfile(timeNanos: bigint, functionCount: number, nodeCount: number): Buffer {
  const random = seededRandom(17);
  const below = (bound: number): number => randomBelow(random, bound);
  const names = Array.from({ length: functionCount }, (_, i) => {
    return `shop/pkg${i % 200}.(*Cart).Method${String(i).padStart(5, '0')}`;
  });
  const branches: number[][] = [[0]];
  const samples: [string, bigint][] = [];
  for (let nodes = 1; nodes < nodeCount;) {
    const before = branches[below(branches.length)];
    const kept = 1 + below(before.length);
    const own = 3 + below(20);
    const stack = before.slice(0, kept);
    for (let i = 0; i < own; i++) stack.push(below(functionCount));
    // Two stacks with the same start hardly ever continue with the same function.
    nodes += own;
    branches[branches.length < branchesMax ? branches.length : below(branchesMax)] = stack;
    samples.push([stack.map((i) => names[i]).join(';'), BigInt(1 + below(50))]);
  }
  return gzippedPprof(cpuProfile({ timeNanos, samples }));
}
