// Plants one bug of planted-bugs.ts, named by PLANTED_BUG: node --import ./test/crash/plant.ts.
import { plantedBugs } from './planted-bugs.ts';
import { fail, replaceSource } from './replace-source.ts';

const name = process.env['PLANTED_BUG'];
const bug = plantedBugs.find((candidate) => candidate.name === name);
if (bug === undefined) fail(`there is no planted bug ${name}`);
replaceSource(bug);
