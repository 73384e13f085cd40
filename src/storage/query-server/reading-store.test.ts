// Tests that a query server for a bucket and live servers answers like a single server that has all
// profiles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../base/errors.ts';
import { objectRemoveDelayMillis } from '../limits.ts';
import { randomBelow, type Random, seededRandom } from '../../base/random.ts';
import { DictionaryTranslator } from '../../model/dictionaries/dictionary-translator.ts';
import { compareWithOracle } from '../../query/testing/oracle/compare.ts';
import type { World } from '../../query/testing/oracle/random-world.ts';
import { append, query } from '../fake/short-profiles.ts';
import { freeContext } from '../free-context.ts';
import { type Fleet, type FleetServer, startFleet } from './testing/test-fleet.ts';

const startMillis = 20_000 * 86_400_000;
const minuteMillis = 60_000;

/**
 * Returns the profiles of an answer as "labels@time=total", and the sentences about missing data.
 */
async function ask({ querier }: Fleet): Promise<{ found: string[]; missing: string[] }> {
  using selection = await querier.select(query({}));
  const found: string[] = [];
  for await (const { series, columns } of selection.profiles(freeContext)) {
    const labels = series.labels.map(({ value }) => value).join();
    for (const [i, time] of columns.timeNanos.entries()) {
      found.push(`${labels}@${time}=${columns.total[i]}`);
    }
  }
  return { found: found.sort(), missing: [...new Set(selection.missing)] };
}

/** Writes one profile; returns it in the form that `ask` uses. */
async function write(server: FleetServer, job: string, time: bigint): Promise<string> {
  const appender = server.store.appender();
  const rows = [{ stack: `f${time % 7n};main`, values: [time % 1_000n] }];
  const sampleTypes = [{ type: 'cpu', unit: 'nanoseconds' }];
  append(appender, { labels: { job }, time, rows, sampleTypes, hash: time });
  await appender.commit();
  return `${job}@${time}=${time % 1_000n}`;
}

/** Events that can happen to a server. The test waits until each has ended. */
const events: Readonly<Record<string, (server: FleetServer, fleet: Fleet) => Promise<void>>> = {
  rotate: ({ store }) => store.rotate(),
  compact: ({ maintenance }) => maintenance.runPass(),
  ship: (server) => server.ship(),
  list: (_server, fleet) => fleet.list(),
  wait: (_server, { clock }) => clock.advance(objectRemoveDelayMillis / 2),
  restart: async (server) => {
    await server.stop();
    await server.start();
  },
  kill: async (server) => {
    server.kill();
    await server.start();
  },
};

for (const seed of [1, 2, 3]) {
  test(`whatever servers do, each profile is there once (${seed})`, async () => {
    const random = seededRandom(seed);
    const fleet = await startFleet(seed, 3, startMillis);
    const known = new Map<string, { job: string; time: bigint }>();
    const deleteOne = async (server: FleetServer): Promise<void> => {
      const job = `job-${randomBelow(random, 4)}`;
      const to = startNanos + BigInt(randomBelow(random, 3_000));
      await server.maintenance.delete(query({ matchers: [['job', '=', job]], to }));
      for (const [text, one] of known) {
        if (one.job === job && one.time <= to && text.startsWith(server.name)) known.delete(text);
      }
    };
    const startNanos = BigInt(startMillis) * 1_000_000n - 9n * 3_600_000_000_000n;
    try {
      const names = Object.keys(events);
      for (let i = 0; i < 150; i += 1) {
        const server = fleet.servers[randomBelow(random, 3)];
        const choice = randomBelow(random, 20);
        if (choice < 9) {
          const time = startNanos + BigInt(i * 20);
          const job = `job-${randomBelow(random, 4)}`;
          known.set(`${server.name} ${await write(server, job, time)}`, { job, time });
        } else if (choice === 9) await deleteOne(server);
        else await events[names[randomBelow(random, names.length)]](server, fleet);
        const { found, missing } = await ask(fleet);
        assert.deepEqual(missing, []);
        const want = [...known.keys()].map((text) => text.slice(text.indexOf(' ') + 1)).sort();
        assert.deepEqual(found, want, `after event ${i} of seed ${seed}`);
      }
      assert.ok(known.size > 10);
      for (const { failure } of fleet.servers) assert.equal(failure, undefined);
    } finally {
      await fleet.close();
    }
  });
}

test('profiles that are gone for good are not shown, although the bucket still has them', async () => {
  const fleet = await startFleet(5, 1, startMillis);
  const [server] = fleet.servers;
  const nanos = BigInt(startMillis) * 1_000_000n - 9n * 3_600_000_000_000n;
  const profile = await write(server, 'a', nanos);
  await server.store.rotate();
  await server.ship();
  await fleet.list();
  assert.deepEqual((await ask(fleet)).found, [profile]);
  await server.maintenance.delete(query({}));
  await server.maintenance.runPass();
  assert.deepEqual(await ask(fleet), { found: [], missing: [] });
  await fleet.close();
});

