// Tests of closing a port: which requests it waits for, and which connections it closes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { test } from 'node:test';
import { setImmediate as setNextTurn } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import {
  endlessStreamMillisMax,
  requestsPerTurnMillis,
  unreadAnswersCheckMillis,
} from '../limits.ts';
import type { Timer } from '../../base/clock.ts';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { RequestTurns } from './call/request-turns.ts';
import { TlsDoor } from './tls.ts';
import { createGrpcServer, openPort, parseAddress } from './port.ts';

/** Number of bytes that is larger than all buffers between two programs together. */
const largeBytes = 48 * 1024 * 1024;
const graceMillis = 25_000;

/** Opens a port over an HTTP/1.1 server. */
async function openPortOf(
  clock: FakeClock,
  http: Server,
  turns: RequestTurns,
  { http2 = createGrpcServer(), silenceMillisMax = 60_000 } = {},
) {
  const cutOff: unknown[] = [];
  const port = await openPort(clock, http, http2, {
    address: '127.0.0.1:0',
    connectionsMax: 200,
    connectionsPerAddressMax: 200,
    beginInTurn: (socket, begin) => {
      turns.add({ connection: socket, isOpen: () => !socket.destroyed, begin });
    },
    refused: { add: () => undefined },
    unread: {
      bytesMax: 2.5 * largeBytes,
      silenceMillisMax,
      cutOff: { add: (_count, labels) => cutOff.push(labels?.['limit']) },
    },
    tls: new TlsDoor({ clock, logger: silentLogger, metrics: noMetrics }, 5_000),
    firstByteMillisMax: 5_000,
    isEndless: (headers) => headers[':path'] === '/endless',
  });
  return { port, cutOff };
}

/** Opens a port that sends large answers; streams with the path `/endless` stay open. */
async function openTestPort(clock: FakeClock, silenceMillisMax = 60_000) {
  const large = Buffer.alloc(largeBytes, 'x');
  const http = createServer((_asked, response) => response.end(large));
  const http2 = createGrpcServer();
  http2.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    if (headers[':path'] !== '/endless') stream.end(large);
  });
  const { port, cutOff } = await openPortOf(clock, http, new RequestTurns(clock), {
    http2,
    silenceMillisMax,
  });
  return { port, url: `http://127.0.0.1:${port.port}`, cutOff };
}

/** Requests `url` and reads only the headers of the answer. */
function unread(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
}

async function unreadStream(url: string, path: string): Promise<ClientHttp2Stream> {
  const session = connectHttp2(url);
  session.on('error', () => undefined);
  const stream = session.request({ ':path': path });
  stream.on('error', () => undefined);
  stream.once('close', () => session.close());
  await once(stream, 'response');
  stream.pause();
  return stream;
}

async function countBytes(answer: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += chunk.length;
  return bytes;
}

test('answers under way are sent whole, and new connections are answered meanwhile', async () => {
  const { port, url } = await openTestPort(createFakeClock());
  const slow = await unread(url);
  const stream = await unreadStream(url, '/');
  const closed = port.close(graceMillis);
  assert.equal(port.close(graceMillis), closed);
  const later = await unread(url);
  assert.equal(later.headers.connection, 'close');
  assert.deepEqual(await Promise.all([slow, stream, later].map(countBytes)), [
    largeBytes,
    largeBytes,
    largeBytes,
  ]);
  await closed;
  await assert.rejects(unread(url), /ECONNREFUSED/);
});

test('a close waits for an endless stream only a moment', async () => {
  const clock = createFakeClock();
  const { port, url } = await openTestPort(clock);
  const silent = connectTcp(port.port, '127.0.0.1');
  const endless = await unreadStream(url, '/endless');
  // The client sends half a request, so the server does not know whether the rest will arrive.
  const half = connectTcp(port.port, '127.0.0.1', () => half.write('GET / HTTP/1.1\r\nhost'));
  half.on('error', () => undefined);
  await once(half, 'ready');
  let isClosed = false;
  const closed = port.close(graceMillis).then(() => (isClosed = true));
  await clock.advance(endlessStreamMillisMax - 1);
  assert.equal(isClosed, false);
  await clock.advance(1);
  await closed;
  for (const socket of [silent, half]) if (!socket.closed) await once(socket.resume(), 'close');
  if (!endless.closed) await once(endless.resume(), 'close');
  assert.equal(port.connectionCount(), 0);
});

test('a request that takes too long is cut off', async () => {
  const clock = createFakeClock();
  const { port, url } = await openTestPort(clock);
  const slow = await unread(url);
  const stream = await unreadStream(url, '/');
  const closed = port.close(graceMillis);
  await clock.advance(graceMillis);
  await closed;
  await assert.rejects(countBytes(slow), /aborted|ECONNRESET/);
  if (!stream.closed) await once(stream.resume(), 'close');
});

