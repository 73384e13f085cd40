// Tests the programs that the short run leaves out.
import { testPrograms } from '../check-programs.ts';

// Nothing has run Node 20 and 22 before, so their first samples wait for tables, of which each
// takes some 80 ms of CPU time while nine programs start. In 2 s that would be more than the
// allowed 1 %.
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
