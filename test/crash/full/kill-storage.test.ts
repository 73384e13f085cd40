// Tests kill -9 at random moments while several writers commit: no acknowledged profile is lost or
// stored twice.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRandom } from '../../../src/base/node/random.ts';
import { Oracle, type KnownProfile } from '../../../src/storage/fake/oracle.ts';
import { noWriterCounts, WriterProcess } from '../writer-process.ts';

const kills = 25;

test(`${kills} kills lose nothing that was acknowledged`, async (t) => {
  const scratch = fs.mkdtempSync(join(os.tmpdir(), 'kill-storage-'));
  const oracle = new Oracle<KnownProfile>(false);
  const random = createRandom();
  const counts = noWriterCounts();
  try {
    for (let seed = 1; seed <= kills; seed += 1) {
      const writer = new WriterProcess(join(scratch, 'data'), join(scratch, 'report'), seed);
      try {
        await writer.untilRandomMoment(random);
      } finally {
        await writer.kill();
      }
      writer.check(oracle, counts);
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.acknowledged > kills);
  assert.ok(counts.compacted > 0 && counts.deleted > 0);
});
