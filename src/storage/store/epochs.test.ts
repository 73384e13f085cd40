// Tests that heads become blocks: with crashes at every step, with faults and retries, and with
// several heads at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createFakeClock, type FakeClock } from '../../base/fake/clock.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import type { Files } from '../../base/files.ts';
import { silentLogger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { createClock } from '../../base/node/clock.ts';
import { seededRandom } from '../../base/random.ts';
import { openStore } from './open-store.ts';
import type { StoreLimits, Store } from './store.ts';
import { internStack } from '../fake/intern.ts';
import { readProfiles, type ExpectedProfile } from '../fake/workload.ts';
import type { Storage } from '../interface.ts';
import type { Durability } from '../wal/segments.ts';

const path = '/data';
const hour = 3_600_000_000_000n;
/** Limits in which the delay before a retry is so short that tests do not have to wait for it. */
const limits: Partial<StoreLimits> = {
  rowSegmentBytes: 16_384,
  walSegmentBytesMax: 1_000,
  cutRetryMillisMin: 1,
};

class Bench {
  readonly files: MemoryFiles;
  readonly counters = new Map<string, number>();
  readonly #random;

  constructor(seed = 1) {
    this.#random = seededRandom(seed);
    this.files = new MemoryFiles(this.#random);
  }

  open(
    options: {
      readonly clock?: ReturnType<typeof createClock>;
      readonly durability?: Durability;
      readonly files?: Files;
      readonly limits?: Partial<StoreLimits>;
    } = {},
  ): Promise<Store> {
    const metrics: Metrics = {
      counter: (name) => ({
        add: (by = 1) => this.counters.set(name, (this.counters.get(name) ?? 0) + by),
      }),
      gauge: () => ({ set: () => undefined }),
      observedGauge: () => undefined,
      histogram: () => ({ observe: () => undefined }),
    };
    return openStore({
      path,
      files: this.files.forProcess(),
      clock: createClock(),
      random: this.#random,
      logger: silentLogger,
      metrics,
      limits,
      ...options,
    });
  }

  count(name: string): number {
    return this.counters.get(`parca_storage_${name}`) ?? 0;
  }

  /** Returns the file names in a folder of the store. */
  names(folder: string): string[] {
    const prefix = `${path}/${folder}/`;
    return this.files
      .paths()
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  }
}

/** Writes a profile whose content depends only on its time. */
async function write(storage: Storage, timeNanos: bigint): Promise<void> {
  const appender = storage.appender();
  const count = BigInt.asUintN(16, timeNanos) + 1n;
  const stack = internStack(appender.dictionary, [`at_${timeNanos}`, 'main']);
  appender.append({
    labels: [{ name: 'instance', value: `host-${timeNanos % 3n}` }],
    name: 'process_cpu',
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: 10_000_000n,
    timeNanos,
    durationNanos: 1n,
    rowCount: 1,
    stacks: Uint32Array.of(stack),
    values: [BigInt64Array.of(count), BigInt64Array.of(count * 10_000_000n)],
    sampleLabels: undefined,
    contentHash: timeNanos,
  });
  await appender.commit();
}

/** Returns the time until `done` resolves, in milliseconds; `millisMax` if it takes longer. */
async function millisUntil(
  clock: FakeClock,
  done: Promise<void>,
  millisMax: number,
): Promise<number> {
  const begin = clock.monotonicMillis();
  let isDone = false;
  void done.then(() => (isDone = true));
  const passed = (): number => clock.monotonicMillis() - begin;
  while (!isDone && passed() < millisMax) await clock.advance(5);
  return passed();
}

async function readTimes(storage: Storage): Promise<bigint[]> {
  const profiles = await readProfiles(storage);
  for (const profile of profiles) {
    const time = parseTime(profile);
    const count = BigInt.asUintN(16, time) + 1n;
    assert.equal(profile.content, `at_${time};main=${count}`);
  }
  return sorted(profiles.map(parseTime));
}

function parseTime({ id }: ExpectedProfile): bigint {
  return BigInt(id.slice(id.indexOf('@') + 1));
}

function sorted(all: readonly bigint[]): bigint[] {
  return [...all].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Times of profiles in three windows, so that a cut makes several blocks. */
const times = Array.from({ length: 12 }, (_, i) => BigInt(i) * (hour / 2n) + BigInt(i));

test('a cut makes a block of each window and removes the log', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  for (const time of times) await write(storage, time);
  assert.ok(bench.names('wal').length > 1);
  await storage.rotate();
  assert.deepEqual(await readTimes(storage), times);
  assert.equal(bench.names('blocks').length, 3);
  assert.deepEqual(bench.names('wal'), []);
  const facts = storage.blocks().map((block) => block.facts);
  assert.deepEqual(
    facts.map(({ level, epoch, cutCount, windowNanos }) => [level, epoch, cutCount, windowNanos]),
    [1, 1, 1].map((epoch) => [0, epoch, 3, 2n * hour]),
  );
  await storage.rotate();
  assert.equal(bench.count('cuts_total'), 1);
  await storage.close();
  await storage.close();
  assert.equal(bench.count('cuts_total'), 1);
});

test('more windows than a cut makes blocks of share one block', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  const all = Array.from({ length: 60 }, (_, i) => BigInt(i - 30) * 2n * hour + 1n);
  all.push(all[30] + 1n, all[40] + 1n, -(2n ** 63n), 2n ** 63n - 1n);
  for (const time of all) await write(storage, time);
  await storage.rotate();
  assert.deepEqual(await readTimes(storage), sorted(all));
  assert.equal(bench.names('blocks').length, 17);
  bench.files.kill();
  assert.deepEqual(await readTimes(await bench.open()), sorted(all));
});

test('a crash at any step of a cut loses nothing and leaves nothing behind', async () => {
  let steps = 0;
  for (let isOver = false; !isOver; steps += 1) {
    const bench = new Bench(steps);
    const first = await bench.open();
    for (const time of times) await write(first, time);
    const off = bench.files.untilPowerIsOff().then(() => 'off');
    bench.files.cutPowerAfter(steps);
    const done = first.rotate().then(() => 'done');
    isOver = (await Promise.race([done, off])) === 'done';
    if (steps % 2 === 0) bench.files.kill();
    else bench.files.powerLoss();
    const second = await bench.open();
    assert.deepEqual(await readTimes(second), times, `after ${steps} steps`);
    await write(second, 99n);
    await second.rotate();
    assert.deepEqual(bench.names('wal'), [], `after ${steps} steps`);
    assert.deepEqual(
      bench.names('blocks').filter((name) => !name.endsWith('.block')),
      [],
    );
    assert.deepEqual(await readTimes(second), sorted([...times, 99n]));
    assert.equal(bench.count('wal_corrupt_records_total'), 0);
    assert.equal(bench.count('damaged_blocks_total'), 0);
  }
  assert.ok(steps > 20, `${steps} steps`);
});

test('whatever fails in a cut is tried again, and served meanwhile', async () => {
  const calls = ['create', 'append', 'sync', 'rename', 'sync-directory', 'open', 'read', 'remove'];
  for (const call of calls as readonly ('create' | 'sync')[]) {
    for (let skip = 0; skip < 4; skip += 1) {
      const bench = new Bench(skip);
      const storage = await bench.open();
      for (const time of times) await write(storage, time);
      const errno = skip % 2 === 0 ? 'EIO' : 'ENOSPC';
      bench.files.addFault({ call, skip, times: 2, errno });
      const rotated = storage.rotate();
      assert.deepEqual(
        (
          await storage.querier.select({
            matchers: [],
            profileType: undefined,
            range: { from: 0n, to: 0n },
          })
        ).missing,
        [],
      );
      await rotated;
      bench.files.clearFaults();
      assert.deepEqual(await readTimes(storage), times, `${call} ${skip}`);
      bench.files.powerLoss();
      assert.deepEqual(await readTimes(await bench.open()), times, `${call} ${skip}`);
    }
  }
});

test('heads that cannot be cut stay in the log, each in its epoch', async () => {
  const bench = new Bench();
  const first = await bench.open();
  bench.files.addFault({ call: 'rename', skip: 0, times: Infinity, errno: 'EIO' });
  for (const [i, time] of times.entries()) {
    await write(first, time);
    if (i % 4 === 3) first.rotate().catch(() => undefined);
  }
  assert.deepEqual(await readTimes(first), times);
  bench.files.kill();
  bench.files.clearFaults();
  // The damage hits the header of the second epoch and, in the last case, also its first record.
  for (const damage of [[], [9], [9, 70]]) {
    const copy = bench.files.copy(seededRandom(5));
    const second = new Bench();
    Object.assign(second, { files: copy });
    const log = second.names('wal');
    for (const byte of damage)
      copy.flipBit(`${path}/wal/${log[Math.floor(log.length / 2)]}`, byte, 1);
    const storage = await second.open();
    const found = await timesOfSound(storage);
    assert.ok(found.length >= times.length - (damage.length > 1 ? 4 : 0), damage.join());
    await storage.rotate();
    assert.deepEqual(await timesOfSound(storage), found);
    assert.deepEqual(second.names('wal'), []);
    await storage.close();
  }
});

/** Returns the times of stored profiles. Works for stores that may have lost symbols. */
async function timesOfSound(storage: Storage): Promise<bigint[]> {
  return sorted((await readProfiles(storage)).map(parseTime));
}

test('a retry is recognized wherever the first copy is', async () => {
  const bench = new Bench();
  let storage = await bench.open();
  for (const time of times) await write(storage, time);
  const rotated = storage.rotate();
  await Promise.all(times.map((time) => write(storage, time)));
  await rotated;
  await Promise.all(times.map((time) => write(storage, time)));
  await Promise.all([write(storage, 77n), storage.rotate(), write(storage, 77n)]);
  const all = sorted([...times, 77n]);
  assert.deepEqual(await readTimes(storage), all);
  await storage.rotate();
  bench.files.kill();
  storage = await bench.open();
  for (const time of all) await write(storage, time);
  assert.deepEqual(await readTimes(storage), all);
  assert.ok(bench.count('duplicate_profiles_total') >= times.length * 3);
});

test('a retry is recognized in a block that is replaced while it is asked', async () => {
  const bench = new Bench();
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let isGated = false;
  const files: Files = bench.files.forProcess();
  const slowFiles: Files = Object.assign(Object.create(files), {
    open: async (...parameters: Parameters<Files['open']>) => {
      const file = await files.open(...parameters);
      return Object.assign(Object.create(file), {
        read: async (into: Uint8Array, offset: number) => {
          if (isGated) {
            asked.resolve();
            await gate.promise;
          }
          return file.read(into, offset);
        },
      });
    },
  });
  const storage = await bench.open({ files: slowFiles });
  await write(storage, 1n);
  await storage.rotate();
  const [block] = storage.blocks();
  const copy = await storage.openBlock(block.id);
  isGated = true;
  const retry = write(storage, 1n);
  await asked.promise;
  storage.replaceBlocks([block], [copy]);
  isGated = false;
  await readTimes(storage);
  gate.resolve();
  await retry;
  assert.equal(bench.count('duplicate_profiles_total'), 1);
  assert.deepEqual(await readTimes(storage), [1n]);
  await storage.close();
});

test('a commit that is on its way when the head is frozen is in it, or is refused', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  await write(storage, 1n);
  const late = storage.appender();
  internStack(late.dictionary, ['late']);
  const pending = write(storage, 2n);
  const rotated = storage.rotate();
  await Promise.all([pending, write(storage, 3n)]);
  await rotated;
  assert.deepEqual(await readTimes(storage), [1n, 2n, 3n]);
  const again = storage.appender();
  await storage.rotate();
  assert.notEqual(storage.appender().dictionary, again.dictionary);
  await storage.close();
});

