// Tests half of the programs; the others are in full/.
import { testPrograms } from './check-programs.ts';

testPrograms(['qsort', 'cc', 'go', 'node', 'names in node', 'python', 'deep', 'late', 'forks']);
