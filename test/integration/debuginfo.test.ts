// Debug information over the wire, as Parca's agents upload it, to a server that is restarted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Client, type ServiceError, status } from '@grpc/grpc-js';
import Long from 'long';
import { parca } from '../../proto/gen/debuginfo.js';
import { makeElf, makeNote } from '../../src/symbolize/testing/make-elf.ts';
import { connect, unary } from '../support/grpc-client.ts';
import { scratchDirectory, startServer } from '../support/server.ts';

const messages = parca.debuginfo.v1alpha1;
const service = '/parca.debuginfo.v1alpha1.DebuginfoService';
const buildId = '0102030405060708090a0b0c0d0e0f1011121314';
const note = makeNote(
  'GNU',
  3,
  Uint8Array.from({ length: 20 }, (_, i) => i + 1),
);
const chunkBytes = 8 * 1024 * 1024;

const scratch = await scratchDirectory();
after(() => scratch.remove());
const storagePath = join(scratch.path, 'data');

/** An executable larger than a chunk. */
const executable = makeElf([
  { name: '.note.gnu.build-id', type: 7, content: note },
  { name: '.debug_info', type: 1, content: new Uint8Array(20_000_000).fill(7) },
]);

async function shouldUpload(client: Client, hash: string): Promise<boolean> {
  const request = messages.ShouldInitiateUploadRequest.encode({ buildId, hash }).finish();
  const answer = await unary(client, `${service}/ShouldInitiateUpload`, request);
  return messages.ShouldInitiateUploadResponse.decode(answer).shouldInitiateUpload;
}

async function initiate(client: Client, size: number, hash = 'h1'): Promise<string> {
  const request = { buildId, hash, size: Long.fromNumber(size), buildIdType: 1 };
  const bytes = messages.InitiateUploadRequest.encode(request).finish();
  const answer = await unary(client, `${service}/InitiateUpload`, bytes);
  const { uploadInstructions } = messages.InitiateUploadResponse.decode(answer);
  assert.equal(uploadInstructions?.uploadStrategy, 1);
  return uploadInstructions?.uploadId ?? '';
}

function send(client: Client, uploadId: string, content: Uint8Array): Promise<number> {
  const pass = (bytes: Buffer): Buffer => bytes;
  return new Promise((resolve, reject) => {
    const call = client.makeClientStreamRequest(
      `${service}/Upload`,
      pass,
      pass,
      (error: ServiceError | null, answer?: Buffer) => {
        if (error !== null) reject(error);
        else resolve(Number(messages.UploadResponse.decode(answer ?? Buffer.alloc(0)).size));
      },
    );
    const write = (message: parca.debuginfo.v1alpha1.UploadRequest.$Properties): void =>
      void call.write(Buffer.from(messages.UploadRequest.encode(message).finish()));
    write({ info: { buildId, uploadId } });
    for (let at = 0; at < content.length; at += chunkBytes) {
      write({ chunkData: content.subarray(at, at + chunkBytes) });
    }
    call.end();
  });
}

async function markFinished(client: Client, uploadId: string): Promise<void> {
  const request = messages.MarkUploadFinishedRequest.encode({ buildId, uploadId }).finish();
  await unary(client, `${service}/MarkUploadFinished`, request);
}

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
  assert.equal(await shouldUpload(client, 'h1'), true);
  const uploadId = await initiate(client, executable.length);
  assert.equal(await shouldUpload(client, 'h1'), false);
  assert.equal(await send(client, uploadId, executable), executable.length);
  await markFinished(client, uploadId);
  assert.equal(await shouldUpload(client, 'h1'), false);
  client.close();
  await first.kill();

  const second = await startServer({ storagePath });
  after(() => second.stop());
  const later = connect(second.address);
  assert.equal(await shouldUpload(later, 'h1'), false);
  assert.equal(await shouldUpload(later, 'h2'), false);
  later.close();
  await second.stop();
});

test('wrong uploads are refused with the codes that clients know', async () => {
  const server = await startServer({ storagePath: join(scratch.path, 'other') });
  after(() => server.stop());
  const client = connect(server.address);
  await assert.rejects(
    send(client, 'none', executable),
    fails(status.FAILED_PRECONDITION, /it was not begun/),
  );
  await assert.rejects(
    initiate(client, 2_000_000_000),
    fails(status.INVALID_ARGUMENT, /2000000000 bytes, limit 1000000000/),
  );
  const wrongId = await initiate(client, 5, 'wrong');
  await assert.rejects(
    initiate(client, 5, 'other'),
    fails(status.FAILED_PRECONDITION, /another client is uploading it/),
  );
  await assert.rejects(
    send(client, wrongId, new TextEncoder().encode('hello')),
    fails(status.INVALID_ARGUMENT, /does not start with the magic bytes of ELF/),
  );
  await assert.rejects(markFinished(client, wrongId), fails(status.NOT_FOUND, /none is under way/));
  await assert.rejects(
    initiate(client, 5, 'wrong'),
    fails(status.ALREADY_EXISTS, /refused before/),
  );
  client.close();
});

test('the gateway answers the unary calls as JSON', async () => {
  const server = await startServer({ storagePath: join(scratch.path, 'json') });
  after(() => server.stop());
  const answer = await fetch(`${server.url}/api/shouldinitiateupload`, {
    method: 'POST',
    body: JSON.stringify({ build_id: buildId, hash: 'h' }),
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  const { shouldInitiateUpload } = (await answer.json()) as { shouldInitiateUpload: boolean };
  assert.equal(shouldInitiateUpload, true);
});

test('nothing but the files of the store is left in its folder', () => {
  const listing = execFileSync('ls', [join(storagePath, 'debuginfo')])
    .toString()
    .trim();
  assert.match(listing, /^[0-9a-f]{64}\.debuginfo\.1\n[0-9a-f]{64}\.debuginfo\.json$/);
});
