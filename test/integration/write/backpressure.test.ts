// Tests requests that do not fit into memory: the error in each protocol, what the server keeps of
// such a request, and what a retry stores.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { DebuginfoUploads } from '../../../src/debuginfo/interface.ts';
import type { ProfileUpload } from '../../../src/ingest/interface.ts';
import { parca } from '../../../proto/gen/debuginfo.js';
import { emptyServices, startApi, type TestApi } from '../../support/api.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { parseMetrics } from '../../support/metrics-text.ts';

const mebi = 1024 * 1024;
const limits = { requestBytesMax: 48 * mebi, connectionBytesMax: 12 * mebi };

let stored = 0;
let lastUploads: readonly ProfileUpload[] = [];
let held: PromiseWithResolvers<void> | undefined;
let isHolding: PromiseWithResolvers<void> | undefined;
let received = 0;
let disk: PromiseWithResolvers<void> | undefined;
let server: TestApi;

const debuginfo: DebuginfoUploads = {
  ...emptyServices.debuginfo,
  async receive(_ticket, chunks) {
    let size = 0;
    for await (const chunk of chunks) {
      await disk?.promise;
      size += chunk.length;
      received = size;
    }
    return size;
  },
};

before(async () => {
  server = await startApi({
    services: {
      debuginfo,
      ingester: {
        async write(uploads: readonly ProfileUpload[]) {
          stored += uploads.length;
          lastUploads = uploads;
          isHolding?.resolve();
          await held?.promise;
        },
        writeRecord: async () => undefined,
      },
    },
    options: { limits },
  });
});
after(() => server.close());

/** Returns true if the memory of the last upload was released. */
function isGivenBack(): boolean {
  const { buffer } = lastUploads[0].profile;
  return buffer instanceof ArrayBuffer && buffer.detached;
}

/** Calls `work` while requests of 20 MiB wait for the disk; one caller gets half of 48 MiB. */
async function withFullMemory(work: () => Promise<void>): Promise<void> {
  held = Promise.withResolvers();
  const callers = [connect(server.address), connect(server.address)];
  const request = writeRawRequest({ __name__: 'x' }, new Uint8Array(10 * mebi));
  const running: Promise<unknown>[] = [];
  for (const caller of callers) {
    isHolding = Promise.withResolvers();
    running.push(unary(caller, writeRawPath, request));
    await isHolding.promise;
  }
  try {
    await work();
  } finally {
    held.resolve();
    held = undefined;
    isHolding = undefined;
    await Promise.all(running);
    for (const caller of callers) caller.close();
  }
}

const large = new Uint8Array(8 * mebi);
const largeWrite = writeRawRequest({ __name__: 'x' }, large);

/** Returns the current value of one of the server's metrics. */
async function metric(name: string, limit?: string): Promise<number> {
  const { text } = await server.metrics.text();
  const found = parseMetrics(text).find(
    (one) => one.name === name && one.labels.get('limit') === limit,
  );
  return found?.value ?? 0;
}

const usedBytes = (): Promise<number> => metric('parca_api_request_bytes');

/** Makes one call over plain HTTP/2; returns its headers and trailers. */
async function rawCall(
  session: ClientHttp2Session,
  path: string,
  chunks: readonly Uint8Array[],
): Promise<Record<string, unknown>> {
  const type = 'application/grpc';
  const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': type });
  const all: Record<string, unknown> = {};
  stream.on('response', (headers) => Object.assign(all, headers));
  stream.on('trailers', (headers) => Object.assign(all, headers));
  stream.on('error', () => undefined);
  stream.resume();
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'close');
  return all;
}

