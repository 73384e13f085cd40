// Flips bits of small stores that are 1 MiB together, each alone: prints counts as JSON.
//
// Use: node test/crash/flip-bits.ts <every k-th bit> <from> [<bits at most>]
import { makeBlockStore, makeLogStore } from './flip-stores.ts';
import { createFlipTarget, flipBit, type FlipTarget } from './flip-target.ts';

const bytesMin = 2 ** 20;
/** They take turns. */
const makeStores = [makeBlockStore, makeLogStore];
const [every, from, bitsMax = Infinity] = process.argv.slice(2).map(Number);
const counts = { bytes: 0, flips: 0, detected: 0, harmless: 0, violations: 0 };

for (let seed = 1, bits = 0; counts.bytes < bytesMin && counts.flips < bitsMax; seed += 1) {
  const target = await createFlipTarget(await makeStores[seed % makeStores.length](seed));
  for (let bit = 0; bit < target.bytes * 8; bit += 1) {
    bits += 1;
    if (bits % every === from % every) await attempt(target, seed, bit);
  }
  counts.bytes += target.bytes;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.violations === 0 ? 0 : 1;

async function attempt(target: FlipTarget, seed: number, bit: number): Promise<void> {
  counts.flips += 1;
  try {
    counts[await flipBit(target, bit)] += 1;
  } catch (error) {
    counts.violations += 1;
    if (counts.violations > 20) return;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.stack : '';
    process.stderr.write(
      `store ${seed}: ${error instanceof Error ? error.message : ''} ${cause}\n`,
    );
  }
}
