// kill -9 at random moments while several writers commit: nothing acknowledged is lost or doubled.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Oracle, type KnownProfile } from '../../src/storage/fake/oracle.ts';
import { WriterProcess } from './writer-process.ts';

const kills = 25;
const writeMillisMax = 40;

test(`${kills} kills lose nothing that was acknowledged`, async (t) => {
  const scratch = fs.mkdtempSync(join(os.tmpdir(), 'kill-storage-'));
  const oracle = new Oracle<KnownProfile>(false);
  let acknowledged = 0;
  try {
    for (let seed = 1; seed <= kills; seed += 1) {
      const writer = new WriterProcess(join(scratch, 'data'), join(scratch, 'report'), seed);
      try {
        await writer.untilAcknowledged();
        await sleep(Math.random() * writeMillisMax);
      } finally {
        await writer.kill();
      }
      acknowledged += writer.check(oracle);
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  t.diagnostic(`${acknowledged} profiles`);
  assert.ok(acknowledged > kills);
});
