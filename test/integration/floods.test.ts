// Floods at a real server: stalled connections, resets, bombs of headers and of compressed bytes.
// Each attacker is cut off or refused, memory stays bounded, and others are answered meanwhile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { inputLimits } from '../../src/base/input-limits.ts';
import { connectionWindowBytes, streamWindowBytes } from '../../src/base/limits.ts';
import { startApi } from '../support/api.ts';
import { writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../support/server.ts';

const mebi = 1024 * 1024;
let server: TestServer;
let folder: ScratchDirectory;
before(async () => {
  folder = await scratchDirectory();
  server = await startServer({
    storagePath: join(folder.path, 'data'),
    flags: ['--http-read-timeout=1s'],
  });
});
after(async () => {
  await server.stop();
  await folder.remove();
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return parseMetrics(text).find((one) => one.name === name)?.value ?? 0;
}
const residentBytes = (): Promise<number> => metric('process_resident_memory_bytes');

async function isHealthy(): Promise<void> {
  assert.equal((await fetch(`${server.url}/-/healthy`)).status, 200);
}

const http2Preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** An empty SETTINGS frame. */
const settings = '\0\0\0\x04\0\0\0\0\0';
/** Beginnings of connections that never go on. */
const stalls = [
  '',
  'P',
  'GET / HTTP/1.1\r\nHost: x\r\n',
  'POST /api/profiles/writeraw HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{"s',
  'POST /api/v1/push?job=x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na',
  http2Preface.slice(0, 20),
  http2Preface,
  `${http2Preface}${settings}`,
  // HEADERS of stream 1 without their end, which a CONTINUATION would bring.
  `${http2Preface}${settings}\0\0\x01\x01\0\0\0\0\x01\x83`,
];

function stall(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(Number(server.address.split(':')[1]), '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      socket.resume();
      if (text !== '') socket.write(text, 'latin1');
      resolve(socket);
    });
  });
}

test('2,000 connections that stall in any way are closed, and others are answered', async () => {
  const before = await residentBytes();
  const sockets: Socket[] = [];
  while (sockets.length < 2_000) {
    const batch = Array.from({ length: 100 }, (_, i) => stall(stalls[i % stalls.length]));
    sockets.push(...(await Promise.all(batch)));
    await isHealthy();
  }
  const growth = (await residentBytes()) - before;
  assert.ok(growth <= 128 * mebi, `${growth} bytes for 2,000 connections`);
  for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
  await isHealthy();
});

/** Opens a session of a client that has no limits of its own. */
function attack(): ClientHttp2Session {
  const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
  session.on('error', () => undefined);
  return session;
}

