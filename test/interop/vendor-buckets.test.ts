// Tests buckets through the vendors' clients, with servers that implement their protocols.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createSdkLoader } from '../../cmd/sdk-loader.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type ObjectStorageConfig, plainBucketHttp } from '../../src/config/bucket-config.ts';
import type { Bucket } from '../../src/storage/object-store/bucket.ts';
import {
  makeBytes,
  checkBucket,
  makeObject,
} from '../../src/storage/object-store/fake/bucket-cases.ts';
import { openBucket } from '../../src/storage/object-store/open/open-bucket.ts';
import {
  azuriteAccount,
  azuriteConnection,
  type BucketServer,
  startAzurite,
  startFakeGcs,
} from '../support/bucket-servers.ts';

const machine = { files: createFiles(), clock: createClock(), random: createRandom() };
const mebi = 1_048_576;

interface Vendor {
  readonly name: string;
  start(): Promise<BucketServer>;
  bucket(endpoint: string, change: { readonly name?: string }): ObjectStorageConfig['bucket'];
}

const vendors: readonly Vendor[] = [
  {
    name: 'Google Cloud Storage',
    async start() {
      const server = await startFakeGcs();
      process.env['STORAGE_EMULATOR_HOST'] = `http://${server.endpoint}`;
      return server;
    },
    bucket: (_, { name = 'profiles' }) => ({
      type: 'GCS',
      bucket: name,
      serviceAccount: undefined,
      partBytes: 5 * mebi,
      attemptsMax: 3,
      http: plainBucketHttp,
    }),
  },
  {
    name: 'Azure',
    start: () => startAzurite(),
    bucket: (endpoint, { name = 'profiles' }) => ({
      type: 'AZURE',
      account: azuriteAccount,
      container: name,
      endpoint: 'unused.example',
      login: { kind: 'connection-string', text: azuriteConnection(endpoint) },
      createsContainer: name === 'profiles',
      attemptsMax: 3,
      attemptMillisMax: 0,
      http: plainBucketHttp,
    }),
  },
];

for (const vendor of vendors) {
  let server: BucketServer;
  before(async () => {
    server = await vendor.start();
  });
  after(() => server.remove());

  const open = (prefix = '', change: { readonly name?: string } = {}): Promise<Bucket> => {
    const config = { prefix, bucket: vendor.bucket(server.endpoint, change) };
    const loadSdk = createSdkLoader(silentLogger);
    return openBucket({ config, loadSdk, ...machine });
  };

  test(`${vendor.name} does what every bucket does, with and without a prefix`, async () => {
    for (const prefix of ['', 'a b/+ü']) {
      const bucket = await open(prefix);
      await checkBucket(bucket);
      await bucket.close();
    }
  });

  test(`${vendor.name}: large objects are stored in parts, whole or not at all`, async () => {
    const bucket = await open();
    const length = 17 * mebi + 12_345;
    await bucket.put('large', makeObject(length));
    assert.equal(await bucket.size('large'), length);
    const want = makeBytes(length);
    for (let at = 0; at < length; at += 4 * mebi) {
      const part = await bucket.readRange('large', at, Math.min(4 * mebi, length - at));
      assert.deepEqual(part, want.slice(at, at + 4 * mebi));
    }
    let reads = 0;
    const failing = {
      size: async () => length,
      read: async (into: Uint8Array) => {
        reads += 1;
        if (reads > 10) throw new Error('gone');
        return into.length;
      },
    };
    await assert.rejects(bucket.put('other', failing), /gone/);
    assert.deepEqual(await bucket.list('', () => true), [{ name: 'large', bytes: length }]);
    await bucket.remove('large');
    await bucket.close();
  });

  test(`${vendor.name}: more objects than one answer lists`, async () => {
    const bucket = await open('many');
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

  test(`${vendor.name}: of many servers, one makes an object`, async () => {
    const buckets = await Promise.all(Array.from({ length: 8 }, () => open('race')));
    for (let round = 0; round < 20; round += 1) {
      const made = await Promise.all(
        buckets.map((bucket, i) => bucket.putNew(`lease/${round}`, makeBytes(i + 1), `t${i}`)),
      );
      assert.equal(made.filter(Boolean).length, 1);
      assert.equal(await buckets[0].size(`lease/${round}`), made.indexOf(true) + 1);
    }
    await Promise.all(buckets.map((bucket) => bucket.close()));
  });

  test(`${vendor.name}: a closed bucket ends what it does, and nothing is left to fail`, async () => {
    const bucket = await open('closed');
    await bucket.put('a', makeObject(4 * mebi));
    await bucket.close();
    const objects = [makeObject(12 * mebi), makeObject(10)];
    for (const delayMillis of [0, 1, 2, 4, 8, 16, 32, 64]) {
      const one = await open('closed');
      const running = [
        one.readRange('a', 0, 4 * mebi),
        one.put('b', objects[0]),
        one.put('c', objects[1]),
        one.list('', () => true),
      ];
      const ended = Promise.allSettled(running);
      await setTimeout(delayMillis);
      await one.close();
      await ended;
    }
    // The client would report a failure in a later turn of the event loop.
    await setTimeout(500);
  });

  test(`${vendor.name}: a bucket that is not there is a clear error`, async () => {
    const bucket = await open('', { name: 'another' });
    const refusal = { code: 'failed-precondition', message: /cannot list .*404/ };
    const list = bucket.list('blocks', () => true);
    await assert.rejects(list, refusal);
    await bucket.close();
  });

  test(`${vendor.name}: an outage ends in an error, and is over when it is over`, async () => {
    const bucket = await open('outage');
    await bucket.put('a', makeObject(10));
    await server.stop();
    await assert.rejects(bucket.readRange('a', 0, 10), { code: 'unavailable' });
    await assert.rejects(bucket.put('b', makeObject(10 * mebi)), { code: 'unavailable' });
    await server.start();
    assert.deepEqual(await bucket.readRange('a', 0, 10), makeBytes(10));
    await bucket.close();
  });
}
