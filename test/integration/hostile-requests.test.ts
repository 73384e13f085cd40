// Tests requests that attackers write by hand: with wrong HTTP framing, without authorization, or
// without a path. No request crashes the server, gets past authentication, or takes long.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { pipelinedRequestsMax } from '../../src/api/limits.ts';
import { openWebConfig, type Scope } from '../../src/config/web/web-config.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { withinCpuTime } from '../fuzz/cpu-time.ts';

let server: TestApi;
before(async () => {
  const token = (name: Scope) => ({
    name,
    scopes: [name],
    sha256: createHash('sha256').update(name).digest('hex'),
  });
  const web = { ...openWebConfig, tokens: [token('read'), token('write')] };
  server = await startApi({ options: { web } });
});
after(() => server.close());

/** Sends lines of HTTP/1.1, and returns everything received until the connection is closed. */
async function answerTo(...lines: readonly string[]): Promise<string> {
  const socket = connectTcp(server.api.port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return text(socket);
}

test('a request that parsers could frame in two ways is refused, and its connection closed', async () => {
  const hidden = 'GET /metrics HTTP/1.1\r\nhost: x\r\nauthorization: Bearer read';
  for (const lines of [
    ['content-length: 5', 'transfer-encoding: chunked', '', '0', '', hidden],
    ['content-length: 5', 'content-length: 6', '', 'abcdef'],
    ['content-length: +5', '', 'abcde'],
    ['content-length: 5, 5', '', 'abcde'],
    ['transfer-encoding: xchunked', '', '0', '', hidden],
    ['transfer-encoding: chunked, identity', '', '0', '', hidden],
    ['transfer-encoding: chunked', '', '0x3', 'a 1', '0', '', hidden],
    ['transfer-encoding: chunked', '', '3 ', 'a 12', '0', '', hidden],
    ['transfer-encoding : chunked', '', '0', '', hidden],
    ['a: b', ' authorization: Bearer write', 'content-length: 0'],
    ['a: b\nauthorization: Bearer write', 'content-length: 0'],
    ['a: b\0', 'content-length: 0'],
  ]) {
    const answer = await answerTo('POST /api/v1/push?job=a HTTP/1.1', 'host: x', ...lines);
    assert.match(answer, /^HTTP\/1\.1 400 /, lines.join(' '));
    assert.doesNotMatch(answer, /parca_/, lines.join(' '));
  }
});

test('requests that are sent before the answers: some are served, more close the connection', async () => {
  const one = 'GET /-/healthy HTTP/1.1\r\nhost: localhost\r\n';
  const sent = async (count: number): Promise<number> => {
    const socket = connectTcp(server.api.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${`${one}\r\n`.repeat(count - 1)}${one}connection: close\r\n\r\n`);
    const answers = await text(socket).catch(() => '');
    return answers.split('HTTP/1.1 ').length - 1;
  };
  assert.equal(await sent(pipelinedRequestsMax), pipelinedRequestsMax);
  let parsed = 0;
  const count = (): void => void (parsed += 1);
  subscribe('http.server.request.start', count);
  assert.ok((await sent(20_000)) <= pipelinedRequestsMax);
  unsubscribe('http.server.request.start', count);
  // One read returns about 1,500 requests; the other requests are not even parsed.
  assert.ok(parsed <= pipelinedRequestsMax + 1, String(parsed));
  const { text: metrics } = await server.metrics.text();
  assert.match(metrics, /connections_refused_total\{limit="pipelined"\} 1/);
});

test('credentials count only where a request begins', async () => {
  const push = ['POST /api/v1/push?job=a HTTP/1.1', 'host: x'];
  // The header comes after the body, as a trailer.
  const chunks = ['transfer-encoding: chunked', 'trailer: authorization', '', '3', 'a 1', '0'];
  const late = await answerTo(...push, ...chunks, 'authorization: Bearer write');
  assert.match(late, /^HTTP\/1\.1 401 /);
  const upgrade = [
    'connection: close, upgrade, http2-settings',
    'http2-settings: AAMAAABkAAQAAP__',
  ];
  for (const protocol of ['h2c', 'websocket', 'TLS/1.2']) {
    const answer = await answerTo(
      'GET /metrics HTTP/1.1',
      'host: x',
      ...upgrade,
      `upgrade: ${protocol}`,
    );
    assert.match(answer, /^HTTP\/1\.1 401 /, protocol);
  }
  // If there are two authorization headers, the first counts.
  const [reads, writes] = ['authorization: Bearer read', 'authorization: Bearer write'];
  const both = ['GET /metrics HTTP/1.1', 'host: x', 'connection: close'];
  assert.match(await answerTo(...both, writes, reads), /^HTTP\/1\.1 403 /);
  assert.match(await answerTo(...both, reads, writes), /^HTTP\/1\.1 200 /);
});

test('no body is asked for before the gate has looked at the headers', async () => {
  const push = ['POST /api/v1/push?job=a HTTP/1.1', 'host: x', 'expect: 100-continue'];
  const big = 'content-length: 60000000';
  assert.match(await answerTo(...push, big), /^HTTP\/1\.1 401 /);
  assert.match(await answerTo(...push, big, 'authorization: Bearer read'), /^HTTP\/1\.1 403 /);
  const [write, close] = ['authorization: Bearer write', 'connection: close'];
  const answer = await answerTo(...push, 'content-length: 3', write, close, '', 'a 1');
  assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
});

test('HTTP/2 without a path, and paths that mean nothing, end nothing', async () => {
  const session = connectHttp2(server.url);
  const requestStatus = (headers: Record<string, string>): Promise<unknown> =>
    new Promise((resolve) => {
      const stream = session.request({ authorization: 'Bearer read', ...headers });
      stream.once('response', (answer) => resolve(answer[':status']));
      stream.once('error', (error) => resolve(error.message)).resume();
    });
  const closed = 'Stream closed with error code NGHTTP2_PROTOCOL_ERROR';
  assert.equal(await requestStatus({ ':method': 'CONNECT', ':authority': 'a:80' }), closed);
  assert.equal(await requestStatus({ ':path': 'http://[a/metrics' }), closed);
  assert.equal(await requestStatus({ ':path': '*', ':method': 'OPTIONS' }), 404);
  for (const path of ['/%zz', '/%c0%ae%c0%ae/metrics', '/%']) {
    assert.equal(await requestStatus({ ':path': path }), 400, path);
  }
  for (const path of ['//metrics', '/./metrics', '/x/../metrics', '/METRICS', '/metrics%2f']) {
    assert.equal(await requestStatus({ ':path': path }), 404, path);
  }
  assert.equal(await requestStatus({ ':path': '/-/healthy' }), 200);
  session.close();
});

test('a long path is refused at once', async () => {
  const slashes = '/'.repeat(60_000);
  for (const path of [`${slashes}x`, `/targets${slashes}x`, `/a?${slashes}x`]) {
    await withinCpuTime(250, async () => {
      const answer = await answerTo(`GET ${path} HTTP/1.1`, 'host: x', 'connection: close');
      assert.match(answer, /^HTTP\/1\.1 401 /);
    });
  }
});