function frame(message: Uint8Array, flags = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

test('a request without room is told when to come again, in the words of its protocol', async () => {
  await withFullMemory(async () => {
    const before = stored;
    const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
    const answer = await rawCall(session, writeRawPath, [frame(largeWrite)]);
    session.close();
    assert.equal(answer['grpc-status'], '8');
    assert.match(String(answer['grpc-message']), /requests of this caller hold \d+ of \d+ bytes/);
    assert.equal(answer['grpc-retry-pushback-ms'], '1000');
    // The bytes of google.rpc.Status contain a RetryInfo of one second.
    const details = Buffer.from(String(answer['grpc-status-details-bin']), 'base64');
    const info = Buffer.concat([
      Buffer.from('google.rpc.RetryInfo'),
      Buffer.from('12040a020801', 'hex'),
    ]);
    assert.ok(details.includes(info), details.toString('hex'));

    const post = (path: string, type: string, body: Uint8Array): Promise<Response> =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': type },
        body: Uint8Array.from(body),
      });
    const web = await post(`/api${writeRawPath}`, 'application/grpc-web+proto', frame(largeWrite));
    assert.match(await web.text(), /grpc-status:8\r\n.*grpc-retry-pushback-ms:1000\r\n/s);
    const details429 = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' }];
    for (const path of [
      '/api/profiles/writeraw',
      '/api/v1/push?job=a',
      '/ingest?name=a',
      '/v1development/profiles',
      '/push.v1.PusherService/Push',
      writeRawPath,
    ]) {
      const type = path.startsWith('/api/v1') ? 'text/plain' : 'application/json';
      const refused = await post(path, type, large);
      const isConnect = path.includes('Service/');
      const body: unknown = await refused.json();
      assert.equal(refused.status, 429, path);
      assert.equal(refused.headers.get('retry-after'), '1', path);
      assert.equal(Object(body).code, isConnect ? 'resource_exhausted' : 8, path);
      const told = isConnect ? [{ type: 'google.rpc.RetryInfo', value: 'CgIIAQ' }] : details429;
      assert.deepEqual(Object(body).details, told, path);
    }
    assert.equal(stored, before);
  });
  // Memory is free again.
  const client = connect(server.address);
  await unary(client, writeRawPath, largeWrite);
  client.close();
});

test('one connection has a share: its requests are refused, those of others are not', async () => {
  held = Promise.withResolvers();
  isHolding = Promise.withResolvers();
  const [greedy, modest] = [connect(server.address), connect(server.address)];
  const first = unary(greedy, writeRawPath, largeWrite);
  await isHolding.promise;
  const refused = await unary(greedy, writeRawPath, largeWrite).catch((error: unknown) => error);
  assert.match(String(refused), /8 RESOURCE_EXHAUSTED.*requests of this connection hold/);
  const other = unary(modest, writeRawPath, largeWrite);
  held.resolve();
  await Promise.all([first, other]);
  held = isHolding = undefined;
  for (const client of [greedy, modest]) client.close();
  assert.equal(await metric('parca_api_requests_without_room_total', 'connection'), 1);
  assert.equal(await usedBytes(), 0);
});

const writePath = '/parca.profilestore.v1alpha1.ProfileStoreService/Write';
const uploadPath = '/parca.debuginfo.v1alpha1.DebuginfoService/Upload';
const uploadMessage = (fields: object): Buffer =>
  frame(parca.debuginfo.v1alpha1.UploadRequest.encode(fields).finish());

test('messages of streams count, too, as long as they are kept', async () => {
  const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
  const answer = await rawCall(session, writePath, [frame(new Uint8Array(13 * mebi))]);
  assert.equal(answer['grpc-status'], '8');
  assert.match(String(answer['grpc-message']), /requests of this connection hold/);
  // An upload is read in chunks, so it may be as large as the disk.
  const piece = uploadMessage({ chunkData: new Uint8Array(mebi) });
  const pieces = Array.from({ length: 40 }, () => piece);
  const whole = await rawCall(session, uploadPath, [
    uploadMessage({ info: { buildId: 'ab', uploadId: 'u' } }),
    ...pieces,
  ]);
  assert.equal(whole['grpc-status'], '0', String(whole['grpc-message']));
  assert.equal(received, 40 * mebi);
  session.close();
});

