// Runs the simulation of the store for several seeds. Prints counts as JSON, or how to repeat a
// failure.
//
// Use: node test/crash/simulate.ts <first seed> <seeds> <cycles per seed> [most violations to show]
import { noSimulationCounts, simulate } from '../../src/storage/fake/simulation.ts';

const [first, seeds, cycles, violationsMax = 1] = process.argv.slice(2).map(Number);
const counts = noSimulationCounts();
let violations = 0;
for (let seed = first; seed < first + seeds && violations < violationsMax; seed += 1) {
  await simulate(seed, cycles, counts).catch((error: unknown) => {
    violations += 1;
    const cause = error instanceof Error ? error.cause : undefined;
    const place = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${place}: ${cause instanceof Error ? (cause.stack ?? '') : ''}\n`);
    process.stderr.write(`repeat it: node test/crash/simulate.ts ${seed} 1 ${cycles}\n`);
  });
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = violations === 0 ? 0 : 1;
