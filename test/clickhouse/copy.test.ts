// Tests `parcatool data copy` from a directory or a bucket to the newest ClickHouse engine, and
// back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { createFiles } from '../../src/base/node/files.ts';
import type { Storage } from '../../src/storage/interface.ts';
import { readSums } from '../../src/storage/fake/read-sums.ts';
import { query, write } from '../../src/storage/fake/short-profiles.ts';
import { compactBlocks } from '../../src/storage/maintenance/compact.ts';
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
async function printSums(storage: Storage): Promise<readonly string[]> {
  const sums = new Map<string, bigint>();
  for (const { labels, profileType, profiles } of await readSums(storage, query({}))) {
    for (const { stack, labels: own, value } of profiles.flatMap(({ rows }) => rows)) {
      const key = `${labels[0].value} ${profileType.sample.type} ${stack} ${own}`;
      sums.set(key, (sums.get(key) ?? 0n) + value);
    }
  }
  return Array.from(sums, ([key, value]) => `${key} ${value}`).sort();
}

const hours = 12n;

/** Fills a data directory with a block for each of several hours; returns its sums. */
async function fill(folder: string, job = 'job'): Promise<readonly string[]> {
  const source = await openDiskStorage(folder);
  const hourNanos = 3_600_000_000_000n;
  const startNanos =
    ((BigInt(Date.now()) * 1_000_000n) / hourNanos) * hourNanos - hours * hourNanos;
  for (let i = 0n; i < hours * 4n; i += 1n) {
    const stack = `f${i % 7n};main`;
    const rows = [
      { stack, values: [i + 1n, -i] },
      { stack, values: [5n, 2n ** 62n / (i + 1n)], labels: { thread: `t${i % 3n}` } },
    ];
    const time = startNanos + (i * hourNanos) / 4n;
    await write(source, { labels: { job: `${job}-${i % 2n}` }, time, rows, hash: i + 1n });
    if (i % 4n === 3n && i > 8n) await source.rotate();
  }
  const sums = await printSums(source);
  await source.close();
  return sums;
}

async function sumsInClickHouse(database: string): Promise<readonly string[]> {
  const target = await openStore([chdb.url], database, '');
  return printSums(target).finally(() => target.close());
}

/** Starts parcatool, kills it once it has written to its notes file, and runs it again. */
async function copyTwice(notes: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [parcatool, ...args], { stdio: 'inherit' });
  const hasNotes = (): boolean => existsSync(notes) && statSync(notes).size > 0;
  while (!hasNotes() && child.exitCode === null) await setTimeout(5);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { code, out, err } = await runParcatool(...args);
  assert.deepEqual([code, err], [0, '']);
  return out;
}

const parcatool = new URL('../../cmd/parcatool/main.ts', import.meta.url).pathname;
const resumed =
  /^copied [1-9]\d* profiles .* of [1-9]\d* (blocks|hours), [1-9]\d* were copied before\n$/;

test('a directory to ClickHouse and back: killed on the way, all profiles arrive once', async () => {
  const folder = join(scratch.path, 'data');
  const want = await fill(folder);
  const flags = [`--clickhouse-address=${chdb.url}`, '--clickhouse-database=copied'];
  const there = ['data', 'copy', folder, ...flags];
  assert.match(await copyTwice(join(folder, 'copied-to-copied'), ...there), resumed);
  assert.deepEqual(await sumsInClickHouse('copied'), want);
  const again = await runParcatool(...there);
  assert.match(again.out, /^copied 0 profiles with 0 rows of 0 blocks, \d+ were copied before\n$/);
  assert.equal((await runParcatool('data', 'verify', folder)).code, 0);

  const back = join(scratch.path, 'back');
  const args = ['data', 'copy-back', back, ...flags];
  assert.match(await copyTwice(join(back, 'copied-from-copied'), ...args), resumed);
  const arrived = await openDiskStorage(back);
  assert.deepEqual(await printSums(arrived), want);
  await arrived.close();
  assert.equal((await runParcatool('data', 'verify', back)).code, 0);
});

test('a bucket to ClickHouse: the blocks of all servers, without those that were replaced', async () => {
  const bucket = join(scratch.path, 'bucket');
  const want: string[] = [];
  for (const name of ['a', 'b']) {
    const folder = join(scratch.path, name);
    want.push(...(await fill(folder, name)));
    await mkdir(join(bucket, 'fleet', name), { recursive: true });
    await cp(join(folder, 'blocks'), join(bucket, 'fleet', name, 'blocks'), { recursive: true });
  }
  const compacted = await compactTwo(join(bucket, 'fleet', 'a'));
  const config = join(scratch.path, 'fleet.yaml');
  const place = { type: 'FILESYSTEM', prefix: 'fleet', config: { directory: '${FLEET_BUCKET}' } };
  process.env['FLEET_BUCKET'] = bucket;
  await writeFile(config, JSON.stringify({ object_storage: { bucket: place } }));
  const target = join(scratch.path, 'work');
  const flags = [`--clickhouse-address=${chdb.url}`, '--clickhouse-database=fleet'];
  const args = ['data', 'copy', config, `--target=${target}`, '--config-expand-env', ...flags];
  const out = await copyTwice(join(target, 'copied-to-fleet'), ...args);
  assert.match(out, resumed);
  assert.deepEqual(await sumsInClickHouse('fleet'), want.toSorted());
  const notes = await readFile(join(target, 'copied-to-fleet'), 'utf8');
  for (const id of compacted.sources) assert.ok(!notes.includes(id), 'it was replaced');
  assert.deepEqual(await readdir(target), ['copied-to-fleet']);
});

/** Merges the first two blocks of a bucket's folder as a server does, but keeps both. */
async function compactTwo(storagePath: string): Promise<{ sources: readonly string[] }> {
  const blocks = join(storagePath, 'blocks');
  const sources = (await readdir(blocks)).slice(0, 2).map((name) => name.replace('.block', ''));
  const request = {
    storagePath,
    sources,
    inputs: sources,
    id: 'merged',
    level: 1 as const,
    windowNanos: 0n,
    seeds: [1, 2, 3] as const,
    createdNanos: 1n,
    hashesFromNanos: undefined,
  };
  const outcome = await compactBlocks(createFiles(), request, new AbortController().signal);
  assert.equal(outcome.kind, 'done');
  await rename(join(blocks, 'merged.block.tmp'), join(blocks, 'merged.block'));
  return { sources };
}
