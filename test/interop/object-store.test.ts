// Buckets of a real S3 server and of a real folder.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { plainHttpClient, type S3Bucket } from '../../src/config/config.ts';
import { startCloudServer } from '../../src/http-client/fake/cloud-server.ts';
import { AwsLogin } from '../../src/http-client/logins/aws-login.ts';
import { createRareSend } from '../../src/http-client/send.ts';
import type { Bucket } from '../../src/storage/object-store/bucket.ts';
import {
  makeBytes,
  checkBucket,
  makeObject,
} from '../../src/storage/object-store/fake/bucket-cases.ts';
import { openBucket } from '../../src/storage/object-store/open-bucket.ts';
import { createS3Bucket } from '../../src/storage/object-store/s3-bucket.ts';
import { s3Place } from '../../src/storage/object-store/s3-place.ts';
import { startMinio, type Minio } from '../support/minio.ts';

let minio: Minio;
before(async () => {
  minio = await startMinio();
});
after(() => minio.remove());

const machine = { files: createFiles(), clock: createClock(), random: createRandom() };

function open(change: Partial<S3Bucket> = {}, prefix = '', environment = {}): Bucket {
  const bucket = { ...minio.config, ...change };
  return openBucket({ config: { prefix, bucket }, environment, ...machine });
}

test('S3 does what every bucket does, with and without a prefix', async () => {
  for (const prefix of ['', 'a b/+ü']) {
    const bucket = open({}, prefix);
    await checkBucket(bucket);
    await bucket.close();
  }
});

test('a folder does what every bucket does', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'parca-test-'));
  const bucket = { type: 'FILESYSTEM', directory } as const;
  await checkBucket(openBucket({ config: { prefix: 'p', bucket }, environment: {}, ...machine }));
  await rm(directory, { recursive: true });
});

test('large objects are stored in parts', async () => {
  const { config } = minio;
  // S3 wants 5 MiB at least of every part but the last.
  const partBytes = 5 * 1024 * 1024;
  const bucket = createS3Bucket({
    place: s3Place(config),
    prefix: '',
    keys: { current: async () => config, forget: () => undefined },
    partBytes,
    ...machine,
  });
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
  const bucket = open({}, 'many');
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
    const bucket = open(change);
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
    /403 SignatureDoesNotMatch, access is denied; check the keys/,
  );
  await check({ accessKey: 'wrong' }, /403 InvalidAccessKeyId, access is denied; check the keys/);
  await check({ bucket: 'another' }, /404 NoSuchBucket/);
});

test('keys come from the environment when the configuration has none', async () => {
  const { accessKey, secretKey } = minio.config;
  const none = { accessKey: '', secretKey: '' };
  const environment = { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey };
  const bucket = open(none, '', environment);
  assert.deepEqual(await bucket.list('blocks', () => true), []);
  await bucket.close();
  const noKeys = open(none, '', { AWS_EC2_METADATA_DISABLED: 'true' });
  await assert.rejects(
    noKeys.list('blocks', () => true),
    { code: 'failed-precondition', message: /set access_key and secret_key/ },
  );
  await noKeys.close();
});

test('keys of a machine come from its metadata, with their token, and are renewed', async (t) => {
  const { accessKey, secretKey, endpoint } = minio.config;
  let given = 0;
  /** Keys of MinIO's own STS, in the form of the metadata service. */
  const newKeys = async (): Promise<object> => {
    const login = new AwsLogin(
      {
        region: 'us-east-1',
        accessKey,
        secretKey,
        profile: '',
        roleArn: 'arn:minio:iam:::role/any',
        externalId: '',
        stsUrl: `http://${endpoint}/`,
      },
      { ...machine, environment: {} },
    );
    const config = plainHttpClient;
    const send = createRareSend({ config, intervalMillis: 0, userAgent: 'test', ...machine });
    const keys = await login.credentials(send);
    given += 1;
    return {
      Code: 'Success',
      Type: 'AWS-HMAC',
      AccessKeyId: keys.accessKey,
      SecretAccessKey: keys.secretKey,
      Token: keys.sessionToken,
      // A life of two seconds: the keys are used for half of it.
      Expiration: new Date(Date.now() + 2_000).toISOString(),
    };
  };
  let next = await newKeys();
  const role = '/latest/meta-data/iam/security-credentials/';
  const metadata = await startCloudServer(t, {
    'PUT /latest/api/token': 'imds',
    [`GET ${role}`]: 'parca',
    [`GET ${role}parca`]: () => ({
      ...next,
      Expiration: new Date(Date.now() + 2_000).toISOString(),
    }),
  });
  const bucket = open({ accessKey: '', secretKey: '' }, 'machine', {
    HOME: '/none',
    AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url,
  });
  const looks = (): number => metadata.asked.filter(({ url }) => url === `${role}parca`).length;
  await bucket.put('a', makeObject(10));
  assert.equal(looks(), 1);
  next = await newKeys();
  await setTimeout(1_100);
  assert.deepEqual(await bucket.readRange('a', 0, 10), makeBytes(10));
  assert.equal(looks(), 2, 'renewed before the keys end');
  assert.equal(given, 2);
  await bucket.remove('a');
  await bucket.close();
});

test('an outage ends in an error, and is over when it is over', async () => {
  const bucket = open();
  await bucket.put('a', makeObject(10));
  await minio.stop();
  await assert.rejects(bucket.readRange('a', 0, 10), { code: 'unavailable' });
  await minio.start();
  assert.deepEqual(await bucket.readRange('a', 0, 10), makeBytes(10));
  await bucket.remove('a');
  await bucket.close();
});
