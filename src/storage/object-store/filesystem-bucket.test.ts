import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { seededRandom } from '../../base/random.ts';
import type { Bucket } from './bucket.ts';
import { createFilesystemBucket } from './filesystem-bucket.ts';
import { checkBucket, makeObject } from './fake/bucket-cases.ts';

function open(prefix = ''): { files: MemoryFiles; bucket: Bucket } {
  const files = new MemoryFiles(seededRandom(1));
  return { files, bucket: createFilesystemBucket({ files, directory: '/bucket', prefix }) };
}

test('does what every bucket does', () => checkBucket(open('some/prefix').bucket));

test('keys that leave the folder are refused by every method', async () => {
  const { bucket } = open();
  const keys = ['..', '../a', 'a/../../b', '/etc/passwd', 'a//b', 'a\\..\\b', 'a\0b', '', 'a/.'];
  const refused = { code: 'invalid-argument', message: /cannot use object key/ };
  for (const key of [...keys, 'x'.repeat(1_025), '\ud800', 'a.tmp']) {
    await assert.rejects(bucket.put(key, makeObject(1)), refused, key);
    await assert.rejects(bucket.readRange(key, 0, 1), refused, key);
    await assert.rejects(bucket.size(key), refused, key);
    await assert.rejects(bucket.remove(key), refused, key);
    if (key !== '')
      await assert.rejects(
        bucket.list(key, () => true),
        refused,
        key,
      );
  }
  assert.throws(() => open('a/../..'), refused);
});

test('a put that fails leaves what was there, and the next one succeeds', async () => {
  const { files, bucket } = open();
  await bucket.put('a', makeObject(10));
  for (const call of ['append', 'sync', 'rename'] as const) {
    files.addFault({ call, skip: 0, times: 1, errno: 'ENOSPC' });
    await assert.rejects(bucket.put('a', makeObject(20)), { code: 'resource-exhausted' });
    assert.equal(await bucket.size('a'), 10);
  }
  assert.deepEqual(await bucket.list('', () => true), [{ name: 'a', bytes: 10 }]);
  await bucket.put('a', makeObject(20));
  assert.equal(await bucket.size('a'), 20);
});
