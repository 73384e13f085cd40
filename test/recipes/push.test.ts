// Runs the Go lines of docs/push.md as a program; test/integration/docs.test.ts runs its other
// commands.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { runParcatool } from '../support/parcatool.ts';
import { scratchDirectory, startServer } from '../support/server.ts';
import { testTool } from '../support/tools.ts';
import { blockBelow } from './page.ts';

const run = promisify(execFile);

const scratch = await scratchDirectory();
after(() => scratch.remove());

test('push.md: a Go program pushes the profile of its work', async () => {
  const server = await startServer({ storagePath: join(scratch.path, 'data') });
  try {
    const folder = join(scratch.path, 'go');
    await mkdir(folder);
    await cp(new URL('programs/go/load.go', import.meta.url), join(folder, 'load.go'));
    const lines = blockBelow('## Go, without a port', 'go', 'push.md')
      .replaceAll('http://localhost:7070', server.url)
      .replace('work()', 'for range 60 { hot(4_500_000) }');
    const imports = ['bytes', 'net/http', 'runtime/pprof'].map((name) => `"${name}"`).join('; ');
    const main = `package main\n\nimport (${imports})\n\nfunc main() {\n${lines}}\n`;
    await writeFile(join(folder, 'main.go'), main);
    await writeFile(join(folder, 'go.mod'), 'module batch\n\ngo 1.22\n');
    const env = { ...process.env, GOFLAGS: '', GOTOOLCHAIN: 'local' };
    await run(testTool('TEST_NEW_GO'), ['run', '.'], { cwd: folder, env });
    const flags = [`--server=${server.url}`, '-o=json'];
    const { out, err } = await runParcatool('top', 'process_cpu:cpu{job="batch"}', ...flags);
    assert.equal(err, '');
    const { functions } = JSON.parse(out) as { functions: { name: string }[] };
    assert.equal(functions[0]?.name, 'main.hot');
  } finally {
    await server.stop();
  }
});