/** Sends `text` on a connection of its own, and returns all that comes until it is closed. */
async function answerTo(text: string): Promise<Buffer> {
  const socket = connectTcp(Number(server.address.split(':')[1]), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

test('a flood of resets ends its own connection', async () => {
  const frames = Array.from({ length: 3_000 }, (_, i) => {
    const stream = Buffer.alloc(4);
    stream.writeUInt32BE(2 * i + 1);
    const id = stream.toString('latin1');
    // HEADERS of a POST to "/", and RST_STREAM with CANCEL.
    return `\0\0\x03\x01\x04${id}\x83\x86\x84\0\0\x04\x03\0${id}\0\0\0\x08`;
  });
  const answer = await answerTo(`${http2Preface}${settings}${frames.join('')}`);
  // GOAWAY on stream 0, with an error.
  const at = answer.indexOf(Buffer.from('07000000000000', 'hex'));
  assert.ok(at > 0, answer.toString('hex').slice(0, 400));
  assert.notEqual(answer.readUInt32BE(at + 10), constants.NGHTTP2_NO_ERROR);
  await isHealthy();
});

test('headers of more than 64 KiB are refused, by HTTP/1.1 and HTTP/2', async () => {
  const long = 'x'.repeat(inputLimits.headerBytes);
  const answer = await answerTo(`GET / HTTP/1.1\r\nHost: x\r\nA: ${long}\r\n\r\n`);
  assert.match(answer.toString(), /^HTTP\/1\.1 431 /);
  const session = attack();
  const stream = session.request({ ':path': '/-/healthy', a: long });
  const ended = Promise.race([
    new Promise((resolve) => stream.once('error', resolve)),
    new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status']))),
  ]);
  stream.resume();
  assert.notEqual(await ended, 200);
  session.destroy();
  await isHealthy();
});

test('bombs of gzip and zstd, also nested, are refused at every door', async () => {
  const zeros = Buffer.alloc(16 * mebi);
  const bombs = { gzip: gzipSync(zeros), zstd: zstdCompressSync(zeros) };
  const before = await residentBytes();
  const post = async (
    path: string,
    body: Uint8Array,
    headers: Record<string, string>,
  ): Promise<void> => {
    const init = { method: 'POST', body: Uint8Array.from(body), headers };
    const answer = await fetch(server.url + path, init);
    const text = await answer.text();
    assert.ok([400, 413, 429].includes(answer.status), `${path}: ${answer.status} ${text}`);
  };
  const doors = [
    '/api/v1/push?job=x',
    '/ingest?name=x&format=pprof',
    '/v1development/profiles',
    '/push.v1.PusherService/Push',
    '/api/profiles/writeraw',
  ];
  for (const [encoding, bomb] of Object.entries(bombs)) {
    const nested = encoding === 'gzip' ? gzipSync(bomb) : zstdCompressSync(bomb);
    const proto = { 'content-type': 'application/proto' };
    for (const path of doors) {
      await post(path, bomb, { ...proto, 'content-encoding': encoding });
      await post(path, nested, { ...proto, 'content-encoding': encoding });
    }
    // In the message itself.
    await post('/api/v1/push?job=x', bomb, {});
    await post('/ingest?name=x&format=pprof', bomb, {});
    await post(writeRawPath, writeRawRequest({ __name__: 'x', job: 'x' }, bomb), proto);
  }
  const many = Array.from({ length: 64 }, (_, i) =>
    post(doors[i % doors.length], bombs.gzip, {
      'content-type': 'application/proto',
      'content-encoding': 'gzip',
    }),
  );
  await Promise.all(many);
  const growth = (await residentBytes()) - before;
  assert.ok(growth <= 128 * mebi, `${growth} bytes for the bombs`);
  assert.equal(await metric('parca_ingest_profiles_total'), 0);
  assert.equal(await metric('parca_api_request_bytes'), 0);
});

test('uploads have large windows, and a ping is answered', async () => {
  const session = attack();
  await once(session, 'remoteSettings');
  assert.equal(session.remoteSettings.initialWindowSize, streamWindowBytes);
  const echo = await new Promise<Buffer>((resolve, reject) => {
    session.ping(Buffer.from('keepaliv'), (error, _millis, payload) => {
      if (error) reject(error);
      else resolve(payload);
    });
  });
  assert.equal(echo.toString(), 'keepaliv');
  assert.equal(session.state.remoteWindowSize, connectionWindowBytes);
  session.close();
});

test('connections past the limits of all and of one address are closed at once, and counted', async () => {
  const limits = { connectionsMax: 3, connectionsPerAddressMax: 2 };
  const small = await startApi({ options: { limits } });
  const port = Number(small.address.split(':')[1]);
  const open = async (from: string): Promise<Socket> => {
    const socket = connectTcp({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket.resume();
  };
  const kept = [await open('127.0.0.1'), await open('127.0.0.1')];
  const third = await open('127.0.0.1');
  if (!third.closed) await once(third, 'close');
  kept.push(await open('127.0.0.2'));
  const fourth = await open('127.0.0.3');
  if (!fourth.closed) await once(fourth, 'close');
  assert.deepEqual(
    kept.map(({ closed }) => closed),
    [false, false, false],
  );
  const { text } = await small.metrics.text();
  for (const limit of ['address', 'all']) {
    assert.match(text, new RegExp(`parca_api_connections_refused_total\\{limit="${limit}"\\} 1`));
  }
  for (const socket of kept) socket.destroy();
  await small.close();
});