test('an answer that has begun ends, although its blocks are replaced', async () => {
  const fleet = await startFleet(6, 1, startMillis);
  const [server] = fleet.servers;
  const nanos = BigInt(startMillis) * 1_000_000n - 9n * 3_600_000_000_000n;
  for (let i = 0n; i < 4n; i += 1n) {
    await write(server, 'a', nanos + i);
    await server.store.rotate();
  }
  const selection = await fleet.querier.select(query({}));
  await server.maintenance.runPass();
  assert.equal(server.store.blocks().length, 1);
  let count = 0;
  for await (const { columns } of selection.profiles(freeContext)) count += columns.profileCount;
  assert.deepEqual([count, selection.missing], [4, []]);
  selection[Symbol.dispose]();
  await fleet.close();
});

test('a server that does not answer is told, and the bucket has what it shipped', async () => {
  const fleet = await startFleet(7, 2, startMillis);
  const [first, second] = fleet.servers;
  const nanos = BigInt(startMillis) * 1_000_000n - 9n * 3_600_000_000_000n;
  const shipped = await write(first, 'a', nanos);
  await first.store.rotate();
  await first.ship();
  await fleet.list();
  const unshipped = await write(first, 'a', nanos + 1n);
  const other = await write(second, 'b', nanos);
  assert.deepEqual(await ask(fleet), { found: [shipped, unshipped, other], missing: [] });
  first.kill();
  const sentence =
    'cannot read what server server-0:7070 has not put into the bucket: connection refused';
  assert.deepEqual(await ask(fleet), { found: [shipped, other], missing: [sentence] });
  assert.deepEqual(fleet.querier.missingIn({ from: nanos, to: nanos }), [sentence]);
  await first.start();
  // After a moment, the server is asked again.
  await fleet.clock.advance(minuteMillis);
  assert.deepEqual(await ask(fleet), { found: [shipped, unshipped, other], missing: [] });
  await fleet.close();
});

test('a query ends with its caller while a server does not answer', async () => {
  const fleet = await startFleet(9, 1, startMillis);
  const [server] = fleet.servers;
  const written = await write(server, 'a', 1n);
  const asked = Promise.withResolvers<undefined>();
  const answering = Promise.withResolvers<undefined>();
  const look = server.look.bind(server);
  server.look = async (question) => {
    asked.resolve(undefined);
    await answering.promise;
    return look(question);
  };
  const { querier } = fleet;
  const caller = new AbortController();
  const { signal } = caller;
  const questions: Promise<unknown>[] = [
    querier.select(query({}), signal),
    querier.labelNames(query({}), signal),
    querier.labelValues('job', query({}), signal),
    querier.profileTypes(query({}).range, [], signal),
  ];
  const settled = Promise.allSettled(questions);
  await asked.promise;
  const gone = new AppError('cancelled', 'the caller has gone');
  caller.abort(gone);
  for (const one of await settled) assert.equal(one.status === 'rejected' && one.reason, gone);
  answering.resolve(undefined);
  assert.deepEqual(await ask(fleet), { found: [written], missing: [] });
  await fleet.close();
});

test('a bucket that cannot be listed is told', async () => {
  const fleet = await startFleet(8, 1, startMillis);
  const [server] = fleet.servers;
  const nanos = BigInt(startMillis) * 1_000_000n - 9n * 3_600_000_000_000n;
  const shipped = await write(server, 'a', nanos);
  await server.store.rotate();
  await server.ship();
  await fleet.list();
  fleet.failLists(new AppError('unavailable', 'timed out'));
  await fleet.list();
  const { found, missing } = await ask(fleet);
  assert.deepEqual(found, [shipped]);
  assert.deepEqual(missing, [
    'cannot list the blocks of /b: timed out',
    'cannot list the blocks of /b/server-0: timed out',
  ]);
  fleet.failLists(undefined);
  await fleet.list();
  assert.deepEqual((await ask(fleet)).missing, []);
  await fleet.close();
});

/** Distributes the profiles of a world among servers, with random events in between. */
async function shareOut(fleet: Fleet, { fake }: World, random: Random): Promise<void> {
  const names = Object.keys(events);
  for (const profile of fake.incoming()) {
    const server = fleet.servers[randomBelow(random, fleet.servers.length)];
    const appender = server.store.appender();
    const to = new DictionaryTranslator(fake.dictionary, appender.dictionary);
    appender.append({
      ...profile,
      stacks: profile.stacks.map((stack) => to.stack(stack)),
      sampleLabels: profile.sampleLabels?.map((labels) => to.sampleLabels(labels)),
    });
    await appender.commit();
    if (randomBelow(random, 8) > 0) continue;
    await events[names[randomBelow(random, names.length)]](server, fleet);
  }
}

test('random questions are answered as by the naive evaluation', async () => {
  const first = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  for (let seed = first; seed < first + 2; seed += 1) {
    let fleet: Fleet | undefined;
    try {
      await compareWithOracle(seed, 40, {}, async (world) => {
        fleet = await startFleet(seed, 3, startMillis);
        await shareOut(fleet, world, seededRandom(seed));
        return [fleet.querier];
      });
    } catch (error) {
      if (error instanceof Error) error.message += `\nTEST_SEED=${seed}`;
      throw error;
    } finally {
      await fleet?.close();
    }
  }
});