test('a head is cut when its window of the wall clock is over', async () => {
  const bench = new Bench();
  const clock = createFakeClock(Number(hour / 1_000_000n) * 2 - 1);
  const storage = await bench.open({ clock });
  await write(storage, 1n);
  await clock.advance(120_000);
  assert.equal(bench.count('cuts_total'), 0);
  await clock.advance(120_000);
  for (let i = 0; i < 2_000 && bench.count('cuts_total') === 0; i += 1) await clock.advance(1);
  assert.equal(bench.count('cuts_total'), 1);
  await clock.advance(4 * 3_600_000);
  assert.equal(bench.count('cuts_total'), 1, 'an empty head stays');
  assert.deepEqual(await readTimes(storage), [1n]);
});

test('while a head is cut, writes into the next one are slowed down, and wait when it is large', async () => {
  const bench = new Bench();
  const clock = createFakeClock();
  const files = bench.files.forProcess();
  const gate = Promise.withResolvers<void>();
  const slowFiles: Files = Object.assign(Object.create(files), {
    rename: async (from: string, to: string) => {
      if (to.includes('/blocks/')) await gate.promise;
      return files.rename(from, to);
    },
  });
  const storage = await bench.open({ clock, files: slowFiles, limits: { headBytesMax: 100_000 } });
  const slow: number[] = [];
  let time = 0n;
  while (time < 3_000n && (slow.length === 0 || slow[slow.length - 1] < 1_000)) {
    time += 1n;
    const millis = await millisUntil(clock, write(storage, time), 1_000);
    if (millis > 100) slow.push(millis);
  }
  assert.ok(slow.length > 20, `${slow.length} slow writes`);
  for (const millis of slow.slice(0, -1)) assert.ok(millis >= 200 && millis <= 220, `${millis} ms`);
  assert.equal(bench.count('delayed_writes_total'), slow.length);
  gate.resolve();
  for (let i = 0; i < 2_000 && bench.count('cuts_total') === 0; i += 1) await clock.advance(1);
  await clock.advance(100);
  assert.equal((await readTimes(storage)).length, Number(time));
});

