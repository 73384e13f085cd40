// Tests ClickHouse as the store: the newest engine (chdb) and Debian's server pass the same cases.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { AppError, errorCode } from '../../src/base/errors.ts';
import { DictionaryTranslator } from '../../src/model/dictionaries/dictionary-translator.ts';
import { QueryContext } from '../../src/query/running/context.ts';
import { compareWithOracle, type FoundCounts } from '../../src/query/testing/oracle/compare.ts';
import type { World } from '../../src/query/testing/oracle/random-world.ts';
import type { ClickHouseStorage } from '../../src/storage/clickhouse/storage.ts';
import { storageConformance } from '../../src/storage/fake/conformance.ts';
import { stackText } from '../../src/storage/fake/read-selection.ts';
import { append, query } from '../../src/storage/fake/short-profiles.ts';
import {
  openEmptyStore,
  openStore,
  serversAt,
  startChdb,
  startClickHouse,
  startCluster,
  type TestClickHouse,
} from '../support/clickhouse.ts';

let chdb: Awaited<ReturnType<typeof startChdb>>;
let server: TestClickHouse;

before(async () => {
  chdb = await startChdb();
  server = await startClickHouse();
});

after(async () => {
  await chdb.remove();
  await server.remove();
});

const kept = { keepsSampleTimes: false };
storageConformance('chdb', () => openEmptyStore(chdb.url), undefined, kept);
storageConformance('ClickHouse of Debian', () => openEmptyStore(server.url), undefined, kept);

/** Writes the profiles of a world twice, as clients that retry do. */
async function fill(storage: ClickHouseStorage, { fake }: World): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    const appender = storage.appender();
    const { dictionary } = appender;
    const to = new DictionaryTranslator(fake.dictionary, dictionary);
    for (const profile of fake.incoming()) {
      appender.append({
        ...profile,
        stacks: profile.stacks.map((stack) => to.stack(stack)),
        sampleLabels: profile.sampleLabels?.map((labels) => to.sampleLabels(labels)),
      });
    }
    await appender.commit();
  }
}

const seeds = Number(process.env.CLICKHOUSE_SEEDS ?? 5);

for (const [name, urlOf] of [
  ['chdb', () => chdb.url],
  ['ClickHouse of Debian', () => server.url],
] as const) {
  test(`${name}: answers to random questions are those of the naive evaluation`, async (t) => {
    const first = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
    t.diagnostic(`TEST_SEED=${first}`);
    const found: FoundCounts = {};
    for (let seed = first; seed < first + seeds; seed += 1) {
      const stores: ClickHouseStorage[] = [];
      try {
        await compareWithOracle(seed, 40, found, async (world) => {
          const storage = await openEmptyStore(urlOf());
          stores.push(storage);
          await fill(storage, world);
          return [storage];
        });
      } catch (error) {
        if (error instanceof Error) error.message += `\nTEST_SEED=${seed}`;
        throw error;
      } finally {
        for (const storage of stores) await storage.close();
      }
    }
    t.diagnostic(JSON.stringify(found));
    assert.ok((found['flame-graph'] ?? 0) > 0 && (found.range ?? 0) > 0, 'answers are not empty');
  });
}

test('deletes: whole series in a range, and nothing else', async () => {
  const storage = await openEmptyStore(chdb.url);
  const appender = storage.appender();
  for (const [job, time] of [
    ['a', 1n],
    ['a', 9n],
    ['b', 1n],
  ] as const) {
    append(appender, { labels: { job }, time, rows: [{ stack: 'main', values: [1n, 2n] }] });
  }
  await appender.commit();
  const deleted = await storage.delete(query({ matchers: [['job', '=', 'a']], to: 5n }));
  assert.equal(deleted.seriesCount, 2);
  using selection = await storage.select(query({}));
  const left = selection.series.map(({ labels, profileCount }) => {
    return `${labels[0].value} ${profileCount}`;
  });
  assert.deepEqual(left.sort(), ['a 1', 'a 1', 'b 1', 'b 1']);
  const part = query({
    type: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
    matchers: [['job', '=', 'b']],
  });
  await assert.rejects(storage.delete(part), /samples:count, cpu:nanoseconds, which are deleted/);
  await storage.close();
});

test('tables of version 1 are changed, and answer as before', async () => {
  const database = 'parca_of_version_1';
  const storage = await openStore([chdb.url], database, '');
  const appender = storage.appender();
  const rows = [{ stack: 'leaf;main', values: [1n, 2n] }];
  append(appender, { labels: { job: 'a' }, time: 1n, rows });
  await appender.commit();
  await storage.close();
  const servers = serversAt([chdb.url], database);
  const hashes = 'Array(FixedString(16)) CODEC(ZSTD(1))';
  await servers.run(`ALTER TABLE profiles MODIFY COLUMN stacks ${hashes}`);
  await servers.run(`ALTER TABLE stacks MODIFY COLUMN locations ${hashes}`);
  await servers.run('ALTER TABLE locations MODIFY COLUMN mapping_file String CODEC(ZSTD(1))');
  await servers.run('TRUNCATE TABLE schema_version');
  await servers.run('INSERT INTO schema_version VALUES (1)');
  const opened = await openStore([chdb.url], database, '');
  const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
  using selection = await opened.select(query({ type }));
  const context = new QueryContext({ signal: new AbortController().signal });
  const question = { groupBy: [], byTime: false, timesPeriod: false, steps: undefined };
  const { dictionary, groups } = await selection.merge(question, context);
  assert.deepEqual([...groups[0].merged.values], [2n]);
  assert.ok(dictionary !== undefined);
  assert.equal(stackText(dictionary, groups[0].merged.stacks[0]), 'leaf;main');
  const types = await servers.ask(
    "SELECT toUInt8(count()) FROM system.columns WHERE type LIKE '%LowCardinality%' " +
      `AND database = '${database}'`,
  );
  assert.equal(types[0], 7);
  await servers.close();
  await opened.close();
});

