// `npm start` and `parca`: installs what a fresh checkout needs, then runs the server.
//
// Under npm, the defaults (parca.yaml, data) are in the checkout, and given paths are relative to
// the folder in which npm was called.
import { resolve } from 'node:path';
import { become } from './become.mjs';
import { ensureInstalled, ensureWeb, failSetup, root } from './setup.mjs';

/** Flags whose value is a path. */
const pathFlag = /^--(config-path|storage-path|[a-z-]+-file)(?:=(.*))?$/s;

let node;
try {
  node = await ensureInstalled({ dev: false });
  await ensureWeb(node);
} catch (error) {
  failSetup(error);
}
const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
let args = process.argv.slice(2);
if (script === 'start') {
  args = withPathsFrom(folder ?? root, args);
  process.chdir(root);
}
// Allows the server to build and install programs. A server that is started in another way, for
// example by a test, does not.
process.env.PARCA_MAY_BUILD = '1';
become(node, 'cmd/parca/main.ts', args);

function withPathsFrom(start, given) {
  return given.map((arg, i) => {
    const [, name, value] = pathFlag.exec(arg) ?? [];
    if (value !== undefined) return `--${name}=${resolve(start, value)}`;
    const isValue = i > 0 && pathFlag.exec(given[i - 1])?.[2] === undefined;
    return isValue && pathFlag.test(given[i - 1]) ? resolve(start, arg) : arg;
  });
}
