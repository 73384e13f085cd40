// Tests buckets on a real S3 server and in a real folder.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import type { S3Bucket } from '../../src/config/bucket-config.ts';
import type { Bucket } from '../../src/storage/object-store/bucket.ts';
import {
  makeBytes,
  checkBucket,
  makeObject,
} from '../../src/storage/object-store/fake/bucket-cases.ts';
import { loadTestSdk } from '../../src/storage/object-store/fake/bucket-defaults.ts';
import { openBucket } from '../../src/storage/object-store/open/open-bucket.ts';
import { makeCertificate } from '../support/bucket-servers.ts';
import { startMinio, type Minio } from '../support/minio.ts';

let minio: Minio;
before(async () => {
  minio = await startMinio();
});
after(() => minio.remove());

const machine = { files: createFiles(), clock: createClock(), random: createRandom() };

function open(change: Partial<S3Bucket> = {}, prefix = ''): Promise<Bucket> {
  const bucket = { ...minio.config, ...change };
  return openBucket({ config: { prefix, bucket }, loadSdk: loadTestSdk, ...machine });
}

test('S3 does what every bucket does, with and without a prefix', async () => {
  for (const prefix of ['', 'a b/+ü']) {
    const bucket = await open({}, prefix);
    await checkBucket(bucket);
    await bucket.close();
  }
});

test('a folder does what every bucket does', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parca-test-'));
  const bucket = { type: 'FILESYSTEM', directory } as const;
  const config = { prefix: 'p', bucket };
  await checkBucket(await openBucket({ config, loadSdk: loadTestSdk, ...machine }));
  await rm(directory, { recursive: true });
});

test('large objects are stored in parts', async () => {
  // S3 requires at least 5 MiB for every part but the last.
  const partBytes = 5 * 1024 * 1024;
  const bucket = await open({ partBytes });
  const length = 2 * partBytes + 12_345;
  await bucket.put('large', makeObject(length));
  assert.equal(await bucket.size('large'), length);
  assert.deepEqual(await bucket.readRange('large', 0, length), makeBytes(length));
  const failing = { size: async () => length, read: () => Promise.reject(new Error('gone')) };
  await assert.rejects(bucket.put('other', failing), /gone/);
  assert.deepEqual(await bucket.list('', () => true), [{ name: 'large', bytes: length }]);
  await bucket.remove('large');
  await bucket.close();
});

test('more objects than one answer lists', async () => {
  const bucket = await open({}, 'many');
  const names = Array.from({ length: 1_050 }, (_, i) => `object-${String(i).padStart(5, '0')}`);
  for (let i = 0; i < names.length; i += 25) {
    const some = names.slice(i, i + 25);
    await Promise.all(some.map((name) => bucket.put(`folder/${name}`, makeObject(1))));
  }
  const listed = await bucket.list('folder', () => true);
  assert.deepEqual(
    listed.map(({ name }) => name),
    names,
  );
  await bucket.close();
});

test('wrong keys and names are clear errors', async () => {
  const check = async (change: Partial<S3Bucket>, message: RegExp): Promise<void> => {
    const bucket = await open(change);
    const refusal = { code: 'failed-precondition', message };
    await assert.rejects(
      bucket.list('blocks', () => true),
      refusal,
    );
    await assert.rejects(bucket.put('blocks/a', makeObject(1)), refusal);
    await bucket.close();
  };
  await check(
    { secretKey: 'wrong' },
    /403 SignatureDoesNotMatch: .*; access is denied; check access_key/,
  );
  await check(
    { accessKey: 'wrong' },
    /403 InvalidAccessKeyId: .*; access is denied; check access_key/,
  );
  await check({ bucket: 'another' }, /404 NoSuchBucket/);
});

test('S3 encrypts objects, and needs the key of the customer to read them', async (t) => {
  const kms = Buffer.from(makeBytes(32)).toString('base64');
  const encrypting = await startMinio({
    environment: { MINIO_KMS_SECRET_KEY: `test-key:${kms}` },
    makeTls: (folder) => makeCertificate(folder, 'IP:127.0.0.1'),
  });
  t.after(() => encrypting.remove());
  const openWith = (encryption: S3Bucket['encryption']): Promise<Bucket> =>
    openBucket({
      config: { prefix: '', bucket: { ...encrypting.config, encryption, partBytes: 5 << 20 } },
      loadSdk: loadTestSdk,
      ...machine,
    });
  const keyFile = join(await mkdtemp(join(tmpdir(), 'parca-key-')), 'key');
  await writeFile(keyFile, makeBytes(32));
  t.after(() => rm(dirname(keyFile), { recursive: true }));
  const context = new Map([['team', 'a']]);
  const plain = await openWith(undefined);
  const kinds = [
    { kind: 'SSE-S3' },
    { kind: 'SSE-KMS', keyId: 'test-key', context },
    { kind: 'SSE-C', keyFile },
  ] as const;
  for (const encryption of kinds) {
    const bucket = await openWith(encryption);
    await checkBucket(bucket);
    const large = 6 << 20;
    await bucket.put('large', makeObject(large));
    assert.deepEqual(await bucket.readRange('large', large - 5, 5), makeBytes(large).slice(-5));
    const byOthers = plain.readRange('large', 0, 5);
    if (encryption.kind === 'SSE-C') await assert.rejects(byOthers, /cannot read object large/);
    else assert.deepEqual(await byOthers, makeBytes(large).slice(0, 5));
    // The files on the server's disk do not contain any part of the object.
    const stored = await readdir(encrypting.folder, { recursive: true, withFileTypes: true });
    const piece = Buffer.from(makeBytes(large).slice(1_000, 1_016));
    for (const entry of stored.filter((one) => one.isFile() && /part\.\d+/.test(one.name))) {
      const content = await readFile(join(entry.parentPath, entry.name));
      assert.equal(content.indexOf(piece), -1, `${entry.name} is not encrypted`);
    }
    await bucket.remove('large');
    await bucket.close();
  }
  await plain.close();
});

test('S3 without parts, with lists of version 1 and MD5, does what every bucket does', async () => {
  const bucket = await open(
    {
      hasParts: false,
      partBytes: 1_000_000,
      listVersion: 'v1',
      sendsMd5: true,
      objectHeaders: new Map([['x-amz-meta-team', 'a']]),
    },
    'other',
  );
  await checkBucket(bucket);
  await bucket.close();
});

test('an outage ends in an error, and is over when it is over', async () => {
  const bucket = await open();
  await bucket.put('a', makeObject(10));
  await minio.stop();
  await assert.rejects(bucket.readRange('a', 0, 10), { code: 'unavailable' });
  await minio.start();
  assert.deepEqual(await bucket.readRange('a', 0, 10), makeBytes(10));
  await bucket.remove('a');
  await bucket.close();
});
