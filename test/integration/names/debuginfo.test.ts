// Tests debug information that is uploaded over the network, as by Parca's agents, to a server that
// is restarted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ServiceError, status } from '@grpc/grpc-js';
import { makeElf, makeNote } from '../../../src/symbolize/testing/make-elf.ts';
import {
  beginUpload,
  finishUpload,
  type Offer,
  sendUpload,
  shouldUpload,
} from '../../support/debuginfo-client.ts';
import { connect } from '../../support/grpc-client.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const buildId = '0102030405060708090a0b0c0d0e0f1011121314';
const note = makeNote(
  'GNU',
  3,
  Uint8Array.from({ length: 20 }, (_, i) => i + 1),
);

const scratch = await scratchDirectory();
after(() => scratch.remove());
const storagePath = join(scratch.path, 'data');

/** An executable larger than a chunk. */
const executable = makeElf([
  { name: '.note.gnu.build-id', type: 7, content: note },
  { name: '.debug_info', type: 1, content: new Uint8Array(20_000_000).fill(7) },
]);

const makeOffer = (hash: string): Offer => ({ buildId, hash });
const makeTicket = (uploadId: string): { buildId: string; uploadId: string } => ({
  buildId,
  uploadId,
});

const fails =
  (code: number, details: RegExp) =>
  (error: ServiceError): boolean => {
    assert.equal(error.code, code, error.message);
    assert.match(error.details, details);
    return true;
  };

test('an executable is uploaded in chunks, and is there after a kill', async () => {
  const first = await startServer({ storagePath });
  after(() => first.kill());
  const client = connect(first.address);
  assert.equal(await shouldUpload(client, makeOffer('h1')), true);
  const uploadId = await beginUpload(client, makeOffer('h1'), executable.length);
  assert.equal(await shouldUpload(client, makeOffer('h1')), false);
  assert.equal(await sendUpload(client, makeTicket(uploadId), executable), executable.length);
  await finishUpload(client, makeTicket(uploadId));
  assert.equal(await shouldUpload(client, makeOffer('h1')), false);
  client.close();
  await first.kill();

  const second = await startServer({ storagePath });
  after(() => second.stop());
  const later = connect(second.address);
  assert.equal(await shouldUpload(later, makeOffer('h1')), false);
  assert.equal(await shouldUpload(later, makeOffer('h2')), false);
  later.close();
  await second.stop();
});

test('wrong uploads are refused with the codes that clients know, here and as JSON', async () => {
  const server = await startServer({ storagePath: join(scratch.path, 'other') });
  after(() => server.stop());
  const client = connect(server.address);
  await assert.rejects(
    sendUpload(client, makeTicket('none'), executable),
    fails(status.FAILED_PRECONDITION, /it was not begun/),
  );
  await assert.rejects(
    beginUpload(client, makeOffer('h1'), 2_000_000_000),
    fails(status.INVALID_ARGUMENT, /2000000000 bytes, limit 1000000000/),
  );
  const wrongId = await beginUpload(client, makeOffer('wrong'), 5);
  await assert.rejects(
    beginUpload(client, makeOffer('other'), 5),
    fails(status.FAILED_PRECONDITION, /previous upload is still in-progress/),
  );
  await assert.rejects(
    sendUpload(client, makeTicket(wrongId), new TextEncoder().encode('hello')),
    fails(status.INVALID_ARGUMENT, /does not start with the magic bytes of ELF/),
  );
  await assert.rejects(
    finishUpload(client, makeTicket(wrongId)),
    fails(status.NOT_FOUND, /none is under way/),
  );
  await assert.rejects(
    beginUpload(client, makeOffer('wrong'), 5),
    fails(status.ALREADY_EXISTS, /refused before/),
  );
  client.close();
  // The gateway answers the unary calls as JSON.
  const answer = await fetch(`${server.url}/api/shouldinitiateupload`, {
    method: 'POST',
    body: JSON.stringify({ build_id: 'ab'.repeat(20), hash: 'h' }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { shouldInitiateUpload } = (await answer.json()) as { shouldInitiateUpload: boolean };
  assert.equal(shouldInitiateUpload, true);
});

test('debug information is counted, has a limit by default, and what named profiles of today stays', async () => {
  const flags = ['--storage-retention-size=50MB'];
  const third = await startServer({ storagePath, flags });
  after(() => third.stop());
  const client = connect(third.address);
  const metrics = parseMetrics(await (await fetch(`${third.url}/metrics`)).text());
  const readMetric = (name: string): number | undefined =>
    metrics.find((metric) => metric.name === name)?.value;
  assert.ok((readMetric('parca_storage_used_bytes') ?? 0) > executable.length);
  assert.equal(readMetric('parca_debuginfo_bytes'), executable.length);
  assert.equal(readMetric('parca_debuginfo_limit_bytes'), 10 * 1024 * 1024);
  await assert.rejects(
    beginUpload(client, { buildId: 'abcdef', hash: 'h', buildIdType: 2 }, 1_000),
    fails(
      status.RESOURCE_EXHAUSTED,
      /named profiles of the last day have 20000\d+ bytes, and --debuginfo-retention-size is 10485760/,
    ),
  );
  client.close();
  assert.match(third.log(), /level=warn msg="debug information is refused: the limit is too small/);
  assert.doesNotMatch(third.log(), /going to be removed/);
  await third.stop();
  // The file's last use is now forgotten, as if nobody had needed it for a day.
  await writeFile(join(storagePath, 'debuginfo/uses'), '{}\n');
  const fourth = await startServer({ storagePath, flags });
  after(() => fourth.stop());
  assert.match(
    fourth.log(),
    /level=warn msg="debug information is going to be removed: [^"]+" inSeconds=60 files=1 bytes=20000\d+ ofBytes=20000\d+ limitBytes=10485760/,
  );
  await fourth.stop();
});

test('nothing but the files of the store is left in its folder', () => {
  const listing = execFileSync('ls', [join(storagePath, 'debuginfo')])
    .toString()
    .trim();
  assert.match(listing, /^[0-9a-f]{64}\.debuginfo\.1\n[0-9a-f]{64}\.debuginfo\.json\nuses$/);
});
