// Plants the bug that PLANTED_BUG names, from planted-bugs.ts or ../whole-server/planted-faults.ts.
// Loaded with `node --import ./test/crash/plant.ts`.
import { plantedFaults } from '../whole-server/planted-faults.ts';
import { plantedBugs } from './planted-bugs.ts';
import { fail, replaceSource } from './replace-source.ts';

const name = process.env['PLANTED_BUG'];
const bug = [...plantedBugs, ...plantedFaults].find((candidate) => candidate.name === name);
if (bug === undefined) fail(`there is no planted bug ${name}`);
replaceSource(bug);
