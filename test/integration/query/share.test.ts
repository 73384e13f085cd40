// Tests links to shared profiles, label sets and agents' panics on a real server.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { decodePprof } from '../../../src/formats/pprof/decode.ts';
import { openContent } from '../../../src/formats/gzip.ts';
import { PprofColumns } from '../../../src/formats/pprof/columns.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';

const run = promisify(execFile);
const from = 1_790_000_000;
const times = `from=${from}&until=${from + 10}`;
let folder: ScratchDirectory;
let server: TestServer;
const start = (flags: readonly string[] = []): Promise<TestServer> =>
  startServer({
    storagePath: join(folder.path, 'data'),
    flags: ['--share-url=https://profiles.test/', ...flags],
  });

before(async () => {
  folder = await scratchDirectory();
  server = await start();
});
after(async () => {
  await server.stop();
  await folder.remove();
});

async function ask(
  path: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(server.url + path, init);
  return { status: answer.status, text: await answer.text() };
}

const post = (path: string, body: unknown): ReturnType<typeof ask> =>
  ask(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

const formatTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

function shareRequest(query: string): object {
  const merge = { query, start: formatTime(from - 60), end: formatTime(from + 60) };
  const queryRequest = { mode: 'MODE_MERGE', merge, reportType: 'REPORT_TYPE_FLAMEGRAPH_ARROW' };
  return { queryRequest, description: 'slow "requests"' };
}

test('a shared profile stays as it was, through deletes of data and a restart, until removed', async () => {
  const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="shared"}';
  await post(`/api/v1/push?job=shared&rate=100&${times}`, 'main;work 7\n');
  const { status, text } = await post('/api/profiles/share', shareRequest(query));
  assert.equal(status, 200, text);
  const { link } = JSON.parse(text);
  assert.match(link, /^https:\/\/profiles\.test\/api\/v1\/shares\/[0-9a-f]{32}\/profile\.pb\.gz$/);
  const path = new URL(link).pathname;
  // Profiles that arrive later do not change the shared profile.
  await post(
    `/api/v1/push?job=shared&rate=100&from=${from + 20}&until=${from + 30}`,
    'main;work 5\n',
  );
  assert.equal(await server.stop(), 0);
  server = await start();
  const answer = await fetch(server.url + path);
  assert.match(answer.headers.get('content-disposition') ?? '', /filename="profile.pb.gz"/);
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  const columns = new PprofColumns();
  decodePprof(openContent(new Uint8Array(await answer.arrayBuffer())).bytes, columns);
  assert.deepEqual([...columns.values.subarray(0, columns.sampleCount)], [70_000_000n]);
  const head = path.replace('/profile.pb.gz', '');
  const facts = JSON.parse((await ask(head)).text);
  assert.equal(facts.description, 'slow "requests"');
  const foreign = { method: 'DELETE', headers: { origin: 'https://evil.test' } };
  assert.equal((await ask(head, foreign)).status, 403);
  assert.equal((await ask(head, { method: 'DELETE' })).status, 204);
  for (const gone of [head, path, '/api/v1/shares/..%2f..%2fLOCK/profile.pb.gz']) {
    assert.equal((await ask(gone)).status, 404, gone);
  }
  const nothing = await post('/api/profiles/share', shareRequest(query.replace('shared', 'none')));
  assert.equal(nothing.status, 404);
  const blank = await post('/api/profiles/share', {});
  assert.deepEqual(
    [blank.status, JSON.parse(blank.text).message],
    [400, 'query_request: cannot be blank.'],
  );
});

test('Series lists label sets', async () => {
  await post(`/api/v1/push?job=series&pod=b&rate=100&${times}`, 'main 7\n');
  await post(`/api/v1/push?job=series&pod=a&${times}`, 'main 7\n');
  await post(`/api/v1/push?job=series&pod=a&rate=100&${times}`, 'main 7\n');
  const series = async (matcher: string): Promise<unknown> => {
    const { status, text } = await ask(`/api/profiles/series?match=${encodeURIComponent(matcher)}`);
    return status === 200 ? JSON.parse(text).series : JSON.parse(text).message;
  };
  const set = (pod: string) => ({
    labels: [
      { name: 'job', value: 'series' },
      { name: 'pod', value: pod },
    ],
  });
  assert.deepEqual(await series('{job="series"}'), [set('a'), set('b')]);
  assert.deepEqual(await series('process_cpu{pod="b"}'), [set('b')]);
  assert.match(String(await series('{')), /expected a label name/);
});

test('panics of agents are counted, and as many logged as one can read', async () => {
  const stderr = `${'x'.repeat(20_000)}\nfatal error: all goroutines are asleep`;
  for (let i = 0; i < 25; i += 1) {
    const metadata = { kernel: '6.1\nforged="line"' };
    assert.equal((await post('/api/telemetry/panic', { stderr, metadata })).status, 200);
  }
  assert.match((await ask('/metrics')).text, /^parca_agent_panics_total 25$/m);
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.includes('reported a panic'));
  assert.equal(lines.length, 20);
  assert.match(lines[0], /all goroutines are asleep/);
  assert.ok(lines[0].length < 10_000);
  assert.ok(
    !server
      .log()
      .split('\n')
      .some((line) => line.startsWith('forged')),
  );
});

test('twenty slow readers of a large shared profile take little memory', async () => {
  const id = 'ab'.repeat(16);
  const content = randomBytes(48 << 20);
  const line = `${JSON.stringify({ description: 'large', createdMillis: Date.now() })}\n`;
  await server.stop();
  const file = join(folder.path, 'data', 'shares', `${id}.share`);
  await writeFile(file, Buffer.concat([Buffer.from(line), content]));
  server = await start();
  const url = `${server.url}/api/v1/shares/${id}/profile.pb.gz`;
  const before = residentBytes();
  const ends = new AbortController();
  const slow = Array.from({ length: 20 }, () => fetch(url, { signal: ends.signal }));
  for (const { status } of await Promise.all(slow)) assert.equal(status, 200);
  const grown = residentBytes() - before;
  assert.ok(grown < 200 << 20, `${grown} more bytes`);
  ends.abort();
  const { stdout } = await run('curl', ['-s', url], { encoding: 'buffer', maxBuffer: 64 << 20 });
  assert.ok(content.equals(stdout));
});

/** Returns the resident memory of the server in bytes. */
function residentBytes(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}
