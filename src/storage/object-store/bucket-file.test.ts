import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { AppError } from '../../base/errors.ts';
import { freeDiskBytesMin, objectPageBytes } from '../../base/limits.ts';
import { objectOutageMillis, objectReadsAtOnceMax } from '../limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { noMetrics } from '../../base/metrics.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { BucketFile } from './bucket-file.ts';
import type { Bucket } from './bucket.ts';
import { makeBytes, makeSource } from './fake/bucket-cases.ts';
import { createFilesystemBucket } from './filesystem-bucket.ts';
import { openPageCache, type PageCache } from './page-cache.ts';
import { RangeReader } from './range-reader.ts';

const pages = 40;
const content = makeBytes(pages * objectPageBytes - 1_000);

class World {
  readonly files = new MemoryFiles(seededRandom(1));
  readonly clock = createFakeClock();
  /** Ranges that were requested from the bucket. */
  readonly ranges: [offset: number, length: number][] = [];
  failure: AppError | undefined;
  /** True if the bucket hangs instead of answering. */
  hangs = false;
  readonly bucket: Bucket;
  readonly reader: RangeReader;

  constructor() {
    const bucket = createFilesystemBucket({
      files: this.files,
      directory: '/bucket',
      prefix: '',
    });
    this.bucket = {
      ...bucket,
      readRange: async (key, offset, length, signal) => {
        this.ranges.push([offset, length]);
        if (this.hangs) await hang(signal);
        if (this.failure !== undefined) throw this.failure;
        return bucket.readRange(key, offset, length);
      },
    };
    this.reader = new RangeReader(this.bucket, this.clock, noMetrics);
  }

  openCache(bytesMax: number, memoryBytesMax = 0): Promise<PageCache> {
    return openPageCache({
      files: this.files,
      directory: '/cache',
      bytesMax,
      memoryBytesMax,
      logger: silentLogger,
      metrics: noMetrics,
    });
  }

  open(cache: PageCache): BucketFile {
    const { reader } = this;
    return new BucketFile({ key: 'a', name: 'a', bytes: content.length, reader, cache });
  }

  async check(file: BucketFile, offset: number, length: number): Promise<void> {
    const into = new Uint8Array(length);
    const count = await file.read(into, offset);
    assert.deepEqual(into.subarray(0, count), content.slice(offset, offset + length));
  }
}

/** Waits until the signal is aborted, and then rejects. */
function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('the socket was closed')));
  });
}

async function newWorld(): Promise<World> {
  const world = new World();
  await world.bucket.put('a', makeSource(content));
  return world;
}

const page = objectPageBytes;

test('reads what is there, wherever it begins and ends', async () => {
  const world = await newWorld();
  const random = seededRandom(7);
  for (const bytesMax of [0, 5 * page, 100 * page]) {
    const cache = await world.openCache(bytesMax, 3 * page);
    const file = world.open(cache);
    assert.equal(await file.size(), content.length);
    for (let i = 0; i < 60; i += 1) {
      const length = randomBelow(random, 2 ** randomBelow(random, 24));
      await world.check(file, randomBelow(random, content.length + 10), length);
    }
    await world.check(file, 0, content.length + 5);
    await cache.close();
  }
});

test('asks for whole pages, neighbours by one request, and not again', async () => {
  const world = await newWorld();
  const cache = await world.openCache(100 * page);
  const file = world.open(cache);
  await world.check(file, 3 * page + 10, 20);
  assert.deepEqual(world.ranges, [[3 * page, page]]);
  await cache.close();
  await world.check(file, page, 5 * page);
  assert.deepEqual(world.ranges.slice(1), [
    [page, 2 * page],
    [4 * page, 2 * page],
  ]);
  await cache.close();
  await world.check(file, page, 5 * page);
  assert.equal(world.ranges.length, 3);
  // This long read takes several requests. The last page is shorter.
  await world.check(file, 10 * page, content.length);
  assert.deepEqual(world.ranges.slice(3), [
    [10 * page, 16 * page],
    [26 * page, content.length - 26 * page],
  ]);
  await cache.close();
});

test('several readers of a page share one request', async () => {
  const world = await newWorld();
  const cache = await world.openCache(100 * page);
  const file = world.open(cache);
  await Promise.all([world.check(file, 5, 5), world.check(file, 0, page), world.check(file, 9, 9)]);
  assert.deepEqual(world.ranges, [[0, page]]);
  await cache.close();
});

