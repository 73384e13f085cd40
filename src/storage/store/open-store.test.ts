// Tests of the store with files in memory: committed data exists after every kind of restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomProfile, readProfiles, type ExpectedProfile } from '../fake/workload.ts';
import { MemoryFiles } from '../../base/fake/memory-files.ts';
import { silentLogger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { createClock } from '../../base/node/clock.ts';
import { openStore } from './open-store.ts';
import type { StoreLimits } from './store.ts';
import type { Storage } from '../interface.ts';
import { writeMeta } from '../files/meta.ts';

const path = '/data';
const smallLimits: Partial<StoreLimits> = { rowSegmentBytes: 16_384, walSegmentBytesMax: 4_096 };

class Bench {
  readonly random = seededRandom(7);
  readonly files = new MemoryFiles(this.random);
  readonly counters = new Map<string, number>();
  #time = 1_000n;

  open(limits: Partial<StoreLimits> = smallLimits): Promise<Storage> {
    const metrics: Metrics = {
      counter: (name) => ({
        add: (by = 1, labels) => {
          const key = labels ? `${name}:${Object.values(labels).join()}` : name;
          this.counters.set(key, (this.counters.get(key) ?? 0) + by);
        },
      }),
      gauge: () => ({ set: () => undefined }),
      observedGauge: () => undefined,
      histogram: () => ({ observe: () => undefined }),
    };
    const { files, random } = this;
    const clock = createClock();
    return openStore({ path, files, clock, random, logger: silentLogger, metrics, limits });
  }

  async write(storage: Storage, profiles = 1): Promise<ExpectedProfile[]> {
    const appender = storage.appender();
    const written: ExpectedProfile[] = [];
    for (let i = 0; i < profiles; i += 1) {
      this.#time += 1n;
      const options = { rows: 20, seriesCount: 4, functionCount: 60, timeNanos: this.#time };
      const { profile, expected } = randomProfile(this.random, appender.dictionary, options);
      appender.append(profile);
      written.push(expected);
    }
    await appender.commit();
    return written;
  }

  count(name: string): number {
    return this.counters.get(`parca_storage_${name}`) ?? 0;
  }
}

const byId = (a: ExpectedProfile, b: ExpectedProfile): number => (a.id < b.id ? -1 : 1);

async function checkContent(storage: Storage, want: readonly ExpectedProfile[]): Promise<void> {
  assert.deepEqual((await readProfiles(storage)).sort(byId), [...want].sort(byId));
}

test('committed profiles are there after close, kill and power loss, over many segments', async () => {
  const bench = new Bench();
  const want: ExpectedProfile[] = [];
  for (const end of ['kill', 'close', 'powerLoss', 'kill'] as const) {
    const storage = await bench.open();
    await checkContent(storage, want);
    for (let i = 0; i < 20; i += 1) want.push(...(await bench.write(storage, 1 + (i % 3))));
    await checkContent(storage, want);
    if (end === 'close') await storage.close();
    else bench.files[end]();
  }
  assert.ok((await bench.files.list(`${path}/wal`)).length > 4, 'segments rotate');
  assert.equal(bench.count('wal_corrupt_records_total'), 0);
});

test('ids of the dictionary are the same after a replay', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  await bench.write(storage, 5);
  const before = storage.appender().dictionary;
  bench.files.kill();
  const after = (await bench.open()).appender().dictionary;
  assert.deepEqual(after.strings.starts, before.strings.starts);
  assert.deepEqual(after.functions.name, before.functions.name);
  assert.deepEqual(after.locations.linesHash, before.locations.linesHash);
  assert.deepEqual(after.stacks.leaf, before.stacks.leaf);
  assert.deepEqual(after.stacks.nodeParent, before.stacks.nodeParent);
  assert.deepEqual(after.stacks.hashHigh, before.stacks.hashHigh);
});

test('a second server is refused and names the holder', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  await assert.rejects(bench.open(), {
    code: 'failed-precondition',
    message: /cannot lock storage path \/data: another server holds it \(pid \d+\)/,
  });
  await storage.close();
  await (await bench.open()).close();
});

test('a full disk refuses writes, keeps reads, and recovers by itself', async () => {
  const bench = new Bench();
  const storage = await bench.open({ ...smallLimits, freeDiskCheckMillis: 10 });
  const want = await bench.write(storage, 3);
  bench.files.addFault({ call: 'append', skip: 0, times: 3, errno: 'ENOSPC' });
  const full = { code: 'resource-exhausted', message: /cannot store profiles: the disk is full/ };
  for (let i = 0; i < 5; i += 1) await assert.rejects(bench.write(storage), full);
  await checkContent(storage, want);
  assert.equal(bench.count('refused_writes_total:disk-full'), 1);
  assert.equal(bench.count('refused_writes_total:read-only'), 4);
  // The store retries. Its first attempts fail because the disk is full.
  for (let written = false; !written;) {
    await new Promise((resolve) => void setTimeout(resolve, 5));
    const next = await bench.write(storage, 2).catch(() => []);
    written = next.length > 0;
    want.push(...next);
  }
  await checkContent(storage, want);
  bench.files.powerLoss();
  await checkContent(await bench.open(), want);
});

