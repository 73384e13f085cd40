// `parcatool data copy`: a data directory, moved to the newest engine of ClickHouse.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Storage } from '../../src/storage/interface.ts';
import { readSums } from '../../src/storage/fake/read-sums.ts';
import { query, write } from '../../src/storage/fake/short-profiles.ts';
import { openStore, startChdb } from '../support/clickhouse.ts';
import { openDiskStorage } from '../support/disk-storage.ts';
import { runParcatool } from '../support/parcatool.ts';
import { scratchDirectory } from '../support/server.ts';

let chdb: Awaited<ReturnType<typeof startChdb>>;
let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
before(async () => {
  chdb = await startChdb();
  scratch = await scratchDirectory();
});
after(async () => {
  await chdb.remove();
  await scratch.remove();
});

/** Returns the sum of each function in each series. */
async function sumsOf(storage: Storage): Promise<readonly string[]> {
  const sums = new Map<string, bigint>();
  for (const { labels, profileType, profiles } of await readSums(storage, query({}))) {
    for (const { stack, labels: own, value } of profiles.flatMap(({ rows }) => rows)) {
      const key = `${labels[0].value} ${profileType.sample.type} ${stack} ${own}`;
      sums.set(key, (sums.get(key) ?? 0n) + value);
    }
  }
  return Array.from(sums, ([key, value]) => `${key} ${value}`).sort();
}

test('all profiles arrive, and a second copy has nothing to do', async () => {
  const folder = join(scratch.path, 'data');
  const source = await openDiskStorage(folder);
  const startNanos = BigInt(Date.now()) * 1_000_000n - 3_600_000_000_000n;
  for (let i = 0n; i < 100n; i += 1n) {
    const stack = `f${i % 7n};main`;
    const rows = [
      { stack, values: [i + 1n, -i] },
      { stack, values: [5n, 2n ** 62n / (i + 1n)], labels: { thread: `t${i % 3n}` } },
    ];
    const time = startNanos + i * 1_000_000_000n;
    await write(source, { labels: { job: `job-${i % 2n}` }, time, rows, hash: i + 1n });
    if (i === 50n) await source.rotate();
  }
  const want = await sumsOf(source);
  await source.close();
  const flags = [`--clickhouse-address=${chdb.url}`, '--clickhouse-database=copied'];
  const copy = () => runParcatool('data', 'copy', folder, ...flags);
  const first = await copy();
  assert.deepEqual(first, {
    ...{ code: 0, err: '' },
    out: 'copied 100 profiles with 200 rows of 2 blocks\n',
  });
  const second = await copy();
  assert.equal(second.out, 'copied 0 profiles with 0 rows of 0 blocks, 2 were copied before\n');
  assert.equal((await runParcatool('data', 'verify', folder)).code, 0);
  const target = await openStore([chdb.url], 'copied', '');
  assert.deepEqual(await sumsOf(target), want);
  await target.close();
});