test('the cache outlives the process, is checked, and may be emptied at any time', async () => {
  const world = await newWorld();
  const first = await world.openCache(100 * page);
  await world.check(world.open(first), 0, 4 * page);
  await first.close();
  const names = await world.files.list('/cache');
  assert.deepEqual(
    names,
    [0, 1, 2, 3].map((it) => `a.${it}.${page}.page`),
  );

  world.files.flipBit(`/cache/${names[1]}`, 100, 3);
  await world.files.remove(`/cache/${names[2]}`);
  world.ranges.length = 0;
  const second = await world.openCache(100 * page);
  await world.check(world.open(second), 0, 4 * page);
  assert.deepEqual(world.ranges, [[page, 2 * page]]);
  await second.close();

  for (const name of await world.files.list('/cache')) await world.files.remove(`/cache/${name}`);
  await world.check(world.open(second), 0, 4 * page);
  await second.close();
});

test('the cache stays within its limit, and a full disk only makes it smaller', async () => {
  const world = await newWorld();
  const cache = await world.openCache(5 * page);
  const file = world.open(cache);
  await world.check(file, 0, content.length);
  await cache.close();
  const names = await world.files.list('/cache');
  // The last page is a little shorter.
  assert.equal(names.length, 5);
  assert.deepEqual(
    names.filter((name) => name.endsWith('.tmp')),
    [],
  );

  world.files.addFault({ call: 'append', skip: 0, times: Infinity, errno: 'ENOSPC' });
  await world.check(file, 0, content.length);
  await cache.close();
  world.files.clearFaults();

  world.files.freeBytesLeft = freeDiskBytesMin;
  cache.forget('a');
  await world.check(file, 0, content.length);
  await cache.close();
  const left = await world.files.list('/cache');
  assert.deepEqual(
    left.filter((name) => name.endsWith('.page')),
    [],
  );
  const again = await world.openCache(5 * page);
  assert.deepEqual(await world.files.list('/cache'), []);
  await again.close();
});

test('in an outage only the first read waits; another object that is damaged is no outage', async () => {
  const world = await newWorld();
  const cache = await world.openCache(0);
  const file = world.open(cache);
  world.failure = new AppError('unavailable', 'cannot read object a: refused');
  await assert.rejects(world.check(file, 0, 1), { message: 'cannot read object a: refused' });
  const inOutage = { code: 'unavailable', message: /the bucket does not answer: .* refused$/ };
  await assert.rejects(world.check(file, 0, 1), inOutage);
  assert.equal(world.ranges.length, 1);
  await world.clock.advance(objectOutageMillis);
  world.failure = new AppError('data-loss', 'cannot read object a: it is short');
  await assert.rejects(world.check(file, 0, 1), { code: 'data-loss' });
  world.failure = undefined;
  await world.check(file, 0, 1);
});

test('a request ends with the last of its readers, which is no outage', async () => {
  const world = await newWorld();
  const cache = await world.openCache(0);
  const file = world.open(cache);
  world.hangs = true;
  const gone = new AppError('cancelled', 'the caller has gone');
  const callers = [new AbortController(), new AbortController()];
  const [first, second] = callers.map(({ signal }) => file.read(new Uint8Array(9), 0, signal));
  callers[0].abort(gone);
  await assert.rejects(first, gone);
  const third = new AbortController();
  const joined = file.read(new Uint8Array(9), 5, third.signal);
  callers[1].abort(gone);
  await assert.rejects(second, gone);
  assert.deepEqual(world.ranges, [[0, page]]);
  third.abort(gone);
  await assert.rejects(joined, gone);
  await assert.rejects(file.read(new Uint8Array(9), 0, third.signal), gone);
  assert.equal(world.ranges.length, 1);
  world.hangs = false;
  await world.check(file, 0, 9);
  assert.equal(world.ranges.length, 2);
});

test('a read that waits for its turn ends with its caller, and the turns come back', async () => {
  const world = await newWorld();
  const cache = await world.openCache(0);
  world.hangs = true;
  const gone = new AppError('cancelled', 'the caller has gone');
  const caller = new AbortController();
  const reads = Array.from({ length: objectReadsAtOnceMax + 3 }, () =>
    world.open(cache).read(new Uint8Array(9), 0, caller.signal),
  );
  const settled = Promise.allSettled(reads);
  await world.clock.advance(0);
  caller.abort(gone);
  for (const one of await settled) assert.equal(one.status === 'rejected' && one.reason, gone);
  assert.ok(world.ranges.length <= objectReadsAtOnceMax);
  world.hangs = false;
  await Promise.all(reads.map(() => world.check(world.open(cache), 0, 9)));
});
