import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { BackgroundProgram } from './background-program.ts';

test('a program is stopped with what it has started', async () => {
  const program = new BackgroundProgram('sh', ['-c', 'sleep 60 & wait'], () => undefined);
  await program.stop();
  assert.equal((await program.ended).isDone, false);
});

test('a program can be stopped when it has ended, and its output is still open', async () => {
  let pid = '';
  // The second process has its own process group, and inherits standard error from the first
  // process.
  const script = 'setsid sleep 0.5 & echo $$ >&2';
  const program = new BackgroundProgram('sh', ['-c', script], (all) => void (pid = all.trim()));
  while (pid === '' || isThere(Number(pid))) await sleep(5);
  await program.stop();
  assert.deepEqual(await program.ended, { isDone: true, output: `${pid}\n` });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
