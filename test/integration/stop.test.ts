// Tests stopping a real server: running answers are completed, and later callers are told that it
// is stopping.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { parca } from '../../proto/gen/query.js';
import { startFilledServer } from '../support/filled-server.ts';
import { connect, unary } from '../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';

const messages = parca.query.v1alpha1;
const noon = Date.parse('2026-01-01T12:00:00Z');
const path = '/api/v1/export?format=collapsed&query=process_cpu&start=2026-01-01T00:00:00Z&end=now';

/** Number of lines of 3 KB: together, more than all buffers between server and client hold. */
const lineCount = 12_000;
const longName = 'f'.repeat(300);
const samples = Array.from({ length: lineCount }, (_, i) => {
  const frames = Array.from({ length: 10 }, (__, depth) => `${longName}${(i + depth * 7) % 500}`);
  return [`${frames.join(';')};leaf${i}`, 1n] as const;
});

function ask(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject);
  });
}

test('SIGTERM finishes answers under way, and refuses new ones', async () => {
  const server = await startFilledServer([], async (push) => {
    const profile = cpuProfile({ timeNanos: BigInt(noon) * 1_000_000n, samples });
    await push({ __name__: 'process_cpu' }, gzippedPprof(profile));
  });
  // The client reads only the headers; the rest waits in the server.
  const slow = await ask(server.url + path);
  const session = connectHttp2(server.url);
  const call = session.request({ ':path': path });
  const [headers] = await once(call, 'response');
  assert.equal(headers[':status'], 200);
  call.pause();
  const stopped = server.stop();
  const isStopping = async (): Promise<boolean> =>
    (await ask(`${server.url}/-/ready`)).statusCode === 503;
  while (!(await isStopping()));
  const client = connect(server.address);
  const asked = messages.HasProfileDataRequest.encode({}).finish();
  await assert.rejects(unary(client, '/parca.query.v1alpha1.QueryService/HasProfileData', asked), {
    code: status.UNAVAILABLE,
    details: /stopping/,
  });
  client.close();
  const refused = await ask(server.url + path);
  assert.equal(refused.statusCode, 503);
  const count = async (body: AsyncIterable<Buffer>): Promise<number> => {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return bytes;
  };
  const want = Number(slow.headers['content-length']);
  assert.ok(want > 30_000_000, String(want));
  assert.equal(await count(slow), want);
  assert.equal(await count(call), want);
  session.close();
  assert.equal(await stopped, 0);
  assert.match(server.log(), /msg=stopped/);
});
