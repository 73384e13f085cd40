// Plants one bug of planted-bugs.ts while modules are loaded: node --import ./test/crash/plant.ts.
//
// The name of the bug is in PLANTED_BUG. Its text must be found exactly once in the file, and the
// file must be loaded: else the process ends with code 70, so that no plant is missed silently.
import { registerHooks } from 'node:module';
import { plantedBugs } from './planted-bugs.ts';

const name = process.env['PLANTED_BUG'];
const bug = plantedBugs.find((candidate) => candidate.name === name);
if (bug === undefined) fail(`there is no planted bug ${name}`);
const url = new URL(`../../${bug.file}`, import.meta.url).href;
let isPlanted = false;

registerHooks({
  load(loaded, context, nextLoad) {
    const result = nextLoad(loaded, context);
    if (loaded !== url) return result;
    const text = String(result.source);
    if (text.split(bug.find).length !== 2) {
      fail(`${bug.name}: its text is not in ${bug.file} exactly once`);
    }
    isPlanted = true;
    return { ...result, source: text.replace(bug.find, () => bug.replace) };
  },
});
process.once('exit', () => {
  if (!isPlanted) fail(`${bug.name}: ${bug.file} was not loaded`);
});

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(70);
}