/** Returns the number of profiles in a store. */
async function countProfiles(storage: ClickHouseStorage): Promise<number> {
  using selection = await storage.select(query({}));
  return selection.series.reduce((sum, { profileCount }) => sum + profileCount, 0);
}

/** Waits until a store has `count` profiles; a restarted replica does not respond at once. */
async function reaches(storage: ClickHouseStorage, count: number): Promise<void> {
  for (;;) {
    try {
      const found = await countProfiles(storage);
      if (found >= count) return assert.equal(found, count);
    } catch (error) {
      if (errorCode(error) !== 'unavailable') throw error;
    }
    await setTimeout(100);
  }
}

test('a question that is no longer wanted ends in ClickHouse, too', async () => {
  const servers = serversAt([server.url], 'default');
  const running = async (): Promise<boolean> => {
    const mine = "query LIKE '%FROM system.numbers%' AND query NOT LIKE '%processes%'";
    const rows = await servers.ask(`SELECT toUInt8(1) FROM system.processes WHERE ${mine}`);
    return rows.length > 0;
  };
  const controller = new AbortController();
  const why = new AppError('cancelled', 'the caller has gone');
  const context = new QueryContext({ signal: controller.signal });
  // The query ends only when it is cancelled.
  const endless = servers.ask('SELECT sum(number) FROM system.numbers', context);
  while (!(await running())) await setTimeout(20);
  controller.abort(why);
  await assert.rejects(endless, why);
  while (await running()) await setTimeout(20);
  await servers.close();
});

test('a merge tells its progress, and counts all of its rows at the end', async () => {
  const servers = serversAt([server.url], 'default');
  await servers.run('CREATE TABLE slow (at UInt64) ENGINE = MergeTree ORDER BY at');
  await servers.run('INSERT INTO slow SELECT number FROM numbers(100)');
  const shares: number[] = [];
  const slow =
    'SELECT sum(sleepEachRow(0.03)) FROM slow SETTINGS max_block_size = 1, max_threads = 1';
  await servers.ask(slow, undefined, (share) => void shares.push(share));
  assert.ok(shares.length > 0, 'it was asked for');
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.ok(
    shares.every((share) => share > 0 && share <= 1),
    shares.join(),
  );
  await servers.close();

  const storage = await openEmptyStore(server.url);
  const appender = storage.appender();
  const rows = ['a', 'b', 'c'].map((stack) => ({ stack, values: [1n, 2n] }));
  append(appender, { labels: { job: 'a' }, time: 1n, rows });
  await appender.commit();
  const context = new QueryContext({ signal: new AbortController().signal });
  const type = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
  using selection = await storage.select(query({ type }));
  await selection.merge(
    { groupBy: [], byTime: false, timesPeriod: false, steps: undefined },
    context,
  );
  assert.equal(context.budget.rowsDone, 3);
  await storage.close();
});

test('replicas: one is killed, the other takes writes, and both have everything once', async () => {
  const cluster = await startCluster();
  try {
    const [first, second] = cluster.replicas;
    const urls = cluster.replicas.map(({ url }) => url);
    const storage = await openStore(urls, 'parca', 'replicas');
    let written = 0;
    /** Sends a profile until it is acknowledged, as clients do. */
    const write = async (): Promise<void> => {
      const rows = [{ stack: `f${written};main`, values: [1n] }];
      const sampleTypes = [{ type: 'cpu', unit: 'nanoseconds' }];
      const time = BigInt(written + 1);
      for (let isStored = false; !isStored;) {
        const appender = storage.appender();
        append(appender, { labels: { job: 'a' }, time, rows, sampleTypes, hash: time });
        isStored = await appender.commit().then(
          () => true,
          (error: unknown) => {
            if (errorCode(error) !== 'unavailable') throw error;
            return false;
          },
        );
      }
      written += 1;
    };
    for (let i = 0; i < 5; i += 1) await write();
    // Without a quorum, a write is acknowledged before the other replica has it.
    const third = await openStore([second.url], 'parca', '');
    await reaches(third, 5);
    await first.kill();
    for (let i = 0; i < 5; i += 1) await write();
    await reaches(storage, 10);
    await first.start();
    const other = await openStore([first.url], 'parca', '');
    // The replica fetches what it missed.
    await reaches(other, 10);
    await second.kill();
    for (let i = 0; i < 5; i += 1) await write();
    await second.start();
    await reaches(third, 15);
    await reaches(storage, 15);
    for (const one of [storage, other, third]) await one.close();
  } finally {
    await cluster.remove();
  }
});

test('a write while the server is away is refused, and stored once when it is sent again', async () => {
  const storage = await openEmptyStore(server.url);
  const write = async (): Promise<void> => {
    const appender = storage.appender();
    const rows = [{ stack: 'main', values: [1n, 2n] }];
    append(appender, { labels: { job: 'a' }, time: 1n, rows, hash: 7n });
    await appender.commit();
  };
  await server.kill();
  await assert.rejects(write(), { code: 'unavailable' });
  await server.start();
  await write();
  await write();
  assert.equal(await countProfiles(storage), 2);
  await storage.close();
});
