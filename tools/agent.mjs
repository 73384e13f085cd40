// `npm run agent` and `parca-agent`: gets what a fresh checkout lacks, then becomes the agent.
import { become } from './become.mjs';
import { ensureInstalled, failSetup } from './setup.mjs';

let node;
try {
  node = await ensureInstalled({ dev: false });
} catch (error) {
  failSetup(error);
}
become(node, 'cmd/parca-agent/main.ts', process.argv.slice(2));