test('a failed fsync is not tried again on the same file', async () => {
  const bench = new Bench();
  const storage = await bench.open({ ...smallLimits, walSegmentBytesMax: 1 << 20 });
  const want = await bench.write(storage, 3);
  bench.files.addFault({ call: 'sync', skip: 0, times: 1, errno: 'EIO' });
  const failed = { code: 'unavailable', message: /cannot store profiles: the log cannot be/ };
  await assert.rejects(bench.write(storage), failed);
  assert.deepEqual(await bench.files.list(`${path}/wal`), ['00000001.wal']);
  want.push(...(await bench.write(storage, 2)));
  assert.deepEqual(await bench.files.list(`${path}/wal`), ['00000001.wal', '00000002.wal']);
  bench.files.powerLoss();
  await checkContent(await bench.open(), want);
  assert.equal(bench.count('wal_corrupt_records_total'), 0);
});

test('bytes that could not even be cut off do not come back', async () => {
  const bench = new Bench();
  const storage = await bench.open({ ...smallLimits, walSegmentBytesMax: 1 << 20 });
  const want = await bench.write(storage, 3);
  bench.files.addFault({ call: 'sync', skip: 0, times: 1, errno: 'EIO' });
  bench.files.addFault({ call: 'truncate', skip: 0, times: 1, errno: 'EIO' });
  await assert.rejects(bench.write(storage), { code: 'unavailable' });
  want.push(...(await bench.write(storage, 2)));
  bench.files.kill();
  await checkContent(await bench.open(), want);
  assert.equal(bench.count('wal_corrupt_records_total'), 0);
});

test('a segment whose first sync fails, and that cannot be emptied, counts for nothing', async () => {
  const bench = new Bench();
  const storage = await bench.open({ ...smallLimits, walSegmentBytesMax: 1 << 20 });
  const want = await bench.write(storage, 3);
  // After the first failure, the log abandons the open segment. After the second, it abandons the
  // next segment.
  bench.files.addFault({ call: 'sync', skip: 0, times: 2, errno: 'EIO' });
  await assert.rejects(bench.write(storage), { code: 'unavailable' });
  bench.files.addFault({ call: 'truncate', skip: 1, times: 1, errno: 'EIO' });
  await assert.rejects(bench.write(storage), { code: 'unavailable' });
  want.push(...(await bench.write(storage, 2)));
  assert.equal((await bench.files.list(`${path}/wal`)).length, 3);
  bench.files.kill();
  await checkContent(await bench.open(), want);
  assert.equal(bench.count('wal_corrupt_records_total'), 0);
});

test('a retry is stored once and resolves, pending or stored', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  const appender = storage.appender();
  const options = { rows: 5, seriesCount: 1, functionCount: 9, timeNanos: 5n };
  const { profile, expected } = randomProfile(bench.random, appender.dictionary, options);
  const send = (): Promise<void> => {
    const retry = storage.appender();
    retry.append(profile);
    retry.append(profile);
    return retry.commit();
  };
  await Promise.all([send(), send(), send()]);
  await send();
  await checkContent(storage, [expected]);
  bench.files.kill();
  await checkContent(await bench.open(), [expected]);
});

test('a retry whose first copy failed is stored', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  const options = { rows: 5, seriesCount: 1, functionCount: 9, timeNanos: 5n };
  const first = storage.appender();
  const { profile, expected } = randomProfile(bench.random, first.dictionary, options);
  bench.files.addFault({ call: 'append', skip: 1, times: 1, errno: 'EIO' });
  first.append(profile);
  const failing = first.commit();
  const retry = storage.appender();
  retry.append(profile);
  const succeeding = retry.commit();
  await assert.rejects(failing, { code: 'unavailable' });
  await succeeding;
  await checkContent(storage, [expected]);
});

test('batches that are not committed leave nothing, their symbols harm nothing', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  const appender = storage.appender();
  const options = { rows: 5, seriesCount: 9, functionCount: 9, timeNanos: 5n };
  appender.append(randomProfile(bench.random, appender.dictionary, options).profile);
  await storage.appender().commit();
  assert.equal(await storage.querier.hasData(), false);
  const want = await bench.write(storage);
  bench.files.kill();
  await checkContent(await bench.open(), want);
});

test('the active memory limit refuses by name, until a head is cut', async () => {
  const bench = new Bench();
  const limits = { ...smallLimits, activeMemoryBytesMax: 1 << 20, cutRetryMillisMin: 1 };
  const storage = await bench.open(limits);
  bench.files.addFault({ call: 'rename', skip: 0, times: Infinity, errno: 'EIO' });
  const want: ExpectedProfile[] = [];
  const writeMuch = async (): Promise<void> => {
    for (let i = 0; i < 1_000; i += 1) want.push(...(await bench.write(storage, 5)));
  };
  await assert.rejects(writeMuch(), {
    code: 'resource-exhausted',
    message: /profiles in memory pass the active memory limit of 1048576 bytes/,
  });
  await checkContent(storage, want);
  bench.files.clearFaults();
  await storage.rotate();
  want.push(...(await bench.write(storage, 5)));
  await checkContent(storage, want);
  assert.notDeepEqual(await bench.files.list(`${path}/blocks`), []);
  await storage.close();
});