test('an upload that the disk does not take slows its caller down, and the rest is counted', async () => {
  disk = Promise.withResolvers();
  const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
  const stream = session.request({
    ':method': 'POST',
    ':path': uploadPath,
    'content-type': 'application/grpc',
  });
  stream.on('error', () => undefined);
  stream.write(uploadMessage({ info: { buildId: 'ab', uploadId: 'u' } }));
  const piece = uploadMessage({ chunkData: new Uint8Array(mebi) });
  const total = 30;
  for (let i = 0; i < total; i += 1) stream.write(piece);
  // When the queue is full, at least a window of memory is reserved, and the caller stops sending.
  while ((await usedBytes()) < 8 * mebi) await new Promise((resolve) => setImmediate(resolve));
  assert.ok((await usedBytes()) <= limits.connectionBytesMax);
  const second = await rawCall(session, writePath, [frame(new Uint8Array(4 * mebi))]);
  assert.equal(second['grpc-status'], '8');
  disk.resolve();
  disk = undefined;
  const all: Record<string, unknown> = {};
  stream.on('trailers', (headers) => Object.assign(all, headers));
  stream.resume();
  stream.end();
  await once(stream, 'close');
  assert.equal(all['grpc-status'], '0', String(all['grpc-message']));
  assert.equal(received, total * mebi);
  assert.equal(await usedBytes(), 0);
  session.close();
});

test('a flood of empty messages is slowed down like any other', async () => {
  disk = Promise.withResolvers();
  const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
  const empty = uploadMessage({ chunkData: new Uint8Array(1) });
  const many = Buffer.concat(Array.from({ length: 20_000 }, () => empty));
  const info = uploadMessage({ info: { buildId: 'ab', uploadId: 'u' } });
  const call = rawCall(session, uploadPath, [info, many]);
  while ((await usedBytes()) < 8 * mebi) await new Promise((resolve) => setImmediate(resolve));
  disk.resolve();
  disk = undefined;
  assert.equal((await call)['grpc-status'], '0');
  assert.equal(received, 20_000);
  session.close();
});

test('a message in tiny pieces arrives whole', async () => {
  const before = stored;
  const socket = connectTcp(Number(server.address.split(':')[1]), '127.0.0.1');
  const body = JSON.stringify({ series: [{ samples: [{ rawProfile: 'AAAA'.repeat(300) }] }] });
  socket.write(
    'POST /api/profiles/writeraw HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  socket.write(Array.from(body, (byte) => `1\r\n${byte}\r\n`).join(''));
  socket.end('0\r\n\r\n');
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1.1 200 /);
  assert.equal(stored, before + 1);
});

test('compressed messages: bombs end early, and hold no more memory than they announce', async () => {
  const client = connect(server.address);
  const bomb = gzipSync(Buffer.alloc(16 * mebi));
  const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
  const answer = async (path: string, body: Buffer, encoding: string) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      'grpc-encoding': encoding,
    });
    const all: Record<string, unknown> = {};
    stream.on('response', (headers) => Object.assign(all, headers));
    stream.on('trailers', (headers) => Object.assign(all, headers));
    stream.resume();
    stream.end(frame(body, 1));
    await once(stream, 'close');
    return all;
  };
  const refused = await Promise.all(
    Array.from({ length: 20 }, () => answer(writeRawPath, bomb, 'gzip')),
  );
  for (const all of refused) assert.equal(all['grpc-status'], '8');
  const nested = await answer(writeRawPath, gzipSync(bomb), 'gzip');
  assert.equal(nested['grpc-status'], '3');
  session.close();
  client.close();
  assert.equal(await usedBytes(), 0);
});

test('a write that came in pieces gives its memory back at once, one of a shared buffer does not', async () => {
  const client = connect(server.address);
  await unary(client, writeRawPath, writeRawRequest({ __name__: 'x' }, new Uint8Array(100_000)));
  assert.ok(isGivenBack());
  await unary(client, writeRawPath, writeRawRequest({ __name__: 'x' }, new Uint8Array(10)));
  assert.ok(!isGivenBack());
  client.close();
});
