import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { AppError } from '../../base/errors.ts';
import { leaseMarginMillis, leaseRenewMillis, leaseTermMillis } from '../limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { randomBelow, seededRandom } from '../../base/random.ts';
import { createFilesystemBucket } from './filesystem-bucket.ts';
import { Lease } from './lease.ts';

const bucketFiles = (): MemoryFiles => new MemoryFiles(seededRandom(1));

/**
 * Returns a contender for the lease. It has its own clock, and its bucket can be made unavailable.
 * `holder` identifies the process, and `lockName` its data directory.
 */
function contender(holder: string, files: MemoryFiles, lockName = `lock-${holder}`) {
  const clock = createFakeClock();
  const errors: string[] = [];
  let isAway = false;
  const bucket = createFilesystemBucket({ files, directory: '/b', prefix: 'p' });
  const orAway = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isAway) throw new AppError('unavailable', 'away');
    return work();
  };
  const lease = new Lease({
    holder,
    lockName,
    host: `host-${holder}`,
    clock,
    logger: silentLogger,
    bucket: {
      ...bucket,
      list: (folder, isWanted) => orAway(() => bucket.list(folder, isWanted)),
      putNew: (key, content, token) => orAway(() => bucket.putNew(key, content, token)),
    },
    onLost: ({ message }) => void errors.push(message),
  });
  return { clock, errors, lease, lockName, setAway: (value: boolean) => void (isAway = value) };
}

test('one server has the lease; another stops when it sees that it is renewed', async () => {
  const files = bucketFiles();
  const [first, second] = [contender('a', files), contender('b', files)];
  await first.lease.renew();
  assert.equal(first.lease.isHeld, true);
  await second.lease.renew();
  assert.deepEqual([second.lease.isHeld, second.errors], [false, []]);
  await first.lease.renew();
  await second.lease.renew();
  assert.equal(second.lease.isHeld, false);
  assert.deepEqual(second.errors, [
    'cannot use bucket /b/p: the server on host-a uses it: give each server a prefix of its own',
  ]);
  assert.deepEqual([first.lease.isHeld, first.errors], [true, []]);
});

test('a stop gives it up at once, a death after a term', async () => {
  const files = bucketFiles();
  const first = contender('a', files);
  await first.lease.start();
  await first.lease.stop();
  const second = contender('b', files);
  await second.lease.renew();
  assert.equal(second.lease.isHeld, true);
  const third = contender('c', files);
  await third.lease.renew();
  await third.clock.advance(leaseTermMillis);
  await third.lease.renew();
  assert.equal(third.lease.isHeld, false);
  await third.clock.advance(1);
  await third.lease.renew();
  assert.equal(third.lease.isHeld, true);
  // The second server now continues after a long pause.
  await second.lease.renew();
  assert.match(second.errors.join(), /^cannot use bucket/);
});

test('the next process of a data directory has it at once; a copy of the directory waits', async () => {
  const files = bucketFiles();
  const killed = contender('a', files, 'x');
  await killed.lease.renew();
  const copy = contender('b', files, 'copy of x');
  const unlocked = contender('c', files, '');
  const next = contender('d', files, 'x');
  for (const { lease } of [copy, unlocked, next]) await lease.renew();
  const held = [copy, unlocked, next].map(({ lease }) => lease.isHeld);
  assert.deepEqual(held, [false, false, true]);
  await copy.lease.renew();
  assert.match(copy.errors.join(), /the server on host-d uses it/);
});

test('a renewal that a killed server had sent comes between', async () => {
  const files = bucketFiles();
  const killed = contender('a', files, 'x');
  await killed.lease.renew();
  const next = contender('b', files, 'x');
  await Promise.all([killed.lease.renew(), next.lease.renew()]);
  await next.lease.renew();
  assert.equal(next.lease.isHeld, true);
});

test('without the bucket the lease ends before another server can have it', async () => {
  const files = bucketFiles();
  const first = contender('a', files);
  await first.lease.renew();
  first.setAway(true);
  await first.clock.advance(leaseTermMillis - leaseMarginMillis);
  await first.lease.renew();
  assert.deepEqual([first.lease.isHeld, first.errors], [false, []]);
  first.setAway(false);
  await first.lease.renew();
  assert.equal(first.lease.isHeld, true);
});

test('whatever is late, no two servers hold it at once', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seededRandom(seed);
    const files = bucketFiles();
    const all = ['a', 'b', 'c'].map((name) => contender(name, files));
    const done: Promise<void>[] = [];
    for (let i = 0; i < 60; i += 1) {
      const at = randomBelow(random, 3);
      const one = all[at];
      const event = randomBelow(random, 10);
      if (event === 0) one.setAway(randomBelow(random, 2) === 0);
      // The calls of several servers overlap.
      if (event < 7) done.push(one.lease.renew());
      if (event === 7) await Promise.all(done.splice(0));
      // A server is killed and started again. Requests of the old process may still arrive.
      if (event === 8) all[at] = contender(`${one.lockName}-${i}`, files, one.lockName);
      const millis = randomBelow(random, 2 * leaseRenewMillis);
      for (const { clock } of all) await clock.advance(millis);
      assert.ok(all.filter(({ lease }) => lease.isHeld).length <= 1, `seed ${seed}, event ${i}`);
    }
    await Promise.all(done);
  }
});
