// Tests a backup of a running server while writes continue: the backup contains a single instant,
// and another server can serve it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const program = new URL('../../../cmd/parcatool/main.ts', import.meta.url).pathname;
const startMillis = Date.parse('2026-01-01T00:00:00Z');

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;
/** Number of acknowledged profiles. */
let written = 0;

before(async () => {
  scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  const flags = ['--enable-admin-api', '--ingest-workers=2'];
  server = await startServer({ storagePath, flags });
});
after(async () => {
  await server.stop();
  await scratch.remove();
});

async function write(count: number): Promise<void> {
  const client = connect(server.address);
  for (let i = 0; i < count; i += 1) {
    const timeNanos = BigInt(startMillis + written * 1_000) * 1_000_000n;
    const profile = gzippedPprof(cpuProfile({ timeNanos, samples: [['main;serve', 1n]] }));
    const labels = { __name__: 'process_cpu', job: 'api' };
    await unary(client, writeRawPath, writeRawRequest(labels, profile));
    written += 1;
  }
  client.close();
}

/** Returns the number of profiles on a server. */
async function countProfiles({ url }: TestServer): Promise<number> {
  const query = 'process_cpu:samples:count:cpu:nanoseconds:delta';
  const range = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z' };
  const what = new URLSearchParams({ query, ...range, format: 'collapsed' });
  const text = await (await fetch(`${url}/api/v1/export?${what}`)).text();
  return Number(/main;serve (\d+)/.exec(text)?.[1] ?? 0);
}

async function tool(...args: string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [program, ...args]);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  await once(child, 'close');
  return { code: child.exitCode, out };
}

test('a snapshot has all that was acknowledged before, and nothing that came later', async () => {
  await write(20);
  const perProfile = (await countProfiles(server)) / written;
  const writing = write(30);
  const before = written;
  const made = await tool('snapshot', '-o', 'json', `--server=${server.address}`);
  await writing;
  assert.equal(made.code, 0, made.out);
  const { path, files, bytes } = JSON.parse(made.out);
  assert.equal(path.startsWith(join(scratch.path, 'data/snapshots/')), true, path);
  assert.ok(files >= 2 && bytes > 0, made.out);
  const blocks = await readdir(join(path, 'blocks'));
  assert.equal((await stat(join(path, 'blocks', blocks[0]))).nlink, 2);
  assert.deepEqual(await readdir(join(path, 'wal')), []);

  const target = join(scratch.path, 'restored');
  const restored = await tool('data', 'restore', path, '--target', target);
  assert.match(restored.out, /all good/);
  const other = await startServer({ storagePath: target });
  const found = (await countProfiles(other)) / perProfile;
  await other.stop();
  assert.ok(found >= before && found <= written, `${before} <= ${found} <= ${written}`);
  assert.equal((await countProfiles(server)) / perProfile, 50);
});

test('it is refused while the admin API is off', async () => {
  const storagePath = join(scratch.path, 'other');
  const plain = await startServer({ storagePath });
  const answer = await fetch(`${plain.url}/api/v1/admin/snapshot`, { method: 'POST' });
  await plain.stop();
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /--enable-admin-api/);
});
