// `npm run agent` and `parca-agent`: installs what a fresh checkout needs, then runs the agent in
// this process.
import { become } from './become.mjs';
import { ensureNative } from './build-native.mjs';
import { ensureInstalled, failSetup } from './setup.mjs';

const args = process.argv.slice(2);
/** True if the flags only print something. */
const isQuestion = args.includes('--help') || args.includes('--version');

let node;
try {
  node = await ensureInstalled({ dev: false });
  if (!isQuestion) await ensureNative();
} catch (error) {
  failSetup(error);
}
become(node, 'cmd/parca-agent/main.ts', args);
