// Tests the npm package, installed into an empty folder: its commands run with the machine's Node,
// old or new.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { scratchDirectory } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { artefact, run, serverFlags, start, tryServer } from './released.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());
const folder = join(scratch.path, 'project');
mkdirSync(folder);

/** Returns an environment in which `node` is the only program. */
function environment(node: string): NodeJS.ProcessEnv {
  return { PATH: `${dirname(node)}:/usr/bin:/bin`, HOME: scratch.path };
}

test('npm installs it, with the packages and the Node that were tested', () => {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', ['install', ...quiet, artefact(/^parca-ts-[\d.]+\.tgz$/)], { cwd: folder });
  const tree = JSON.parse(run('npm', ['ls', '--all', '--json'], { cwd: folder }));
  assert.deepEqual(tree.problems ?? [], []);
});

for (const [name, node] of [
  ['the pinned Node', process.execPath],
  ['Node 20', testTool('TEST_NODE_20')],
] as const) {
  test(`its commands run under ${name}`, async () => {
    const env = environment(node);
    const bin = (command: string): string => join(folder, 'node_modules/.bin', command);
    const flags = serverFlags(join(scratch.path, name));
    const server = await start(bin('parca-ts'), flags, { cwd: folder, env });
    const parcatool = (args: readonly string[]): string => run(bin('parcatool'), args, { env });
    await tryServer(server, parcatool, scratch.path);
    assert.equal(await server.stop(), 0, server.log());
    assert.match(run(bin('parca'), ['--version'], { env }), /^parca, version /);
  });
}
