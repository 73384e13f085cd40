// Tests that a copy of another server's head is made in short slices, even if the log has long
// records.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPausingClock } from '../../base/fake/pausing-clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { Dictionary } from '../../model/dictionary.ts';
import { append } from '../fake/short-profiles.ts';
import { Head } from '../head/head.ts';
import { startFleet } from '../query-server/testing/test-fleet.ts';
import { LogFollower } from './log-follower.ts';

test('records are applied in slices, and the profiles of each become visible at once', async () => {
  const fleet = await startFleet(1, 1, 20_000 * 86_400_000);
  const [server] = fleet.servers;
  const write = async (from: number, count: number): Promise<void> => {
    const appender = server.store.appender();
    for (let i = from; i < from + count; i += 1) {
      const rows = [{ stack: `f${i};main`, values: [1n], labels: { thread: `t${i}` } }];
      const sampleTypes = [{ type: 'cpu', unit: 'nanoseconds' }];
      append(appender, { labels: { job: `j${i}` }, time: BigInt(i), rows, sampleTypes });
    }
    await appender.commit();
  };
  await write(1, 300);
  await write(301, 100);
  const head = new Head(new Dictionary([1, 2, 3]), 16_384);
  const seen = new Set<number>();
  const { clock, pauses } = createPausingClock(fleet.clock, () => seen.add(head.profileCount));
  const answer = await server.look({ instance: '', version: '', places: [] });
  const follower = new LogFollower(answer.heads[0], head, clock, silentLogger);
  for (const stretch of answer.stretches) await follower.add(stretch);
  assert.equal(follower.hasLost, false);
  assert.deepEqual([head.profileCount, head.streamCount], [400, 400]);
  assert.deepEqual([...seen], [0, 300]);
  assert.ok(pauses() >= 15, `${pauses()} pauses`);
  await fleet.close();
});
