// Test cases that every type of bucket must pass.
import assert from 'node:assert/strict';
import type { File } from '../../../base/files.ts';
import { seededRandom } from '../../../base/random.ts';
import type { Bucket } from '../bucket.ts';

type Source = Pick<File, 'read' | 'size'>;

/** Returns bytes that depend only on the length. */
export function makeBytes(length: number): Uint8Array {
  const random = seededRandom(length + 1);
  return Uint8Array.from({ length }, () => random.uint32() & 255);
}

/** Returns a source with the content `makeBytes(length)`. */
export function makeObject(length: number): Source {
  return makeSource(makeBytes(length));
}

/** Returns a source with these bytes. */
export function makeSource(bytes: Uint8Array): Source {
  return {
    size: async () => bytes.length,
    read: async (into, offset) => {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/**
 * Runs all cases in an empty bucket and leaves it empty.
 *
 * @param makesAtOnce false for a server that checks for an object and then writes it:
 *   several requests at the same time may all create it
 */
export async function checkBucket(bucket: Bucket, makesAtOnce = true): Promise<void> {
  const all = (): boolean => true;
  assert.deepEqual(await bucket.list('blocks', all), []);
  assert.equal(await bucket.size('blocks/a'), undefined);
  await assert.rejects(bucket.readRange('blocks/a', 0, 1), { code: 'not-found' });

  const lengths = { a: 0, b: 1, 'c (1) +ü': 70_000, d: 5_000_000 };
  for (const [name, length] of Object.entries(lengths)) {
    await bucket.put(`blocks/${name}`, makeObject(length));
    assert.equal(await bucket.size(`blocks/${name}`), length);
    const read = await bucket.readRange(`blocks/${name}`, 0, length);
    assert.deepEqual(read, makeBytes(length));
  }
  const want = Object.entries(lengths).map(([name, bytes]) => ({ name, bytes }));
  assert.deepEqual(await bucket.list('blocks', all), want);
  assert.deepEqual(await bucket.list('blocks', (name) => name === 'b'), [{ name: 'b', bytes: 1 }]);
  assert.deepEqual(await bucket.list('bloc', all), []);

  const make = (i: number): Promise<boolean> => bucket.putNew('x/1', makeBytes(i), `t${i}`);
  const made = makesAtOnce
    ? await Promise.all([1, 2, 3].map(make))
    : [await make(1), await make(2), await make(3)];
  assert.equal(made.filter(Boolean).length, 1);
  assert.equal(await bucket.size('x/1'), 1 + made.indexOf(true));
  await bucket.remove('x/1');
  assert.equal(await bucket.putNew('x/1', makeBytes(9), 't'), true);
  await bucket.remove('x/1');

  await bucket.put('more/a/b', makeObject(1));
  const folders = (await bucket.folders()).filter((name) => name !== 'x');
  assert.deepEqual(folders, ['blocks', 'more']);
  await bucket.remove('more/a/b');

  const part = await bucket.readRange('blocks/d', 4_321_000, 1_000);
  assert.deepEqual(part, makeBytes(5_000_000).slice(4_321_000, 4_322_000));
  await assert.rejects(bucket.readRange('blocks/d', 4_999_999, 2), { code: 'data-loss' });

  await bucket.put('blocks/d', makeObject(3));
  assert.deepEqual(await bucket.readRange('blocks/d', 0, 3), makeBytes(3));

  for (const name of [...Object.keys(lengths), 'never']) await bucket.remove(`blocks/${name}`);
  assert.deepEqual(await bucket.list('blocks', all), []);
}
