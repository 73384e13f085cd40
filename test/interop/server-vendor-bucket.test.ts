// Tests a server with a bucket of Google or Azure: it ships blocks, is killed, loses its disk, and
// gives the same answers.
import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { azure, type BucketVendor, gcs } from '../support/bucket-vendors.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Stores profiles of one window, ten to twelve hours ago, so that they become one block. */
async function fill(server: TestServer): Promise<void> {
  const client = connect(server.address);
  const blockMillis = 2 * 3_600_000;
  const startMillis = Math.floor(Date.now() / blockMillis - 5) * blockMillis;
  for (let i = 0; i < 60; i += 1) {
    const timeNanos = BigInt(startMillis + i * 60_000) * 1_000_000n;
    const samples = [['main;serve;decode', BigInt(i + 1)]] as const;
    const profile = gzippedPprof(cpuProfile({ timeNanos, samples }));
    const labels = { __name__: 'process_cpu', job: 'job' };
    await unary(client, writeRawPath, writeRawRequest(labels, profile));
  }
  client.close();
}

async function answer(server: TestServer): Promise<string> {
  const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="job"}';
  const what = new URLSearchParams({ query, start: 'now-1d', end: 'now', format: 'collapsed' });
  const response = await fetch(`${server.url}/api/v1/export?${what}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

/** Starts a bucket, and returns a function that starts servers that use it. */
async function openRig(
  t: TestContext,
  vendor: BucketVendor,
): Promise<{ readonly path: string; start(name: string): Promise<TestServer> }> {
  const bucket = await vendor.start();
  const scratch = await scratchDirectory();
  const servers: TestServer[] = [];
  t.after(async () => {
    for (const server of servers) await server.stop();
    await bucket.remove();
    await scratch.remove();
  });
  const config = JSON.stringify(vendor.config(bucket.endpoint));
  const text = `object_storage: {bucket: {type: ${vendor.type}, prefix: p, config: ${config}}}\n`;
  const start = async (name: string): Promise<TestServer> => {
    const variables = vendor.variables(bucket.endpoint);
    const storagePath = join(scratch.path, name);
    const server = await startServer({ storagePath, config: text, variables });
    servers.push(server);
    return server;
  };
  return { path: scratch.path, start };
}

for (const vendor of [gcs, azure]) {
  test(`${vendor.type}: what a killed server has shipped is served from an empty disk`, async (t) => {
    const { path, start } = await openRig(t, vendor);
    const first = await start('first');
    await fill(first);
    const want = await answer(first);
    assert.equal(
      want,
      'main;serve;decode 1830\n'.replace('1830', String((60 * 61) / 2) + '0000000'),
    );
    // Stopping cuts the head. The next start ships the blocks, and the server is killed at once.
    await first.stop();
    const second = await start('first');
    await second.kill();
    const third = await start('first');
    await until(() => /has the lease of the bucket/.test(third.log()));
    assert.doesNotMatch(third.log(), /waits for its end/);
    await until(() => (third.log().match(/msg=shipped/g)?.length ?? 0) > 0);
    assert.equal(await answer(third), want);
    await third.stop();
    await rm(join(path, 'first'), { recursive: true });
    const empty = await start('empty');
    assert.equal(await answer(empty), want);
  });

  test(`${vendor.type}: a copy of the directory of a killed server waits, and stops`, async (t) => {
    const { path, start } = await openRig(t, vendor);
    const first = await start('killed');
    await until(() => /has the lease of the bucket/.test(first.log()));
    await first.kill();
    await cp(join(path, 'killed'), join(path, 'copied'), { recursive: true });
    const copy = await start('copied');
    await until(() => /waits for its end/.test(copy.log()));
    const again = await start('killed');
    await until(() => /has the lease of the bucket/.test(again.log()));
    await until(() => /cannot use bucket.*give each server a prefix of its own/.test(copy.log()));
    assert.doesNotMatch(copy.log(), /has the lease/);
  });
}
