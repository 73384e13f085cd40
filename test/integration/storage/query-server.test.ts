// Tests the query server (`--mode=query`), which reads the bucket of other servers, and queries
// these servers for what is not in the bucket yet.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startFilledServer } from '../../support/filled-server.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let stored: Awaited<ReturnType<typeof startFilledServer>>;
let query: TestServer;
const startMillis = Date.parse('2026-01-01T00:00:00Z');

before(async () => {
  scratch = await scratchDirectory();
  stored = await startFilledServer([], async (push) => {
    const timeNanos = BigInt(startMillis) * 1_000_000n;
    const samples = [['main;serve', 5n]] as const;
    await push(
      { __name__: 'process_cpu', job: 'a' },
      gzippedPprof(cpuProfile({ timeNanos, samples })),
    );
  });
  query = await startServer({
    storagePath: join(scratch.path, 'cache'),
    flags: ['--mode=query', `--store-address=${stored.address}`, '--insecure'],
  });
});
after(async () => {
  await query.stop();
  await scratch.remove();
});

async function get(path: string): Promise<{ status: number; text: string; warnings: string }> {
  const response = await fetch(`${query.url}${path}`);
  const warnings = response.headers.get('parca-warnings') ?? '';
  return { status: response.status, text: await response.text(), warnings };
}

const what = new URLSearchParams({
  query: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="a"}',
  start: '2026-01-01T00:00:00Z',
  end: '2026-01-01T01:00:00Z',
  format: 'collapsed',
});

test('it answers with what a server has, takes nothing, and says when that does not answer', async () => {
  const answer = await get(`/api/v1/export?${what}`);
  assert.deepEqual([answer.status, answer.warnings], [200, ''], answer.text);
  assert.match(answer.text, /^main;serve \d+\n$/);
  const push = await fetch(`${query.url}/api/v1/push?job=a&__name__=x`, {
    method: 'POST',
    body: Uint8Array.from(gzippedPprof(cpuProfile({ timeNanos: 1n, samples: [['main', 1n]] }))),
  });
  assert.match(await push.text(), /this server only answers questions \(--mode=query\)/);
  assert.equal(push.status, 501);
  const ready = await Promise.all([get('/-/ready'), get('/-/ready/write')]);
  assert.deepEqual(
    ready.map(({ status }) => status),
    [200, 503],
  );
  await stored.stop();
  const lost = await get('/api/profiles/labels');
  assert.match(lost.text, /"warnings":\["cannot read what server 127[^"]*ECONNREFUSED/);
  const none = await get(`/api/v1/export?${what}`);
  const away = /cannot read what server 127\.0\.0\.1:\d+ has not put into the bucket/;
  assert.match(none.text, away);
  // Short types are resolved among the profile types of all servers.
  for (const words of [
    ['top', 'process_cpu:cpu{job="a"}'],
    ['top', 'process_cpu'],
    ['types'],
    ['labels'],
    ['labels', 'job'],
  ]) {
    const { code, err } = await runParcatool(...words, `--server=${query.address}`);
    assert.match(err, away, words.join(' '));
    assert.notEqual(code, 0);
  }
  for (const path of ['/api/profiles/series?match=x', '/api/v1/nearest?query=process_cpu']) {
    assert.match((await get(path)).text, away, path);
  }
});

test('it does not start without anything to read', async () => {
  const flags = ['--mode=query'];
  const starting = startServer({ storagePath: join(scratch.path, 'none'), flags });
  const why = /cannot answer without data: set object_storage in the config, or --store-address/;
  await assert.rejects(starting, why);
});
