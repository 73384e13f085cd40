// Tests hostile files of debug information, which are uploaded to a real server that then looks up
// names in them.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ServiceError, status } from '@grpc/grpc-js';
import { AppError } from '../../../src/base/errors.ts';
import { isFull } from '../../../src/base/testing/rounds.ts';
import {
  beginUpload,
  finishUpload,
  sendUpload,
  shouldUpload,
} from '../../support/debuginfo-client.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import {
  cutOffFiles,
  harmlessFile,
  hostileAddress,
  hostileBuildId,
  hostileFiles,
} from '../../support/hostile/hostile-elf.ts';
import { inspectElf } from '../../../src/debuginfo/quality.ts';
import { bytesSource } from '../../../src/symbolize/elf-file.ts';
import { withinCpuTime } from '../../fuzz/cpu-time.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';
import { unnamedProfile, unnamedTimeNanos } from '../../support/profiles/unnamed-profiles.ts';

/** Size in bytes above which files are uploaded only in test:full. */
const quickBytesMax = 1_500_000;

interface Uploaded {
  readonly name: string;
  readonly buildId: string;
  readonly hash: string;
  /** Reason why the server refused the file; "" if it accepted the file. */
  readonly refusal: string;
}

/** Returns a copy of the file with another build id, because all files have the same one. */
function withBuildId(bytes: Uint8Array, buildId: string): Uint8Array {
  const own = Buffer.from(bytes);
  const at = own.indexOf(Buffer.from(hostileBuildId, 'hex'));
  if (at >= 0) Buffer.from(buildId, 'hex').copy(own, at);
  return own;
}

/**
 * Returns the stacks of the profile once the server has no more lookups to do; fails after a
 * minute.
 */
