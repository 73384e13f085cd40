// Tests query servers and a live server with TLS and tokens: an answer names the server whose part
// is missing.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createCertificates, type Certificates } from '../support/certificates.ts';
import { cpuProfile, gzippedPprof } from '../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let certificates: Certificates;
let live: TestServer;
/** All servers that were started. */
const servers: TestServer[] = [];

const tokens = { reader: ['read'], writer: ['write'] };

before(async () => {
  scratch = await scratchDirectory();
  certificates = createCertificates();
  certificates.make('server', 'IP:127.0.0.1');
  const config = join(certificates.folder, 'web.yml');
  const bearerTokens = Object.entries(tokens).map(([name, scopes]) => ({
    name,
    scopes,
    sha256: createHash('sha256').update(name).digest('hex'),
  }));
  const tls = { cert_file: 'server.pem', key_file: 'server.key' };
  const web = { tls_server_config: tls, bearer_tokens: bearerTokens };
  await writeFile(config, JSON.stringify(web));
  live = await start('live', [`--web-config-file=${config}`]);
  await push(live);
});
after(async () => {
  for (const server of servers) await server.stop();
  certificates.remove();
  await scratch.remove();
});

async function start(name: string, flags: readonly string[]): Promise<TestServer> {
  await mkdir(join(scratch.path, name));
  const server = await startServer({ storagePath: join(scratch.path, name, 'data'), flags });
  servers.push(server);
  return server;
}

async function push({ address }: TestServer): Promise<void> {
  const profile = cpuProfile({
    timeNanos: BigInt(Date.now()) * 1_000_000n,
    samples: [['main', 5n]],
  });
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: 'Bearer writer' };
    const path = '/api/v1/push?job=a&__name__=process_cpu';
    const ca = certificates.text('ca.pem');
    const sent = request(`https://${address}${path}`, { method: 'POST', headers, ca }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end(gzippedPprof(profile));
  });
  assert.equal(status, 200);
}

/** Starts a query server; returns the stacks of its answer, and the warnings. */
async function askWith(name: string, flags: readonly string[]): Promise<[string, string]> {
  const all = ['--mode=query', `--store-address=${live.address}`, ...flags];
  const server = await start(name, all);
  const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta{job="a"}';
  const what = new URLSearchParams({ query, start: 'now-1h', end: 'now', format: 'collapsed' });
  const answer = await fetch(`${server.url}/api/v1/export?${what}`);
  const labels = await fetch(`${server.url}/api/profiles/labels`);
  const { warnings = [] } = (await labels.json()) as { warnings?: string[] };
  return [await answer.text(), warnings.join('\n')];
}

const ca = (): string => `--store-ca-file=${join(certificates.folder, 'ca.pem')}`;

test('with its authority and a token that may read, everything is there', async () => {
  const file = join(scratch.path, 'token');
  await writeFile(file, 'reader\n');
  const [stacks, warnings] = await askWith('right', [ca(), `--bearer-token-file=${file}`]);
  assert.match(stacks, /^main \d+\n$/);
  assert.equal(warnings, '');
});

for (const [what, flagsOf, why] of [
  ['a wrong token', () => [ca(), '--bearer-token=wrong'], /the token is unknown/],
  ['no token', () => [ca()], /the request has no credentials/],
  [
    'a token that may not read',
    () => [ca(), '--bearer-token=writer'],
    /"writer" does not have the scope read/,
  ],
  [
    'the authorities of the system',
    () => ['--bearer-token=reader'],
    /its certificate has no known authority: set --store-ca-file/,
  ],
  ['no TLS', () => ['--insecure', '--bearer-token=reader'], /it speaks TLS: leave out --insecure/],
] as const) {
  test(`${what}: answers name the server that they lack, and why`, async () => {
    const [stacks, warnings] = await askWith(what.replaceAll(' ', '-'), flagsOf());
    const sentence = `cannot read what server ${live.address} has not put into the bucket: `;
    for (const text of [stacks, warnings]) assert.ok(text.includes(sentence), text);
    const [, reason] = warnings.split(sentence);
    assert.match(reason, why);
  });
}
