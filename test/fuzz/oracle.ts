// Compares answers from random stores with a naive evaluation. Prints counts as JSON, or how to
// repeat a disagreement.
//
// Use: node test/fuzz/oracle.ts <first seed> <seeds> <queries per seed> [disagreements to show]
import { compareWithOracle, type FoundCounts } from '../../src/query/testing/oracle/compare.ts';

const [first, seeds, questions, shownMax = 1] = process.argv.slice(2).map(Number);
const found: FoundCounts = {};
let failures = 0;
for (let seed = first; seed < first + seeds && failures < shownMax; seed += 1) {
  try {
    await compareWithOracle(seed, questions, found);
  } catch (error) {
    failures += 1;
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.stderr.write(`repeat it: node test/fuzz/oracle.ts ${seed} 1 ${questions}\n`);
  }
}
process.stdout.write(`${JSON.stringify({ questions: seeds * questions, ...found })}\n`);
process.exitCode = failures === 0 ? 0 : 1;
