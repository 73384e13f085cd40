// Tests of source files of debuginfod servers: files that are found, missing, or too large, and
// files that are requested once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Agent } from 'undici';
import { AppError } from '../base/errors.ts';
import { createFakeClock } from '../base/fake/clock.ts';
import { debuginfodMissMillis } from './limits.ts';
import { sourceFileBytesMax } from '../base/limits.ts';
import { readFirst } from '../sources/interface.ts';
import { DebuginfodSources } from './debuginfod-sources.ts';

const asked: string[] = [];
const files = new Map([
  ['/buildid/0123456789/source/usr/src/a%20b/main.c', 'int main;'],
  ['/buildid/0123456789/source/usr/src/large.c', 'x'.repeat(sourceFileBytesMax + 1)],
]);
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const text = files.get(request.url ?? '');
  response.writeHead(text === undefined ? 404 : 200).end(text);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const dispatcher = new Agent();
after(async () => {
  await dispatcher.destroy();
  server.close();
});

const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;
const never = new AbortController().signal;

test('a file is asked for by its encoded name, once until its time is over', async () => {
  const clock = createFakeClock(1_000);
  const own = { dispatcher: () => dispatcher, clock, userAgent: 'test' };
  const sources = new DebuginfodSources({ ...own, servers: () => [url] });
  const name = '/usr/src/a b/main.c';
  for (let i = 0; i < 2; i += 1) {
    assert.deepEqual(await sources.readSource('0123456789', name, never), { text: 'int main;' });
    const { reason } = await sources.readSource('0123456789', '/none.c', never);
    assert.equal(reason, `${url} does not have /none.c`);
  }
  assert.equal(asked.length, 2);
  await clock.advance(debuginfodMissMillis + 1);
  await sources.readSource('0123456789', '/none.c', never);
  assert.equal(asked.length, 3);
  const { reason } = await sources.readSource('0123456789', '/usr/src/large.c', never);
  assert.match(reason ?? '', /sends more than 8388608 bytes/);
});

test('a name with ".." does not leave the sources of the build', async () => {
  const clock = createFakeClock(1_000);
  const own = { dispatcher: () => dispatcher, clock, userAgent: 'test' };
  const sources = new DebuginfodSources({ ...own, servers: () => [url] });
  for (const name of ['/a/../../../../metrics', '/x/%2e%2e/../y/../../../metrics', '/./metrics']) {
    await sources.readSource('0123456789', name, never);
    assert.equal(asked.at(-1), '/buildid/0123456789/source/metrics');
  }
});

test('build ids and names that no server can know are not sent out, nor is anything without a server', async () => {
  const clock = createFakeClock(1_000);
  const own = { dispatcher: () => dispatcher, clock, userAgent: 'test' };
  const count = asked.length;
  const sources = new DebuginfodSources({ ...own, servers: () => [url] });
  const none = new DebuginfodSources({ ...own, servers: () => [] });
  assert.deepEqual(await sources.readSource('../../x', '/a.c', never), { reason: '' });
  assert.deepEqual(await sources.readSource('0123456789', 'a.c', never), { reason: '' });
  assert.deepEqual(await none.readSource('0123456789', '/a.c', never), { reason: '' });
  assert.equal(asked.length, count);
});

test('a server that is away is named', async () => {
  const clock = createFakeClock(1_000);
  const sources = new DebuginfodSources({
    dispatcher: () => dispatcher,
    clock,
    userAgent: 'test',
    servers: () => ['http://127.0.0.1:1'],
  });
  const { reason } = await sources.readSource('0123456789', '/a.c', never);
  assert.match(reason ?? '', /^cannot reach http:\/\/127.0.0.1:1: /);
});

test('one request serves all callers of a file, and ends with the last', async () => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let requests = 0;
  const stalling = createServer((request) => {
    requests += 1;
    request.socket.on('close', () => ended.resolve());
    begun.resolve();
  }).listen(0, '127.0.0.1');
  await once(stalling, 'listening');
  const at = `http://127.0.0.1:${(stalling.address() as AddressInfo).port}`;
  const own = { dispatcher: () => dispatcher, clock: createFakeClock(), userAgent: 'test' };
  const sources = readFirst([new DebuginfodSources({ ...own, servers: () => [at] })]);
  const callers = Array.from({ length: 3 }, () => new AbortController());
  const asked = callers.map(({ signal }) => sources.readSource('0123456789', '/a.c', signal));
  await begun.promise;
  const refused = asked.map((one) => assert.rejects(one, /gone/));
  for (const caller of callers) caller.abort(new AppError('cancelled', 'gone'));
  await Promise.all(refused);
  await ended.promise;
  assert.equal(requests, 1);
  stalling.close();
});
