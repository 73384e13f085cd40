// Tests the programs that the short test leaves out.
import { testPrograms } from '../check-programs.ts';

// CPU seconds of each program. Node 20 and 22 start for the first time here, so their first samples
// have no unwind tables: while nine programs start, a table takes about 80 ms of CPU time. That is
// more than the allowed 1 % of 2 s.
const cpuSeconds = 6;

testPrograms(
  [
    'rust',
    'node with a map',
    'names in node 20',
    'names in node 22',
    'threads',
    'signals',
    'deleted',
    'static',
  ],
  cpuSeconds,
);
