// kill -9 at random moments while several writers commit: nothing acknowledged is lost or doubled.
// 1,000 times with TEST_FULL=1.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProfiles } from '../../src/storage/fake/workload.ts';
import { openDiskStorage } from '../support/disk-storage.ts';

const kills = process.env['TEST_FULL'] === '1' ? 1_000 : 20;
const writers = 4;
const program = new URL('../crash/storage-writer.ts', import.meta.url).pathname;

test(`${kills} kills lose nothing that was acknowledged`, async (t) => {
  const path = fs.mkdtempSync(join(os.tmpdir(), 'kill-storage-'));
  const acknowledged = new Map<string, string>();
  try {
    for (let life = 1; life <= kills; life += 1) {
      await liveAndDie(path, life, acknowledged);
      await check(path, acknowledged, life);
    }
    t.diagnostic(`${acknowledged.size} profiles`);
    assert.ok(acknowledged.size > kills);
  } finally {
    fs.rmSync(path, { recursive: true, force: true });
  }
});

/** Runs the writer, kills it at a random moment after its first acknowledgement. */
async function liveAndDie(
  path: string,
  life: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  const child = spawn(process.execPath, [program, path, `${life}`, `${writers}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const drained = once(lines, 'close');
  const first = once(lines, 'line');
  lines.on('line', (line) => {
    const parsed: unknown = JSON.parse(line);
    if (!Array.isArray(parsed)) throw new Error(`not an acknowledgement: ${line}`);
    acknowledged.set(String(parsed[0]), String(parsed[1]));
  });
  await Promise.race([first, exited]);
  await sleep(Math.random() * 40);
  child.kill('SIGKILL');
  const [, signal] = await exited;
  assert.equal(signal, 'SIGKILL', 'the writer died of the kill, not of itself');
  await drained;
}

async function check(path: string, acknowledged: Map<string, string>, life: number): Promise<void> {
  const storage = await openDiskStorage(path);
  const seen = new Set<string>();
  for (const { id, content } of await readProfiles(storage)) {
    assert.ok(!seen.has(id), `life ${life}: ${id} is there twice`);
    seen.add(id);
    const want = acknowledged.get(id);
    if (want === undefined) acknowledged.set(id, content);
    else assert.equal(content, want, `life ${life}: ${id}`);
  }
  for (const id of acknowledged.keys()) assert.ok(seen.has(id), `life ${life}: ${id} is lost`);
  // An orderly end now and then; otherwise the next writer finds the log as the kill left it.
  if (life % 5 === 0) await storage.close();
  else fs.cpSync(path, `${path}.kept`, { recursive: true });
  await storage.close();
  if (life % 5 !== 0) {
    fs.rmSync(path, { recursive: true });
    fs.renameSync(`${path}.kept`, path);
  }
}
