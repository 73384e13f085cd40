// Tests floods on a real server: stalled connections, resets, and headers that are too long. Each
// attacker is disconnected or refused, memory stays bounded, and other clients are answered
// meanwhile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { inputLimits } from '../../../src/base/input-limits.ts';
import { isFull } from '../../../src/base/testing/rounds.ts';
import { connectionWindowBytes, streamWindowBytes } from '../../../src/api/limits.ts';
import { openWebConfig } from '../../../src/config/web/web-config.ts';
import { startApi } from '../../support/api.ts';
import { createCertificates, serverTls } from '../../support/certificates.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';

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

/** Milliseconds after which an answer to a client next to a flood counts as late. */
const lateMillis = 250;

/** Sends `answers` requests one after another, and counts the late answers. */
async function countLate(answers: number): Promise<number> {
  let late = 0;
  for (let i = 0; i < answers; i += 1) {
    const asked = performance.now();
    await isHealthy();
    if (performance.now() - asked > lateMillis) late += 1;
  }
  return late;
}

const http2Preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** An empty SETTINGS frame. */
const settings = '\0\0\0\x04\0\0\0\0\0';
/** First bytes of connections that then stall. */
const stalls = [
  '',
  'P',
  'GET / HTTP/1.1\r\nHost: x\r\n',
  'POST /api/profiles/writeraw HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{"s',
  'POST /api/v1/push?job=x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na',
  http2Preface.slice(0, 20),
  http2Preface,
  `${http2Preface}${settings}`,
  // HEADERS of stream 1 that a CONTINUATION frame would have to complete.
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
  // One answer in a hundred may be late, because the goal is a 99th percentile.
  if (isFull) assert.ok((await countLate(200)) <= 2, 'answers next to the flood are late');
  for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
  await isHealthy();
});

/** First bytes of a TLS record of 512 bytes with a ClientHello. */
const clientHello = Buffer.from('1603010200010001fc0303', 'hex');

test('handshakes of TLS that stall or trickle are ended, and others are answered', async (t) => {
  const certificates = createCertificates();
  t.after(() => certificates.remove());
  certificates.make('ca');
  certificates.make('server', 'IP:127.0.0.1');
  const web = { ...openWebConfig, tls: serverTls(certificates, 'server') };
  const secure = await startApi({ options: { web, readTimeoutMillis: 500 } });
  t.after(() => secure.close());
  const where = { host: '127.0.0.1', port: secure.api.port, ca: certificates.text('ca.pem') };
  const open = async (kind: number): Promise<Socket> => {
    const socket = kind === 0 ? connectTls(where) : connectTcp(where);
    socket.on('error', () => undefined).resume();
    await once(socket, kind === 0 ? 'secureConnect' : 'connect');
    if (kind === 0) socket.write('GET / HTTP/1.1\r\n');
    if (kind > 1) socket.write(clientHello);
    if (kind === 3) {
      const trickle = setInterval(() => socket.write('\0'), 50);
      socket.once('close', () => clearInterval(trickle));
    }
    return socket;
  };
  // Connections stall after the handshake, before it, within it at once, or within it after sending
  // byte by byte.
  const sockets = await Promise.all(Array.from({ length: 200 }, (_, i) => open(i % 4)));
  const answers = connectTls(where).on('error', () => undefined);
  answers.write('GET /-/healthy HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let text = '';
  for await (const chunk of answers) text += String(chunk);
  assert.match(text, /^HTTP\/1\.1 200 /);
  for (const socket of sockets) if (!socket.closed) await once(socket, 'close');
  const { text: counted } = await secure.metrics.text();
  assert.match(counted, /^parca_tls_handshake_failures_total 150$/m);
});

/** Opens a client session without limits on the client's side. */
function attack(): ClientHttp2Session {
  const session = connectHttp2(server.url, { maxSessionMemory: 1_024 });
  session.on('error', () => undefined);
  return session;
}

/** Sends `text` over a new connection, and returns all bytes received until it is closed. */
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
