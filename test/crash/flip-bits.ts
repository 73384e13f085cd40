// Flips single bits of small stores until a flip breaks a rule; prints counts as JSON.
//
// Use: node test/crash/flip-bits.ts <first store> <bytes at least> <every k-th bit> [<most flips>]
import { makeFlipStores } from './flip-stores.ts';
import { createFlipTarget, flipBit, type FlipTarget } from './flip-target.ts';

const [first, bytesMin, every, flipsMax = Infinity] = process.argv.slice(2).map(Number);
const counts = { bytes: 0, flips: 0, detected: 0, harmless: 0, violations: 0 };

const isOver = (): boolean => counts.flips >= flipsMax || counts.violations > 0;

for (let seed = first; counts.bytes < bytesMin && !isOver(); seed += 1) {
  for (const files of await makeFlipStores(seed)) {
    const target = await createFlipTarget(files);
    // Starts at a different bit in each store.
    for (let bit = counts.bytes % every; bit < target.bytes * 8 && !isOver(); bit += every) {
      await attempt(target, seed, bit);
    }
    counts.bytes += target.bytes;
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.violations === 0 ? 0 : 1;

/**
 * Flips one bit without capturing call stacks of errors, so that it takes a tenth of the time. A
 * failing flip is repeated with call stacks.
 */
async function attempt(target: FlipTarget, seed: number, bit: number): Promise<void> {
  counts.flips += 1;
  try {
    Error.stackTraceLimit = 0;
    counts[await flipBit(target, bit)] += 1;
  } catch (found) {
    counts.violations += 1;
    Error.stackTraceLimit = 20;
    const error = await flipBit(target, bit).then(
      () => found,
      (again: unknown) => again,
    );
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.stack : '';
    process.stderr.write(
      `store ${seed}: ${error instanceof Error ? error.message : ''} ${cause}\n`,
    );
  }
}
