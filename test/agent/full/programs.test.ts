// Tests the programs that the short test leaves out.
import { testPrograms } from '../check-programs.ts';

// CPU seconds of each program. Node 20 and 22 start for the first time here: their first samples
// have no unwind tables, which take about 80 ms of CPU time each while nine programs start. Of 2 s
// that would be more than the 1 % that is allowed.
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
