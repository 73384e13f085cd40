// Tests of large bodies on many HTTP/2 connections. Each turn reads only a limited number of bytes,
// also from refused requests, and all bodies arrive in the end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../../base/errors.ts';
import { noMetrics } from '../../../base/metrics.ts';
import { createClock } from '../../../base/node/clock.ts';
import { createGrpcServer } from '../port.ts';
import { readMessages } from '../grpc/message-queue.ts';
import { drainBody } from './request-body.ts';
import { RequestMemory } from './request-memory.ts';

const mebi = 1 << 20;
const connections = 12;
const bodyBytes = 6 * mebi;

/** Sends a message on each connection; resolves when all are answered. */
const sender = `
  const { workerData: { port, connections, bytes }, parentPort } = require('node:worker_threads');
  const { connect } = require('node:http2');
  const body = Buffer.alloc(bytes + 5);
  body.writeUInt32BE(bytes, 1);
  for (let i = 0; i < connections; i += 1) {
    const session = connect('http://127.0.0.1:' + port);
    const stream = session.request({ ':method': 'POST', ':path': '/' });
    stream.resume().once('close', () => session.destroy());
    stream.end(body);
  }
`;

type Read = (stream: ServerHttp2Stream, count: (bytes: number) => void) => Promise<void>;

/** Returns the largest number of bytes that `read` received in one turn. */
async function readAtOnce(read: Read): Promise<number> {
  let [inTurn, most, ended] = [0, 0, 0];
  const all = Promise.withResolvers<void>();
  const http2 = createGrpcServer();
  http2.on('stream', (stream: ServerHttp2Stream) => {
    // The main thread sleeps, so that the other connections deliver as much as they may.
    if (inTurn === 0 && most === 0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    const count = (bytes: number): void => void (inTurn += bytes);
    void read(stream, count).then(() => {
      stream.respond({ ':status': 200 }, { endStream: true });
      ended += 1;
      if (ended === connections) all.resolve();
    }, all.reject);
  });
  const server = createServer((socket) => http2.emit('connection', socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const workerData = { port, connections, bytes: bodyBytes };
  const worker = new Worker(sender, { eval: true, workerData });
  const turn = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (ended < connections) setImmediate(turn);
  };
  setImmediate(turn);
  await all.promise;
  await worker.terminate();
  server.close();
  return Math.max(most, inTurn);
}

function limits(takes: boolean) {
  const size = takes ? connections * (bodyBytes + mebi) : 0;
  const memory = new RequestMemory(
    { bytesMax: size, connectionBytesMax: size },
    noMetrics.counter('', ''),
  );
  return {
    clock: createClock(),
    lease: memory.lease({}),
    bytesMax: 7 * mebi,
    stallMillisMax: 9_000,
  };
}

/** Bytes that a turn reads, plus the bytes that each connection still delivers until it stops. */
const turnBytesMax = 4 * mebi + connections * 3 * 65_536;

test('a turn reads some of many messages', async () => {
  const most = await readAtOnce((stream, count) => {
    stream.on('data', ({ length }: Buffer) => count(length));
    return drainBody(stream, limits(true), () => undefined);
  });
  assert.ok(most <= turnBytesMax, `${most} bytes in a turn`);
});

test('a turn drops some of many messages that are refused', async () => {
  const most = await readAtOnce(async (stream, count) => {
    stream.on('data', ({ length }: Buffer) => count(length));
    await assert.rejects(
      drainBody(stream, limits(false), () => undefined),
      AppError,
    );
    await once(stream, 'end');
  });
  assert.ok(most <= turnBytesMax, `${most} bytes in a turn`);
});

test('a turn reads some of many streams of messages', async () => {
  const most = await readAtOnce(async (stream, count) => {
    stream.on('data', ({ length }: Buffer) => count(length));
    const { lease } = limits(true);
    const options = { lease, messageBytesMax: 7 * mebi, encoding: 'identity', keepsMessages: true };
    let bytes = 0;
    for await (const { length } of readMessages(stream, options)) bytes += length;
    assert.equal(bytes, bodyBytes);
  });
  assert.ok(most <= turnBytesMax, `${most} bytes in a turn`);
});

test('an empty body that ended before it is read is read to its end', async (t) => {
  const http2 = createGrpcServer();
  const read = Promise.withResolvers<void>();
  http2.on('stream', (stream: ServerHttp2Stream) => {
    const readTwice = async (): Promise<void> => {
      // A stream without data may end before its request is read, because Node ends it without a
      // reader.
      await once(stream, 'end');
      await drainBody(stream, limits(true), () => undefined);
      const { lease } = limits(true);
      const options = { lease, messageBytesMax: 1, encoding: 'identity', keepsMessages: false };
      for await (const message of readMessages(stream, options)) assert.fail(String(message));
      stream.respond({ ':status': 200 }, { endStream: true });
    };
    readTwice().then(read.resolve, read.reject);
  });
  const server = createServer((socket) => http2.emit('connection', socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(() => session.destroy());
  const stream = session.request({ ':method': 'POST', ':path': '/' }).resume();
  stream.end(Buffer.alloc(0));
  await read.promise;
});
