import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../base/fake/clock.ts';
import { createPausingClock } from '../../base/fake/pausing-clock.ts';
import { setMemoryLimit } from '../../base/memory-limit.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { append } from '../fake/short-profiles.ts';
import type { Appender } from '../interface.ts';
import type { ClickHouseServers } from './server.ts';
import { WriteQueue } from './write-queue.ts';

const dayMillis = 86_400_000;

const oneRow = [{ stack: 'f', values: [1n, 2n] }];

/** Opens a queue that records the tables of its inserts. */
function openQueue() {
  const clock = createFakeClock(20_000 * dayMillis);
  const inserts: string[] = [];
  const servers: Pick<ClickHouseServers, 'insert'> = {
    insert: async (table) => void inserts.push(table),
  };
  const queue = new WriteQueue(
    servers as ClickHouseServers,
    clock,
    () => new Dictionary([1, 2, 3]),
    1 << 30,
  );
  /** Writes a profile for a day. Returns the tables into which rows were inserted. */
  const write = async (day: number, rows = oneRow): Promise<string> => {
    inserts.length = 0;
    const appender = queue.appender();
    const time = BigInt(day * dayMillis) * 1_000_000n;
    append(appender, { labels: { job: 'a' }, time, rows });
    await appender.commit();
    return [...inserts].sort().join(' ');
  };
  return { clock, write };
}

const everything = 'locations profiles stacks streams';

test('symbols are written once a day, and a day that is over is forgotten', async () => {
  const { clock, write } = openQueue();
  assert.equal(await write(20_000), everything);
  assert.equal(await write(20_000), 'profiles');
  // A late profile uses symbols that were written today.
  assert.equal(await write(19_990), 'profiles streams');
  clock.setWallMillis(20_001 * dayMillis);
  assert.equal(await write(20_001), everything);
  // The clock was set back to a day for which the queue no longer knows what it has written.
  clock.setWallMillis(20_000 * dayMillis);
  assert.equal(await write(20_000), 'locations profiles stacks');
});

test('days ahead of the clock do not pile up', async () => {
  const { write } = openQueue();
  for (const ahead of [0, 1, 2, 3, 4]) assert.equal(await write(20_000 + ahead), everything);
  assert.equal(await write(20_004), 'profiles');
  assert.equal(await write(20_000), 'locations profiles stacks');
});

test('profiles that wait for ClickHouse are refused past their share of --memory-limit', async (t) => {
  setMemoryLimit(64 * 1024);
  t.after(() => setMemoryLimit(Infinity));
  const { write } = openQueue();
  // A profile of one row takes about 100 bytes, so only a profile with these rows exceeds the
  // limit.
  const rows = Array.from({ length: 1_000 }, (_, i) => ({ stack: `f${i}`, values: [1n, 2n] }));
  await assert.rejects(write(20_000, rows), /bytes wait for ClickHouse, the limit is 8192/);
  assert.equal(await write(20_000), everything);
});

/** Appends a profile of many rows, commits it, and returns what was inserted. */
async function insertLarge(how: 'append' | 'appendInSteps') {
  const { clock, pauses } = createPausingClock(createFakeClock(20_000 * dayMillis));
  const inserted: [table: string, bytes: Uint8Array][] = [];
  const servers: Pick<ClickHouseServers, 'insert'> = {
    insert: async (table, bytes) => void inserted.push([table, bytes.slice()]),
  };
  const queue = new WriteQueue(
    servers as ClickHouseServers,
    clock,
    () => new Dictionary([1, 2, 3]),
    1 << 30,
  );
  const appender = queue.appender();
  const rows = Array.from({ length: 1_000 }, (_, i) => ({
    stack: `f${i};g${i % 7}`,
    values: [BigInt(i), 2n],
    labels: { thread: `t${i % 50}` },
  }));
  let steps = 0;
  const given: Appender = {
    ...appender,
    append: (profile) => {
      if (how === 'append' || appender.appendInSteps === undefined) {
        appender.append(profile);
        return;
      }
      for (const _ of appender.appendInSteps(profile)) steps += 1;
    },
  };
  append(given, { labels: { job: 'a' }, time: 1n, rows, hash: 7n });
  await appender.commit();
  return { inserted, pauses: pauses(), steps };
}

test('a large profile is appended and inserted in steps, with the same rows', async () => {
  const [whole, sliced] = [await insertLarge('append'), await insertLarge('appendInSteps')];
  assert.equal(whole.inserted.length, 5);
  for (const [i, [table, bytes]] of sliced.inserted.entries()) {
    const [wantedTable, wanted] = whole.inserted[i];
    assert.equal(table, wantedTable);
    assert.ok(Buffer.from(bytes).equals(wanted), table);
  }
  // There are 1,000 stacks and 1,000 label sets, of which 256 are written in a step.
  assert.ok(sliced.steps >= 2 * 3, `${sliced.steps} steps`);
  assert.ok(sliced.pauses >= 2 * 3, `${sliced.pauses} pauses`);
});
