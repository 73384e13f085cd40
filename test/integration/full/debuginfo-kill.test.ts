// Tests uploads of debug information to a server that is killed during uploads.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../../src/base/random.ts';
import { rounds, testSeed } from '../../../src/base/testing/rounds.ts';
import { makeElf, makeNote } from '../../../src/symbolize/testing/make-elf.ts';
import {
  beginUpload,
  finishUpload,
  sendUpload,
  shouldUpload,
} from '../../support/debuginfo-client.ts';
import { connect } from '../../support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const buildId = 'cd'.repeat(20);
const note = makeNote('GNU', 3, new Uint8Array(20).fill(0xcd));

/** Makes a file of 4 MB; each round replaces it with a different file. */
function makeFile(round: number): Uint8Array {
  const content = new Uint8Array(4_000_000).fill(round);
  return makeElf([
    { name: '.note.gnu.build-id', type: 7, content: note },
    { name: '.debug_info', type: 1, content },
  ]);
}

/** Uploads a file; `onStep` is called before each of the three calls, and after the last. */
async function upload(
  server: TestServer,
  round: number,
  onStep: (step: number) => void,
): Promise<void> {
  const client = connect(server.address);
  try {
    const content = makeFile(round);
    onStep(0);
    const offer = { buildId, hash: `round ${round}`, force: true };
    const ticket = { buildId, uploadId: await beginUpload(client, offer, content.length) };
    onStep(1);
    await sendUpload(client, ticket, content);
    onStep(2);
    await finishUpload(client, ticket);
    onStep(3);
  } finally {
    client.close();
  }
}

test('a kill at any point of an upload leaves the file before it or the new one, whole', async () => {
  const scratch = await scratchDirectory();
  after(() => scratch.remove());
  const storagePath = join(scratch.path, 'data');
  const folder = join(storagePath, 'debuginfo');
  const seed = testSeed();
  const random = seededRandom(seed);
  /** Rounds of the last acknowledged upload and of the last upload that was started. */
  let [acknowledged, begun] = [0, 0];
  const steps: string[] = [];
  for (let round = 1; round <= rounds(4, 60) + 1; round += 1) {
    const server = await startServer({ storagePath });
    after(() => server.kill());
    const where = `TEST_SEED=${seed}, after ${steps.join(', ')}`;
    // The leftovers of the kill have been removed, and the remaining files are complete.
    const names = readdirSync(folder);
    assert.ok(names.length === 0 || names.length === 2, `${names.join()} ${where}`);
    const name = names.find((one) => /\.debuginfo\.\d+$/.test(one));
    assert.ok(name !== undefined || acknowledged === 0, where);
    if (name !== undefined) {
      const content = new Uint8Array(readFileSync(join(folder, name)));
      const found = [acknowledged, begun].find(
        (one) => one > 0 && Buffer.compare(content, makeFile(one)) === 0,
      );
      assert.ok(found !== undefined, where);
      acknowledged = found;
    }
    const client = connect(server.address);
    const isWanted = await shouldUpload(client, { buildId, hash: 'another' });
    assert.equal(isWanted, acknowledged === 0, where);
    client.close();
    // The server is killed in each step in turn, at a random moment.
    const killedStep = round % 4;
    const waitMillis = killedStep === 3 ? 0 : random.uint32() % 60;
    begun = round;
    const isKilled = new Promise<void>((resolve) => {
      upload(server, round, (step) => {
        if (step === 3) acknowledged = round;
        if (step === killedStep)
          void delay(waitMillis)
            .then(() => server.kill())
            .then(resolve);
      }).catch(() => undefined);
    });
    await isKilled;
    steps.push(`step ${killedStep} for ${waitMillis} ms`);
  }
  assert.ok(acknowledged > 0, 'an upload was acknowledged');
});
