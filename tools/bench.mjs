// `npm run bench [filter]`: runs the benchmarks whose paths contain the filter, one after another.
import { filesUnder, runEach } from './run-each.mjs';

const filter = process.argv[2] ?? '';
const files = filesUnder('bench').filter((path) => path.endsWith('.bench.ts'));
await runEach(
  files.filter((path) => path.includes(filter)),
  ['--expose-gc'],
);
