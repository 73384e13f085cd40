// Tests of requests with settings that S3 servers rarely need. test/interop/object-store.test.ts
// uses a real server.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { MemoryFiles } from '../../../base/fake/memory-files.ts';
import { createClock } from '../../../base/node/clock.ts';
import { seededRandom } from '../../../base/random.ts';
import type { S3Bucket } from '../../../config/bucket-config.ts';
import {
  type Answers,
  type CloudServer,
  startCloudServer,
} from '../../../http-client/fake/cloud-server.ts';
import type { Bucket } from '../bucket.ts';
import { makeBytes, makeObject } from '../fake/bucket-cases.ts';
import { loadTestSdk, s3Defaults } from '../fake/bucket-defaults.ts';
import { openBucket } from '../open/open-bucket.ts';

async function open(
  t: TestContext,
  change: Partial<S3Bucket>,
  answers: Answers,
  disk: Readonly<Record<string, Uint8Array>> = {},
): Promise<{ readonly bucket: Bucket; readonly server: CloudServer }> {
  const server = await startCloudServer(t, answers);
  const files = new MemoryFiles(seededRandom(1));
  for (const [path, content] of Object.entries(disk)) {
    const file = await files.open(path, { create: true });
    await file.append(content);
    await file.close();
  }
  const bucket = await openBucket({
    config: {
      prefix: '',
      bucket: {
        ...s3Defaults,
        bucket: 'bucket',
        endpoint: new URL(server.url).host,
        accessKey: 'id',
        secretKey: 'hidden',
        insecure: true,
        lookup: 'path',
        ...change,
      },
    },
    files,
    clock: createClock(),
    random: seededRandom(1),
    loadSdk: loadTestSdk,
  });
  t.after(() => bucket.close());
  return { bucket, server };
}

/** Returns the headers of the only request whose names match `name`, in order. */
function sentHeaders({ asked }: CloudServer, name: RegExp): Record<string, unknown> {
  assert.equal(asked.length, 1);
  return Object.fromEntries(Object.entries(asked[0].headers).filter(([one]) => name.test(one)));
}

test('metadata, storage class, MD5 and encryption by KMS are headers of what is stored', async (t) => {
  const change: Partial<S3Bucket> = {
    objectHeaders: new Map([
      ['x-amz-storage-class', 'STANDARD_IA'],
      ['x-amz-meta-team', 'a'],
    ]),
    sendsMd5: true,
    encryption: { kind: 'SSE-KMS', keyId: 'key', context: new Map([['a', 'b']]) },
  };
  const { bucket, server } = await open(t, change, { 'PUT /bucket/a': '' });
  await bucket.put('a', makeObject(10));
  assert.deepEqual(sentHeaders(server, /md5|meta|class|encryption/), {
    'content-md5': createHash('md5').update(makeBytes(10)).digest('base64'),
    'x-amz-meta-team': 'a',
    'x-amz-storage-class': 'STANDARD_IA',
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'key',
    'x-amz-server-side-encryption-context': 'eyJhIjoiYiJ9',
  });
  // All of these headers are signed.
  assert.match(
    String(server.asked[0].headers.authorization),
    /SignedHeaders=.*content-md5;.*x-amz-meta-team;.*x-amz-server-side-encryption;/,
  );
});

test('a key of the customer goes with what reads, too', async (t) => {
  const key = makeBytes(32);
  const encryption = { kind: 'SSE-C', keyFile: '/key' } as const;
  const answers = { 'HEAD /bucket/a': { json: {}, headers: { 'content-length': '2' } } };
  const { bucket, server } = await open(t, { encryption }, answers, { '/key': key });
  assert.equal(await bucket.size('a'), 2);
  assert.deepEqual(sentHeaders(server, /encryption/), {
    'x-amz-server-side-encryption-customer-algorithm': 'AES256',
    'x-amz-server-side-encryption-customer-key': Buffer.from(key).toString('base64'),
    'x-amz-server-side-encryption-customer-key-md5': createHash('md5').update(key).digest('base64'),
  });
  await assert.rejects(open(t, { encryption }, {}, { '/key': makeBytes(31) }), {
    code: 'failed-precondition',
    message: /encryption_key \/key: it has 31 bytes, not 32/,
  });
});

test('without parts, a large object is one request, which is read again when it fails', async (t) => {
  let tries = 0;
  const change = { hasParts: false, partBytes: 100_000 };
  const { bucket, server } = await open(t, change, {
    'PUT /bucket/a': () => {
      tries += 1;
      return tries === 1 ? 503 : '';
    },
  });
  const length = 2_500_001;
  await bucket.put('a', makeObject(length));
  const { headers } = server.asked[1];
  assert.equal(server.asked.length, 2);
  assert.equal(headers['content-length'], String(length));
  const hash = createHash('sha256').update(makeBytes(length)).digest('hex');
  assert.equal(headers['x-amz-content-sha256'], hash);
});

test('lists of version 1 go on after the last name', async (t) => {
  const page = (names: readonly string[], isMore: boolean): string => {
    const objects = names.map((name) => `<Contents><Key>f/${name}</Key><Size>1</Size></Contents>`);
    const more = `<IsTruncated>${isMore}</IsTruncated>`;
    return `<ListBucketResult>${more}${objects.join('')}</ListBucketResult>`;
  };
  const first = '/bucket/?delimiter=/&encoding-type=url&prefix=f/';
  const { bucket, server } = await open(
    t,
    { listVersion: 'v1' },
    {
      [`GET ${first}`]: page(['a', 'b+c'], true),
      'GET /bucket/?delimiter=/&encoding-type=url&marker=f/b c&prefix=f/': page(['d'], false),
    },
  );
  const listed = await bucket.list('f', () => true);
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['a', 'b c', 'd'],
  );
  assert.equal(server.asked.length, 2);
});

test('a range after the end of an object is missing data', async (t) => {
  const text = '<Error><Code>InvalidRange</Code></Error>';
  const { bucket } = await open(t, {}, { 'GET /bucket/a': { status: 416, text } });
  await assert.rejects(bucket.readRange('a', 9, 1), { code: 'data-loss' });
});
