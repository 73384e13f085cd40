// Floods at a real server: stalled connections, resets, bombs of headers and of compressed bytes.
// Each attacker is cut off or refused, memory stays bounded, and others are answered meanwhile.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { inputLimits } from '../../src/base/input-limits.ts';
import { connectionWindowBytes, streamWindowBytes } from '../../src/base/limits.ts';
import { openWebConfig } from '../../src/config/web-config.ts';
import { startApi } from '../support/api.ts';
import { createCertificates, serverTls } from '../support/certificates.ts';
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

/** Beginning of a TLS record of 512 bytes with a ClientHello. */
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
  // After the handshake, before it, within it, and within it byte by byte.
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

/** Forgets the largest memory that the server had so far. */
const forgetPeak = (): Promise<void> => writeFile(`/proc/${server.pid}/clear_refs`, '5');

async function peakBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Zeros in members or frames, one after the other. */
function bombOf(compress: (bytes: Uint8Array) => Uint8Array, copies: number): Buffer {
  const part = compress(Buffer.alloc(16 * mebi));
  return Buffer.concat(Array.from({ length: copies }, () => part));
}

/** A gzip bomb that says that it has `length` bytes. */
function forged(length: number): Buffer {
  const bomb = bombOf(gzipSync, 64);
  bomb.writeUInt32LE(length, bomb.length - 4);
  return bomb;
}

interface Door {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes a body of a bomb. */
  wrap(bomb: Uint8Array): Uint8Array;
}

const asIs = (bomb: Uint8Array): Uint8Array => bomb;
const proto = { 'content-type': 'application/proto' };
const doors: readonly Door[] = [
  ...['/api/v1/push?job=x', '/ingest?name=x&format=pprof', '/v1development/profiles'],
  ...['/push.v1.PusherService/Push', '/api/profiles/writeraw'],
].map((path): Door => ({ path, headers: proto, wrap: asIs }));
/** Doors at which the message has compressed bytes in it. */
const innerDoors: readonly Door[] = [
  ...['/api/v1/push?job=x', '/ingest?name=x&format=pprof'].map((path): Door => ({
    path,
    headers: {},
    wrap: asIs,
  })),
  {
    ...{ path: writeRawPath, headers: proto },
    wrap: (bomb) => writeRawRequest({ __name__: 'x', job: 'x' }, bomb),
  },
];

/** Sends a bomb, which must be refused. */
async function explode({ path, headers, wrap }: Door, bomb: Uint8Array, encoding?: string) {
  const answer = await fetch(server.url + path, {
    ...{ method: 'POST', body: Uint8Array.from(wrap(bomb)) },
    headers: { ...headers, ...(encoding !== undefined && { 'content-encoding': encoding }) },
  });
  const text = await answer.text();
  assert.ok([400, 413, 429, 501].includes(answer.status), `${path}: ${answer.status} ${text}`);
}

test('bombs of every compression, also nested and with forged lengths, are refused at once', async () => {
  const bombs: readonly (readonly [string, Buffer])[] = [
    ['gzip', bombOf(gzipSync, 1)],
    ['gzip', bombOf(gzipSync, 64)],
    ['gzip', gzipSync(bombOf(gzipSync, 64))],
    ['gzip', forged(1)],
    ['gzip', forged(10 * mebi)],
    ['gzip', forged(0xffff_ffff)],
    ['zstd', bombOf(zstdCompressSync, 1)],
    ['zstd', bombOf(zstdCompressSync, 1_500)],
    ['zstd', zstdCompressSync(bombOf(zstdCompressSync, 1_500))],
    ['br', brotliCompressSync(Buffer.alloc(16 * mebi))],
    ['deflate', deflateSync(Buffer.alloc(16 * mebi))],
    // 16 MiB by its length, and a copy of one zero.
    ['snappy', Buffer.from('80808008000001fe0100', 'hex')],
    ['lz4', Buffer.from('04224d186440a70000000000', 'hex')],
  ];
  for (const door of doors) await explode(door, bombs[0][1], 'gzip');
  /** Sends a bomb, which adds little to the memory even while it is looked at. */
  const explodeInSmall = async (door: Door, bomb: Uint8Array, encoding?: string): Promise<void> => {
    await forgetPeak();
    const before = await peakBytes();
    await explode(door, bomb, encoding);
    const growth = (await peakBytes()) - before;
    assert.ok(growth <= 48 * mebi, `${door.path}: ${growth} bytes for a bomb of ${encoding}`);
  };
  for (const [encoding, bomb] of bombs) {
    for (const door of doors) await explodeInSmall(door, bomb, encoding);
    for (const door of innerDoors) await explodeInSmall(door, bomb);
  }
  await Promise.all(
    Array.from({ length: 64 }, (_, i) => explode(doors[i % doors.length], bombs[1][1], 'gzip')),
  );
  const peakOfMany = await peakBytes();
  assert.ok(peakOfMany <= 512 * mebi, `${peakOfMany} bytes with 64 bombs at once`);
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
