// Tests that the real agent records a command, a shell that starts a program, but not the busy
// program next to it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runParcatool } from '../../support/parcatool.ts';
import { scratchDirectory } from '../../support/server.ts';

const root = join(import.meta.dirname, '../../..');
const scratch = await scratchDirectory();
after(() => scratch.remove());

/** Returns a program whose function with the given name uses CPU time. */
function program(name: string, seconds: number): string {
  return `
function ${name}() {
  let sum = 0;
  for (let i = 0; i < 1e5; i += 1) sum += Math.sqrt(i);
  return sum;
}
while (process.cpuUsage().user < ${seconds * 1e6}) ${name}();
`;
}

test('a command and what it starts are profiled, and nothing else', async () => {
  const bin = join(scratch.path, 'bin');
  await mkdir(bin);
  const agent = join(bin, 'parca-agent');
  const main = join(root, 'cmd/parca-agent/main.ts');
  await writeFile(agent, `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`);
  await chmod(agent, 0o755);
  await writeFile(join(scratch.path, 'own.cjs'), program('ownWork', 3));
  await writeFile(join(scratch.path, 'other.cjs'), program('otherWork', 1e6));
  const other = spawn(process.execPath, [join(scratch.path, 'other.cjs')], { stdio: 'ignore' });
  const ended = once(other, 'exit');
  const path = process.env['PATH'];
  process.env['PATH'] = `${bin}:${path}`;
  try {
    const target = join(scratch.path, 'profiles');
    const flags = ['--with=agent', '--runs=2', '--frequency=199', `--target=${target}`];
    const command = ['sh', '-c', `${process.execPath} ${join(scratch.path, 'own.cjs')}; exit 0`];
    const { code, out, err } = await runParcatool('record', ...flags, '--', ...command);
    assert.equal(code, 0, err);
    assert.equal(out, ['run-1', 'run-2'].map((name) => `${target}/${name}.pb.gz\n`).join(''));
    for (const name of ['run-1', 'run-2']) {
      const top = await runParcatool('top', `${target}/${name}.pb.gz`, '--top=500');
      assert.match(top.out, /ownWork/, err);
      assert.doesNotMatch(top.out, /otherWork/);
    }
  } finally {
    process.env['PATH'] = path;
    other.kill();
    await ended;
  }
});
