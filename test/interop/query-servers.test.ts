// Tests three servers with one bucket on a real S3 server, and two query servers. Their answers
// equal those from plain memory while blocks are shipped and compacted, series are deleted, and
// processes are killed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomFrom } from '../../src/query/testing/random-rows.ts';
import { startMinio, type Minio } from '../support/minio.ts';
import { answerTo } from '../whole-server/answers.ts';
import { FleetWorld } from '../whole-server/fleet-world.ts';
import { makeQuestions } from '../whole-server/questions.ts';

const worldCount = Number(process.env['FLEET_WORLDS'] ?? 2);
const eventsPerWorld = 25;
const questionsPerEvent = 4;

let minio: Minio;
before(async () => {
  minio = await startMinio();
});
after(() => minio.remove());

test('query servers answer as one server that has everything', async (t) => {
  const first = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
  const counts: Record<string, number> = { questions: 0 };
  for (let seed = first; seed < first + worldCount; seed += 1) {
    const world = await FleetWorld.open(randomFrom(seed * 7919), bucketConfig(), `world-${seed}`);
    const history: string[] = [];
    try {
      for (let i = 0; i < eventsPerWorld; i += 1) {
        history.push(await world.happen());
        counts['questions'] += await askAll(world);
      }
      for (const [name, count] of Object.entries(world.counts)) {
        counts[name] = (counts[name] ?? 0) + count;
      }
    } catch (error) {
      const told = `TEST_SEED=${seed} after ${history.join(', ')}\n${world.log()}`;
      throw new Error(told, { cause: error });
    } finally {
      await world.close();
    }
  }
  t.diagnostic(JSON.stringify(counts));
});

/** Returns the bucket as configured. */
function bucketConfig(): object {
  const { bucket, endpoint, accessKey, secretKey } = minio.config;
  const keys = { bucket, endpoint, access_key: accessKey, secret_key: secretKey, insecure: true };
  return { type: 'S3', config: keys };
}

/**
 * Sends the same queries to both query servers and to plain memory; returns the number of queries.
 */
async function askAll(world: FleetWorld): Promise<number> {
  const profiles = world.profiles();
  if (profiles.length === 0) return 0;
  const { reference, referenceClient } = world;
  const questions = makeQuestions(world.random, profiles, questionsPerEvent);
  for (const asked of questions) {
    const want = await answerTo({ url: reference.url, client: referenceClient }, asked);
    for (const { server, client } of world.queries) {
      const got = await answerTo({ url: server.url, client }, asked);
      assert.equal(got, want, `${server.address}: ${asked.kind}: ${asked.text}`);
    }
  }
  return questions.length;
}
