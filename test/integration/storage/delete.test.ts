// Tests deletes on a real server, over HTTP and with parcatool: they take effect at once, and still
// have effect after a restart.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { runParcatool } from '../../support/parcatool.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const time = '2026-01-01T00:30:00Z';
const range = ['--from=2026-01-01T00:00:00Z', '--to=2026-01-01T01:00:00Z'];

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;

function start(flags = ['--enable-admin-api', '--ingest-workers=2']): Promise<TestServer> {
  return startServer({ storagePath: join(scratch.path, 'data'), flags });
}

before(async () => {
  scratch = await scratchDirectory();
  server = await start();
  const client = connect(server.address);
  const timeNanos = BigInt(Date.parse(time)) * 1_000_000n;
  const samples = [['main;serve', 75n]] as const;
  const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
  for (const job of ['api', 'batch', 'web']) {
    const labels = { __name__: 'process_cpu', job };
    await unary(client, writeRawPath, writeRawRequest(labels, profile));
  }
  client.close();
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

async function tool(...args: string[]): Promise<{ code: number | null; text: string }> {
  const { code, out, err } = await runParcatool(...args, `--server=${server.address}`);
  return { code, text: out + err };
}

async function jobs(): Promise<string> {
  const { text } = await tool('labels', 'job', ...range);
  return text.trim().split('\n').join(' ');
}

async function post(parameters: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1/admin/delete?${parameters}`, { method: 'POST', headers });
}

test('a delete says what goes, asks, and is seen at once', async () => {
  assert.equal(await jobs(), 'api batch web');
  const unbounded = await tool('delete', '{job="api"}', '--yes');
  assert.deepEqual(unbounded, {
    code: 2,
    text: 'parcatool: delete needs --from, or --all to delete from the beginning of history\n',
  });
  const dry = await tool('delete', '{job="api"}', '--dry-run', ...range);
  assert.equal(dry.code, 0);
  assert.match(dry.text, /^would delete 2 series, \d+ profiles of \d{4}-.*Z\n$/);
  const unasked = await tool('delete', '{job="api"}', ...range);
  assert.equal(unasked.code, 2);
  assert.match(
    unasked.text,
    /delete needs --yes where nobody can answer: delete 2 series, .*\?\n$/,
  );
  assert.equal(await jobs(), 'api batch web');
  const { code, text } = await tool('delete', '{job="api"}', '--yes', ...range);
  assert.equal(code, 0);
  assert.match(text, /^deleted 2 series, \d+ profiles of .*Z, from 1 block\n$/);
  assert.equal(await jobs(), 'batch web');
  assert.equal((await tool('query', 'process_cpu:cpu{job="api"}', ...range)).code, 3);
  assert.equal((await tool('query', 'process_cpu:cpu{job="web"}', ...range)).code, 0);
});

test('a name without a type means all its types; what is not there is named', async () => {
  const answer = await post(`query=${encodeURIComponent('process_cpu{job="batch"}')}`);
  assert.equal(answer.status, 200);
  const { series, blocks, profiles } = await answer.json();
  assert.deepEqual([series, blocks, profiles > 0], [2, 1, true]);
  assert.equal(await jobs(), 'web');
  const { code, text } = await tool('delete', '{job="none"}', '--all', '--yes');
  assert.deepEqual([code, text], [3, 'parcatool: no profiles match {job="none"}\n']);
});

test('what cannot be deleted is refused with the reason', async () => {
  const refused = async (query: string, message: RegExp): Promise<void> => {
    const answer = await post(`query=${encodeURIComponent(query)}`);
    assert.equal(answer.status, 400);
    assert.match(JSON.stringify(await answer.json()), message);
  };
  await refused('{}', /selects all of them/);
  await refused('process_cpu:cpu{job="web"}', /stored together with process_cpu:samples/);
  const foreign = await post('query=%7Bjob%3D%22web%22%7D', { origin: 'https://example.org' });
  assert.equal(foreign.status, 403);
  assert.match(await foreign.text(), /on behalf of a page of https:..example.org/);
  assert.equal(await jobs(), 'web');
});

test('a delete is still there after a kill and a restart; without the flag there is none', async () => {
  await server.kill();
  server = await start([]);
  assert.equal(await jobs(), 'web');
  const dry = await tool('delete', '{job="web"}', '--dry-run', ...range);
  assert.equal(dry.code, 0, dry.text);
  assert.match(dry.text, /^would delete 2 series, /);
  const { code, text } = await tool('delete', '{job="web"}', '--yes', ...range);
  assert.equal(code, 1);
  assert.match(text, /start the server with --enable-admin-api/);
  assert.equal(await jobs(), 'web');
});