async function namedStacks(server: TestServer): Promise<string> {
  const millis = Number(unnamedTimeNanos / 1_000_000n);
  const parameters = new URLSearchParams({
    query: 'app:samples:count:cpu:nanoseconds:delta{job="app"}',
    start: new Date(millis - 60_000).toISOString(),
    end: new Date(millis + 60_000).toISOString(),
    format: 'collapsed',
  });
  const giveUpMillis = performance.now() + 60_000;
  for (;;) {
    const response = await fetch(`${server.url}/api/v1/export?${parameters}`);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const warnings = [...response.headers].filter(([name]) => name.includes('warning')).join();
    if (!/being(%20| )looked/.test(warnings)) return text.trim();
    assert.ok(performance.now() < giveUpMillis, warnings);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Returns the numbers of addresses looked up so far, by result. */
async function lookedUp(server: TestServer): Promise<string> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return parseMetrics(text)
    .filter(({ name }) => name === 'parca_symbolizer_addresses_total')
    .map(({ labels, value }) => `${labels.get('result')} ${value}`)
    .join();
}

/** Number of truncated files of which one is uploaded. */
const cutOffStep = isFull ? 1 : 8;

const scratch = await scratchDirectory();
after(() => scratch.remove());

test('hostile uploads are refused or give fewer names, once, and the server lives on', async (t) => {
  const storagePath = join(scratch.path, 'data');
  const server = await startServer({ storagePath });
  after(() => server.stop());
  const client = connect(server.address);
  after(() => client.close());
  const files: { readonly name: string; make(): Uint8Array }[] = [
    { name: 'harmless', make: harmlessFile },
    ...hostileFiles,
    ...[...cutOffFiles()].filter((_, i) => i % cutOffStep === 0),
  ];
  const uploaded: Uploaded[] = [];
  for (const [i, { name, make }] of files.entries()) {
    // Making one of these files takes a second.
    if (!isFull && /MiB|million|MB/.test(name)) continue;
    const buildId = (i + 1).toString(16).padStart(40, 'ab');
    const content = withBuildId(make(), buildId);
    if (content.length === 0 || (!isFull && content.length > quickBytesMax)) continue;
    const offer = { buildId, hash: `hash ${i}` };
    const uploadId = await beginUpload(client, offer, content.length);
    let refusal = '';
    try {
      await sendUpload(client, { buildId, uploadId }, content);
      await finishUpload(client, { buildId, uploadId });
    } catch (error) {
      const { code, details } = error as ServiceError;
      assert.equal(code, status.INVALID_ARGUMENT, `${name}: ${details}`);
      refusal = details;
    }
    // The server does not want the same file again, whether it accepted or refused it.
    assert.equal(await shouldUpload(client, offer), false, name);
    uploaded.push({ name, buildId, hash: offer.hash, refusal });
  }
  const refused = uploaded.filter(({ refusal }) => refusal !== '');
  const kept = uploaded.filter(({ refusal }) => refusal === '');
  t.diagnostic(`${uploaded.length} uploads, ${refused.length} refused`);
  assert.ok(refused.length >= 8 && kept.length > 10, `${refused.length} of ${uploaded.length}`);

  const labels = { __name__: 'app', job: 'app' };
  const profile = unnamedProfile(
    kept.map(({ buildId }) => ({ path: '/app/server', buildId, addresses: [hostileAddress] })),
  );
  await unary(client, writeRawPath, writeRawRequest(labels, profile));
  const stacks = await namedStacks(server);
  assert.match(stacks, /^(plain|code) \d+$/m, 'the harmless file has names');
  // Results for files are kept, even the result that a file has no names.
  const before = await lookedUp(server);
  assert.equal(await namedStacks(server), stacks);
  assert.equal(await lookedUp(server), before);
  t.diagnostic(before);
});

test('what the server itself reads of a hostile file takes a second at most', async () => {
  for (const { name, make } of hostileFiles) {
    if (!isFull && /MiB/.test(name)) continue;
    const source = bytesSource(make());
    const inspect = (): Promise<unknown> =>
      inspectElf(source, hostileBuildId, 'gnu').catch((error: unknown) => {
        assert.ok(error instanceof AppError, `${name}: ${String(error)}`);
      });
    await withinCpuTime(1_000, inspect).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`, { cause: error });
    });
  }
});

test('a build id with the characters of a path stays within the folder', async () => {
  const storagePath = join(scratch.path, 'paths');
  const server = await startServer({ storagePath });
  after(() => server.stop());
  const client = connect(server.address);
  after(() => client.close());
  const content = harmlessFile();
  for (const buildId of [
    '../../../escaped',
    '/tmp/escaped',
    'a/../../b',
    '..',
    'a\0b',
    '%2e%2e%2f',
  ]) {
    const offer = { buildId, hash: 'h' };
    try {
      const uploadId = await beginUpload(client, offer, content.length);
      await sendUpload(client, { buildId, uploadId }, content);
      await finishUpload(client, { buildId, uploadId });
    } catch (error) {
      assert.equal((error as ServiceError).code, status.INVALID_ARGUMENT, buildId);
    }
  }
  const names = readdirSync(storagePath, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    names.filter((name) => /escaped|%2e/.test(name)),
    [],
  );
  for (const name of readdirSync(join(storagePath, 'debuginfo'))) {
    assert.match(name, /^[0-9a-f]{64}\.debuginfo\.(1|json)$|^names$/);
  }
  assert.deepEqual(
    readdirSync(scratch.path).filter((name) => name.includes('escaped')),
    [],
  );
});

test('of two uploads of one build id one wins, whole', async () => {
  const server = await startServer({ storagePath: join(scratch.path, 'race') });
  after(() => server.stop());
  const clients = [connect(server.address), connect(server.address)];
  after(() => clients.forEach((client) => client.close()));
  const content = harmlessFile();
  for (let round = 0; round < 8; round += 1) {
    const buildId = (round + 1).toString(16).padStart(40, 'cd');
    const own = withBuildId(content, buildId);
    const outcomes = await Promise.allSettled(
      clients.map(async (client, i) => {
        const offer = { buildId, hash: `hash ${i}`, force: round % 2 === 1 };
        const uploadId = await beginUpload(client, offer, own.length);
        await sendUpload(client, { buildId, uploadId }, own);
        await finishUpload(client, { buildId, uploadId });
      }),
    );
    const won = outcomes.filter(({ status: outcome }) => outcome === 'fulfilled').length;
    assert.ok(won >= 1, `round ${round}: ${JSON.stringify(outcomes)}`);
    // The second upload fails, or replaces the first if it is forced.
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      const { code } = outcome.reason as ServiceError;
      const codes: number[] = [
        status.FAILED_PRECONDITION,
        status.ALREADY_EXISTS,
        status.NOT_FOUND,
        status.ABORTED,
        status.INVALID_ARGUMENT,
      ];
      assert.ok(codes.includes(code), `round ${round}: ${String(outcome.reason)}`);
    }
    const [first] = clients;
    assert.equal(await shouldUpload(first, { buildId, hash: 'hash 0' }), false);
  }
});
