// Tests of many unfinished bodies of HTTP/1.1: a few are read at a time, and all of them are whole.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { noMetrics } from '../../../base/metrics.ts';
import { createClock } from '../../../base/node/clock.ts';
import { createServer } from '../../../base/node/http.ts';
import { bodiesReadFreelyMax } from './body-rotation.ts';
import { readBody } from './request-body.ts';
import { RequestMemory } from './request-memory.ts';

const count = 3 * bodiesReadFreelyMax;
const partBytes = 10;
const parts = 4;

/** Starts a server that reads bodies, with callers that have sent the heads of their requests. */
async function setUp(t: TestContext) {
  const memory = new RequestMemory(
    { bytesMax: 1 << 20, connectionBytesMax: 1 << 20 },
    noMetrics.counter('', ''),
  );
  const bodies: Promise<Buffer>[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const lease = memory.lease(request.socket);
    const limits = { clock: createClock(), lease, bytesMax: 1 << 20, stallMillisMax: 60_000 };
    const body = readBody(request, limits);
    requests.push(request);
    bodies.push(body);
    body.then(
      (bytes) => response.end(bytes),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${parts * partBytes}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').resume());
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  for (const socket of sockets) socket.write(head);
  while (requests.length < count) await turn();
  return { sockets, requests, bodies };
}

function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function send(sockets: readonly Socket[], part: number): void {
  for (const socket of sockets) socket.write(String(part).repeat(partBytes));
}

test('bodies that arrive in parts are whole', async (t) => {
  const { sockets, bodies } = await setUp(t);
  for (let part = 0; part < parts; part += 1) {
    send(sockets, part);
    await turn();
  }
  const whole = [0, 1, 2, 3].map((part) => String(part).repeat(partBytes)).join('');
  for (const body of await Promise.all(bodies)) assert.equal(body.toString(), whole);
});

test('only some of many bodies are read in one turn, and some of their callers leave', async (t) => {
  const { sockets, requests, bodies } = await setUp(t);
  const ends = Promise.allSettled(bodies);
  // Until now, no more than the first step of the rotation may have been missed.
  while (requests.filter((request) => !request.isPaused()).length > bodiesReadFreelyMax)
    await turn();
  let inTurn = 0;
  let most = 0;
  let isOver = false;
  const watch = (): void => {
    most = Math.max(most, inTurn);
    inTurn = 0;
    if (!isOver) setImmediate(watch);
  };
  watch();
  for (const request of requests) request.on('data', () => void (inTurn += 1));
  send(sockets, 0);
  let seen = 0;
  for (const request of requests) request.once('data', () => void (seen += 1));
  while (seen < count) await turn();
  assert.ok(most <= bodiesReadFreelyMax, `${most} bodies in one turn`);
  for (const request of requests) request.on('close', () => void (inTurn += 1));
  for (const socket of sockets) socket.destroy();
  await ends;
  isOver = true;
  assert.ok(most <= bodiesReadFreelyMax, `${most} callers left in one turn`);
});