test('with durability by interval the disk has it a second later', async () => {
  const bench = new Bench();
  const clock = createFakeClock();
  const storage = await bench.open({ clock, durability: 'interval' });
  await write(storage, 1n);
  const calls = bench.files.faults.startRecording();
  await write(storage, 2n);
  const syncs = (): number => calls.filter(({ call }) => call === 'sync').length;
  assert.equal(syncs(), 0);
  await clock.advance(999);
  assert.equal(syncs(), 0);
  await clock.advance(1);
  for (let i = 0; i < 100; i += 1) await Promise.resolve();
  assert.equal(syncs(), 1);
  bench.files.powerLoss();
  assert.deepEqual(await readTimes(await bench.open()), [1n, 2n]);
});

test('with durability by interval, profiles that cannot be synced are cut into blocks', async () => {
  const bench = new Bench();
  const clock = createFakeClock();
  const storage = await bench.open({ clock, durability: 'interval' });
  await write(storage, 1n);
  await clock.advance(1_000);
  await write(storage, 2n);
  bench.files.addFault({ call: 'sync', skip: 0, times: 1, errno: 'EIO' });
  await clock.advance(1_000);
  await write(storage, 3n);
  for (let i = 0; i < 2_000 && bench.count('cuts_total') === 0; i += 1) await clock.advance(1);
  bench.files.powerLoss();
  const found = await readTimes(await bench.open());
  assert.ok(found.includes(1n) && found.includes(2n), found.join());
});

