// `npm run parcatool` and `parcatool`: installs what a fresh checkout needs, then runs the program.
import { realpathSync } from 'node:fs';
import { become } from './become.mjs';
import { ensureInstalled, failSetup } from './setup.mjs';

const node = await ensureInstalled({ dev: false }).catch(failSetup);
// Under npm, this is the right Node already.
if (realpathSync(node) === realpathSync(process.execPath)) {
  await import('../cmd/parcatool/main.ts');
} else {
  become(node, 'cmd/parcatool/main.ts', process.argv.slice(2));
}
