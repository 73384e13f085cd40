// Tests that source maps and archives are read in turns, so that no caller waits for all files of
// another caller.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { createFakeClock } from '../base/fake/clock.ts';
import { MemoryFiles } from '../base/fake/memory-files.ts';
import { debuginfoReadsWaitingMax } from './limits.ts';
import { silentLogger } from '../base/logger.ts';
import { noMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { DebuginfoStore } from './debuginfo-store.ts';
import { Uploads } from './uploads.ts';

const { signal } = new AbortController();

test('source maps are read by turns, and the caller with most is refused', async () => {
  const clock = createFakeClock(1_000);
  const files = new MemoryFiles(seededRandom(1));
  const machine = { files, clock, logger: silentLogger, metrics: noMetrics };
  const store = await DebuginfoStore.open({
    ...machine,
    path: '/data/debuginfo',
    random: seededRandom(1),
    digest: (text) => hash('sha256', text),
    fileBytesMax: 10_000,
    limits: { bytesMax: 0, ageMillisMax: 0 },
  });
  const order: string[] = [];
  const uploads = new Uploads({
    ...machine,
    store,
    isElsewhere: async () => false,
    bytesMax: 10_000,
    millisMax: 60_000,
    checkSourceMap: async (path) => {
      await new Promise<void>((resolve) => void clock.setTimer(1_000, resolve));
      order.push(Buffer.from(files.peek(path) ?? []).toString());
    },
  });
  const send = async (caller: string, name: string): Promise<string> => {
    const bytes = Buffer.from(name);
    const buildId = Buffer.from(name.padEnd(20, '.')).toString('hex');
    const offer = { buildId, type: 'source-map', hash: name, force: true } as const;
    const asked = { ...offer, buildIdType: 'unknown' } as const;
    const ticket = { ...offer, uploadId: await uploads.begin(asked, bytes.length) };
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield bytes;
    }
    return uploads.receive(ticket, chunks(), signal, caller).then(
      () => 'taken',
      (error: unknown) => String(error),
    );
  };
  const hostile: Promise<string>[] = [];
  for (let i = 0; i < debuginfoReadsWaitingMax + 1; i += 1) {
    hostile.push(send('a', `a${String(i).padStart(2, '0')}`));
    await clock.advance(0);
  }
  const other = send('b', 'b');
  await clock.advance(0);
  assert.match(await hostile[debuginfoReadsWaitingMax], /cannot take upload: 16 others wait/);
  await clock.advance(2_000);
  assert.equal(await other, 'taken');
  assert.deepEqual(order.slice(0, 2), ['a00', 'b']);
  await clock.advance(20_000);
  assert.equal(order.length, debuginfoReadsWaitingMax + 1);
});
