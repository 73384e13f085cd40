// Tests of the lock: only one process holds it, and it is taken over from a process that has ended.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { withLock } from './lock.mjs';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'parca-lock-'));
const lock = join(folder, 'setup.lock');
const lockModule = new URL('lock.mjs', import.meta.url).href;

after(() => rmSync(folder, { recursive: true, force: true }));

test('the lock names its owner while work is done, and is gone afterwards', async () => {
  const owner = await withLock(lock, async () => readFileSync(lock, 'utf8'));
  assert.equal(owner, `${process.pid}\n`);
  await assert.rejects(
    withLock(lock, () => Promise.reject(new Error('work failed'))),
    /failed/,
  );
  assert.equal(existsSync(lock), false);
});

test('a lock whose process is gone is taken over', async () => {
  const { stdout } = await run(process.execPath, ['-p', 'process.pid']);
  writeFileSync(lock, stdout);
  assert.equal(await withLock(lock, async () => 'done'), 'done');
});

test('processes take turns', async () => {
  const log = join(folder, 'log');
  const source = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as delay } from 'node:timers/promises';
    import { withLock } from ${JSON.stringify(lockModule)};
    await withLock(${JSON.stringify(lock)}, async () => {
      appendFileSync(${JSON.stringify(log)}, 'in ');
      await delay(20);
      appendFileSync(${JSON.stringify(log)}, 'out ');
    });`;
  const args = ['--input-type=module', '--eval', source];
  await Promise.all([1, 2, 3].map(() => run(process.execPath, args)));
  assert.equal(readFileSync(log, 'utf8'), 'in out '.repeat(3));
});