test('with little memory a refused write finds room soon', async () => {
  const bench = new Bench();
  const storage = await bench.open({ ...smallLimits, activeMemoryBytesMax: 1 << 16 });
  const want: ExpectedProfile[] = [];
  let refused = 0;
  while (refused < 2) {
    try {
      want.push(...(await bench.write(storage, 5)));
    } catch {
      refused += 1;
      await storage.rotate();
      want.push(...(await bench.write(storage, 5)));
    }
  }
  assert.equal(bench.count('refused_writes_total:memory-limit'), 2);
  await checkContent(storage, want);
  await storage.close();
});

test('closing finishes commits and refuses later ones', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  const pending = bench.write(storage, 2);
  const closed = storage.close();
  await assert.rejects(bench.write(storage), { code: 'unavailable', message: /is closing/ });
  const want = await pending;
  await closed;
  await storage.close();
  await checkContent(await bench.open(), want);
});

test('a damaged record costs that record only, and meta comes back from the log', async () => {
  const bench = new Bench();
  let storage = await bench.open({ ...smallLimits, walSegmentBytesMax: 1 << 20 });
  const want: ExpectedProfile[] = [];
  for (let i = 0; i < 10; i += 1) want.push(...(await bench.write(storage)));
  bench.files.kill();
  const file = await bench.files.read(`${path}/wal/00000001.wal`);
  let damaged = 0;
  for (let byte = 0; byte < file.length; byte += 37) {
    bench.files.flipBit(`${path}/wal/00000001.wal`, byte, byte & 7);
    if (byte >= 64 && byte % 2 === 0) bench.files.flipBit(`${path}/meta`, byte % 40, 3);
    bench.counters.clear();
    storage = await bench.open();
    const found = await readProfiles(storage);
    const lost = want.length - found.length;
    const missing = want.filter(({ id }) => !found.some((profile) => profile.id === id));
    // A record defines its series for all later records of the same segment.
    const series = new Set(missing.map(({ id }) => id.split('@')[0]));
    assert.ok(series.size <= 1, `byte ${byte}: lost profiles of ${[...series].join()}`);
    const isWhole = found.every((p) => want.some((w) => w.id === p.id && w.content === p.content));
    assert.equal(isWhole, bench.count('wal_lost_symbols_total') === 0, `byte ${byte}`);
    const isNoticed =
      bench.count('wal_corrupt_records_total') + bench.count('wal_torn_tails_total') > 0;
    assert.ok(isNoticed || (lost === 0 && isWhole), `byte ${byte}: damage without a count`);
    damaged += isNoticed ? 1 : 0;
    bench.files.kill();
    // The store removed the torn tail of the file, so the complete file is restored.
    const handle = await bench.files.open(`${path}/wal/00000001.wal`, { create: false });
    await handle.truncate(0);
    await handle.append(file);
    await handle.sync();
    for (const name of await bench.files.list(`${path}/wal`)) {
      if (name !== '00000001.wal') await bench.files.remove(`${path}/wal/${name}`);
    }
  }
  assert.ok(damaged > 10);
});

test('a store whose secret words are lost is refused, not emptied', async () => {
  const bench = new Bench();
  const storage = await bench.open();
  await bench.write(storage);
  bench.files.kill();
  bench.files.flipBit(`${path}/meta`, 9, 0);
  bench.files.flipBit(`${path}/wal/00000001.wal`, 9, 0);
  const size = (await bench.files.read(`${path}/wal/00000001.wal`)).length;
  await assert.rejects(bench.open(), { code: 'data-loss', message: /meta .* damaged/ });
  assert.equal((await bench.files.read(`${path}/wal/00000001.wal`)).length, size);
});

test('a directory of a newer format is refused untouched', async () => {
  const bench = new Bench();
  await (await bench.open()).close();
  await writeMeta(bench.files, path, { version: 2, seeds: [1, 2, 3], createdNanos: 0n });
  await assert.rejects(bench.open(), {
    code: 'failed-precondition',
    message: 'cannot open storage path /data: its format is version 2, this server reads up to 1',
  });
});

test('a foreign or missing segment is passed over, counted and left alone', async () => {
  const bench = new Bench();
  let storage = await bench.open();
  const want: ExpectedProfile[] = [];
  for (let i = 0; i < 40; i += 1) want.push(...(await bench.write(storage)));
  bench.files.kill();
  await bench.files.rename(`${path}/wal/00000002.wal`, `${path}/wal/00000009.wal`);
  storage = await bench.open();
  const found = await readProfiles(storage);
  assert.ok(found.length < want.length && found.length > 0);
  assert.equal(bench.count('wal_corrupt_records_total'), 2);
  found.push(...(await bench.write(storage, 3)));
  bench.files.powerLoss();
  await checkContent(await bench.open(), found);
});
