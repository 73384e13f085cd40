// Tests compression as targets and senders use it: every API decompresses bodies, even if they were
// compressed twice, or refuses them and names the encoding.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { compressFrameSync } from 'lz4-napi';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';

const from = 1_790_000_000;
const profileAt = (seconds: number): Uint8Array =>
  gzippedPprof(
    cpuProfile({ timeNanos: BigInt(seconds) * 10n ** 9n, samples: [['main;work', 7n]] }),
  );

/** Content encoding, and the function that compresses a file for it. */
type Way = readonly [encoding: string, compress: (file: Uint8Array) => Uint8Array];
const asIs = (file: Uint8Array): Uint8Array => file;
const inFrames = (file: Uint8Array): Uint8Array =>
  Buffer.concat([file.subarray(0, 99), file.subarray(99)].map((part) => zstdCompressSync(part)));
const ways: Readonly<Record<string, Way>> = {
  plain: ['', asIs],
  lying: ['gzip', asIs],
  gzip: ['gzip', gzipSync],
  zstd: ['zstd', zstdCompressSync],
  br: ['br', brotliCompressSync],
  deflate: ['deflate', deflateSync],
  raw: ['deflate', deflateRawSync],
  both: ['gzip, br', (file) => brotliCompressSync(gzipSync(file))],
  lz4: ['', (file) => compressFrameSync(Buffer.from(file))],
  zlib: ['', deflateSync],
  encodedFrames: ['zstd', inFrames],
  frames: ['', inFrames],
};

const bzip2 = Buffer.concat([Buffer.from('BZh91AY&SY'), Buffer.alloc(64)]);

test('targets and senders may compress a compressed file', { timeout: 120_000 }, async (t) => {
  const target = createServer((request, response) => {
    const name = /^\/(\w+)\//.exec(request.url ?? '')?.[1] ?? '';
    if (name === 'bzip2') {
      response.end(bzip2);
      return;
    }
    const [encoding, compress] = ways[name];
    if (encoding !== '') response.setHeader('content-encoding', encoding);
    response.end(compress(profileAt(Math.floor(Date.now() / 1_000))));
  });
  await new Promise<void>((resolve) => void target.listen(0, '127.0.0.1', resolve));
  const { port } = target.address() as AddressInfo;
  const folder = await scratchDirectory();
  const jobs = [...Object.keys(ways), 'bzip2'].map((name) =>
    [
      `  - job_name: target-${name}`,
      '    scrape_interval: 1s',
      '    scrape_timeout: 1s',
      '    profiling_config:',
      `      path_prefix: /${name}`,
      '      pprof_config:',
      ...['memory', 'block', 'goroutine', 'mutex', 'threadcreate'].map(
        (type) => `        ${type}: { enabled: false }`,
      ),
      '        process_cpu: { enabled: true, path: /profile, delta: false }',
      '    static_configs:',
      `      - targets: ["127.0.0.1:${port}"]`,
    ].join('\n'),
  );
  const server = await startServer({
    storagePath: join(folder.path, 'data'),
    config: `scrape_configs:\n${jobs.join('\n')}\n`,
  });
  t.after(async () => {
    await server.stop();
    target.close();
    await folder.remove();
  });

  const post = async (path: string, body: Uint8Array, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', body: Uint8Array.from(body), headers };
    const answer = await fetch(`${server.url}${path}`, init);
    return { status: answer.status, text: await answer.text() };
  };
  const accepted = async (...sent: Parameters<typeof post>): Promise<void> => {
    const { status, text } = await post(...sent);
    assert.equal(status, 200, `${sent[0]} ${JSON.stringify(sent[2])}: ${text}`);
  };
  const file = profileAt(from);
  for (const [name, [encoding, compress]] of Object.entries(ways)) {
    if (name === 'lying') continue;
    const headers: Record<string, string> = encoding === '' ? {} : { 'content-encoding': encoding };
    const body = compress(file);
    await accepted(`/api/v1/push?job=push-${name}`, body, headers);
    await accepted(`/ingest?name=ingest-${name}&format=pprof&from=${from}`, body, headers);
    if (encoding !== '') continue;
    const stream = connect(server.address);
    try {
      await unary(
        stream,
        writeRawPath,
        writeRawRequest({ __name__: 'process_cpu', job: `raw-${name}` }, body),
      );
    } finally {
      stream.close();
    }
  }
  const stacks = async (matcher: string): Promise<string> => {
    const range = { start: String(from - 60), end: 'now' };
    const query = `process_cpu:cpu{${matcher}}`;
    const parameters = new URLSearchParams({ query, ...range, format: 'collapsed' });
    return (await fetch(`${server.url}/api/v1/export?${parameters}`)).text();
  };
  for (const [name, [encoding]] of Object.entries(ways)) {
    if (name !== 'lying') {
      assert.match(await stacks(`job="push-${name}"`), /^main;work 70000000$/m, name);
      assert.match(await stacks(`service_name="ingest-${name}"`), /^main;work /m, name);
      if (encoding === '') assert.match(await stacks(`job="raw-${name}"`), /^main;work /m, name);
    }
    let found = '';
    for (let tries = 0; tries < 100 && !found.startsWith('main;work'); tries += 1) {
      found = await stacks(`job="target-${name}"`);
      await delay(100);
    }
    assert.match(found, /^main;work \d+$/m, `target ${name}`);
  }

  const refused = await post('/api/v1/push?job=no', bzip2);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /it is compressed by bzip2; decompress it first/);
  const otlp = await post('/v1development/profiles', bzip2, {
    'content-type': 'application/x-protobuf',
  });
  assert.equal(otlp.status, 400);
  assert.match(otlp.text, /bzip2/);
  const targets = await (await fetch(`${server.url}/api/v1/targets`)).text();
  assert.match(targets, /it is compressed by bzip2/);
});