test('a nearly full disk takes no writes, answers, and cuts heads', async () => {
  const bench = new Bench();
  const clock = createFakeClock();
  const storage = await bench.open({ clock });
  await write(storage, 1n);
  bench.files.freeBytesLeft = 1_000;
  await clock.advance(5_000);
  await assert.rejects(write(storage, 2n), {
    code: 'resource-exhausted',
    message: /cannot store profiles: the disk is full: 1000 bytes are free/,
  });
  assert.equal(storage.isReadOnly, true);
  assert.deepEqual(await readTimes(storage), [1n]);
  const rotated = storage.rotate();
  for (let i = 0; i < 2_000 && bench.count('cuts_total') === 0; i += 1) await clock.advance(1);
  await rotated;
  bench.files.freeBytesLeft = 2 ** 40;
  await clock.advance(5_000);
  await write(storage, 2n);
  assert.deepEqual(await readTimes(storage), [1n, 2n]);
});

test('of a head that was cut, the one of the start too, nothing is kept', async () => {
  const store = await new Bench().open();
  const heads: WeakRef<object>[] = [];
  for (let i = 1n; i <= 2n; i += 1n) {
    await write(store, i);
    heads.push(new WeakRef(store.heads[0]));
    await store.rotate();
  }
  // After another write, the store releases the memory that it kept from an earlier write.
  await write(store, 3n);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // A WeakRef keeps its target alive until the end of the current turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  assert.deepEqual(
    heads.map((head) => head.deref()),
    [undefined, undefined],
  );
  await store.close();
});