test('of answers that nobody reads, those that have waited longest are cut off', async () => {
  const clock = createFakeClock();
  const { port, url, cutOff } = await openTestPort(clock);
  const first = await unread(url);
  const second = await unreadStream(url, '/');
  await clock.advance(unreadAnswersCheckMillis);
  const others = [await unread(url), await unreadStream(url, '/')];
  assert.deepEqual(cutOff, []);
  await clock.advance(unreadAnswersCheckMillis);
  assert.deepEqual(cutOff, ['memory', 'memory']);
  await assert.rejects(countBytes(first), /aborted|ECONNRESET/);
  await assert.rejects(countBytes(second), /NGHTTP2_ENHANCE_YOUR_CALM/);
  assert.deepEqual(await Promise.all(others.map(countBytes)), [largeBytes, largeBytes]);
  await port.close(graceMillis);
});

test('an answer of which nothing is read is cut off', async () => {
  const clock = createFakeClock();
  const { port, url, cutOff } = await openTestPort(clock, 50);
  const answers = [await unread(url), await unreadStream(url, '/')];
  const endless = await unreadStream(url, '/endless');
  await clock.advance(unreadAnswersCheckMillis);
  while (cutOff.length < 2) await setImmediate();
  assert.deepEqual(cutOff, ['time', 'time']);
  for (const answer of answers) await assert.rejects(countBytes(answer));
  // The endless stream is not cut off, because no bytes of it wait to be read.
  assert.equal(endless.closed, false);
  endless.close();
  await port.close(graceMillis);
});

test('addresses', () => {
  const check = (text: string, host: string | undefined, port: number) =>
    assert.deepEqual(parseAddress(text), { host, port });
  check(':7070', undefined, 7070);
  check('127.0.0.1:0', '127.0.0.1', 0);
  check('localhost:80', 'localhost', 80);
  check('[::1]:7070', '::1', 7070);
  for (const wrong of ['', '7070', 'a:b', ':65536', '::1:80', ':']) {
    assert.throws(() => parseAddress(wrong), /cannot listen on/, wrong);
  }
});

test('a request that came during a pause of the process is answered, silence is cut', async (t) => {
  const expire: (() => void)[] = [];
  const setTimer = (_millis: number, action: () => void): Timer => {
    expire.push(action);
    return { cancel: () => undefined };
  };
  const { port } = await openTestPort({ ...createFakeClock(), setTimer });
  t.after(() => port.close(0));
  const open = async (connections: number) => {
    const socket = connectTcp(port.port, '127.0.0.1');
    await once(socket, 'connect');
    while (port.connectionCount() < connections) await new Promise((done) => setImmediate(done));
    return socket;
  };
  const asked = await open(1);
  const silent = await open(2);
  const answer = once(asked, 'data');
  const end = once(silent, 'close');
  // When the timers fire, the bytes have arrived but nobody has read them.
  asked.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  for (const action of expire) action();
  const [chunk] = (await answer) as [Buffer];
  assert.match(chunk.toString('latin1', 0, 20), /^HTTP\/1\.1 200/);
  await end;
  asked.destroy();
});

test('connections whose first bytes come in one turn begin in several', async () => {
  const clock = createFakeClock();
  let nowMillis = 0;
  let turn = 0;
  let isOver = false;
  const nextTurn = (): void => {
    turn += 1;
    if (!isOver) setNextTurn(nextTurn);
  };
  const begun = new Map<number, number>();
  const http = createServer((_asked, response) => response.end());
  // The beginning of each connection takes a millisecond.
  http.on('connection', () => {
    nowMillis += 1;
    begun.set(turn, (begun.get(turn) ?? 0) + 1);
  });
  const { port } = await openPortOf(
    clock,
    http,
    new RequestTurns({ monotonicMillis: () => nowMillis }),
  );
  const count = 128;
  const sockets = Array.from({ length: count }, () => connectTcp(port.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  while (port.connectionCount() < count) await setImmediate();
  nextTurn();
  // All bytes reach the kernel before the event loop looks for them.
  const answers = sockets.map((socket) => once(socket, 'data'));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await Promise.all(answers);
  isOver = true;
  const counts = [...begun.values()];
  assert.equal(
    counts.reduce((sum, one) => sum + one),
    count,
  );
  // Connections begin at two points of a turn: when bytes are read, and when waiting connections
  // are taken from the queue.
  assert.ok(Math.max(...counts) <= 2 * requestsPerTurnMillis, counts.join());
  for (const socket of sockets) socket.destroy();
  await port.close(0);
});
