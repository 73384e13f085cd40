// Tests a server with a bucket on a real S3 server: it ships blocks, loses its disk, and gives the
// same answers.
import assert from 'node:assert/strict';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { loadTestSdk } from '../../src/storage/object-store/fake/bucket-defaults.ts';
import { openBucket } from '../../src/storage/object-store/open/open-bucket.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { startMinio, type Minio } from '../support/minio.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let minio: Minio;
let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
/** All servers that were started. */
const servers: TestServer[] = [];

before(async () => {
  minio = await startMinio();
  scratch = await scratchDirectory();
});
after(async () => {
  for (const server of servers) await server.stop();
  await minio.remove();
  await scratch.remove();
});

function bucketConfig(change: Record<string, string> = {}, prefix = 'here'): string {
  const { bucket, endpoint, accessKey, secretKey } = minio.config;
  const keys = { bucket, endpoint, access_key: accessKey, secret_key: secretKey, ...change };
  const config = JSON.stringify({ ...keys, insecure: true });
  return `object_storage: {bucket: {type: S3, prefix: ${prefix}, config: ${config}}}\n`;
}

async function start(name: string, config: string): Promise<TestServer> {
  const server = await startServer({ storagePath: join(scratch.path, name), config });
  servers.push(server);
  return server;
}

/** Pushes profiles of six hours, which begin ten hours ago. */
async function fill(server: TestServer): Promise<void> {
  const client = connect(server.address);
  for (let i = 0; i < 60; i += 1) {
    const timeNanos = BigInt(Date.now() - 10 * 3_600_000 + i * 360_000) * 1_000_000n;
    const samples = [
      ['main;serve;decode', BigInt(i)],
      ['main;gc', 20n],
    ] as const;
    const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
    const labels = { __name__: 'process_cpu', job: `job-${i % 2}` };
    await unary(client, writeRawPath, writeRawRequest(labels, profile));
  }
  client.close();
}

async function answer(server: TestServer): Promise<string> {
  const texts: string[] = [];
  for (const job of ['job-0', 'job-1']) {
    const query = `process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="${job}"}`;
    const what = new URLSearchParams({ query, start: 'now-1d', end: 'now', format: 'collapsed' });
    const response = await fetch(`${server.url}/api/v1/export?${what}`);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    texts.push(...text.split('\n').sort());
  }
  return texts.join('\n');
}

test('a server on an empty disk serves what another has shipped', async () => {
  const first = await start('first', bucketConfig());
  await fill(first);
  const want = await answer(first);
  assert.match(want, /main;serve;decode \d+/);
  await first.stop();
  // Stopping cuts the head; the next start ships the blocks.
  const again = await start('first', bucketConfig());
  await until(() => /msg=shipped/.test(again.log()));
  const config = { prefix: 'here', bucket: minio.config };
  const machine = { files: createFiles(), clock: createClock(), random: createRandom() };
  const bucket = await openBucket({ config, loadSdk: loadTestSdk, ...machine });
  await until(async () => (await bucket.list('blocks', () => true)).length > 2);
  await bucket.close();
  assert.equal(await answer(again), want);
  await again.stop();
  await rm(join(scratch.path, 'first'), { recursive: true });

  const second = await start('second', bucketConfig());
  assert.equal(await answer(second), want);
  const metrics = await (await fetch(`${second.url}/metrics`)).text();
  assert.match(metrics, /^parca_storage_object_blocks [3-9]/m);
  await second.stop();
});

test('a server that was killed has its prefix again at once; a copy of its directory waits', async () => {
  const config = bucketConfig({}, 'killed');
  const first = await start('killed', config);
  await until(() => /has the lease of the bucket/.test(first.log()));
  await first.kill();
  await cp(join(scratch.path, 'killed'), join(scratch.path, 'copied'), { recursive: true });
  const copy = await start('copied', config);
  await until(() => /waits for its end/.test(copy.log()));
  assert.doesNotMatch(copy.log(), /has the lease/);
  const again = await start('killed', config);
  await until(() => /has the lease of the bucket/.test(again.log()));
  assert.doesNotMatch(again.log(), /waits for its end/);
  // The server notices that the other one renews the lease.
  await until(() => /cannot use bucket.*give each server a prefix of its own/.test(copy.log()));
  assert.doesNotMatch(copy.log(), /has the lease/);
  await again.stop();
});

test('wrong keys are named in the log, and the server works', async () => {
  const server = await start('wrong', bucketConfig({ secret_key: 'wrong' }));
  await until(() => /cannot use the bucket.*SignatureDoesNotMatch/.test(server.log()));
  await fill(server);
  assert.match(await answer(server), /main;gc 600/);
  await server.stop();
  // A role may provide keys later, so the server starts and reports what is missing.
  const none = await start('none', bucketConfig({ access_key: '', secret_key: '' }));
  await until(() =>
    /check access_key and secret_key, or the role of this machine/.test(none.log()),
  );
  await none.stop();
});

test('a bucket in the storage path is not used', async () => {
  const directory = join(scratch.path, 'same');
  await mkdir(directory);
  const bucket = JSON.stringify({ type: 'FILESYSTEM', config: { directory } });
  const server = await start('same', `object_storage: {bucket: ${bucket}}\n`);
  assert.match(server.log(), /the bucket lies in the storage path: nothing is shipped/);
  await server.stop();
});
