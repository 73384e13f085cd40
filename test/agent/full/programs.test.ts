// Tests the programs that the short test leaves out.
import { testPrograms } from '../check-programs.ts';

// CPU seconds of each program. Node 20 and 22 have not run before, so their first samples wait for
// unwind tables, each of which takes about 80 ms of CPU time while nine programs start. In 2 s that
// would exceed the allowed 1 %.
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
