// Runs random events on real servers for a given time. Prints counts as JSON, or how to repeat a
// disagreement.
//
// Use: node test/whole-server/live.ts <first seed> <seconds>. With PLANTED_BUG the server has a
// fault of planted-faults.ts.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { compareRange, compareReport } from '../../src/query/testing/oracle/compare.ts';
import type { PlainProfile } from '../../src/query/testing/oracle/plain-data.ts';
import { randomFrom } from '../../src/query/testing/random-rows.ts';
import { plantArguments } from '../crash/run-program.ts';
import { answerTo } from './answers.ts';
import { makeQuestions, type Asked } from './questions.ts';
import { World } from './world.ts';

const eventsPerWorld = 12;
const questionsPerEvent = 6;
/** Maximum number of queries that are repeated after the next event. */
const askedAgainMax = 2;

const [firstSeed, seconds] = process.argv.slice(2).map(Number);
const end = Date.now() + seconds * 1_000;
const counts: Record<string, number> = { worlds: 0, questions: 0 };
const kinds = new Set<string>();

for (let seed = firstSeed; Date.now() < end && process.exitCode === undefined; seed += 1) {
  await live(seed);
  counts['worlds'] += 1;
}
process.stdout.write(`${JSON.stringify({ ...counts, kinds: kinds.size })}\n`);

async function live(seed: number): Promise<void> {
  const world = await World.open(randomFrom(seed * 7919), plantArguments());
  const history: string[] = [];
  let earlier: readonly Asked[] = [];
  try {
    for (let i = 0; i < eventsPerWorld && Date.now() < end; i += 1) {
      history.push(await world.happen());
      earlier = await askAll(world, earlier);
    }
  } catch (error) {
    process.stderr.write(`${inspect(error)}\nafter ${history.join(', ')}\n${world.server.log()}\n`);
    process.stderr.write(`repeat it: node test/whole-server/live.ts ${seed} 120\n`);
    process.exitCode = 1;
  } finally {
    for (const [name, count] of Object.entries(world.counts)) {
      counts[name] = (counts[name] ?? 0) + count;
    }
    await world.close();
  }
}

/** Sends queries one after another, or all at once with some that are cancelled. */
async function askAll(world: World, earlier: readonly Asked[]): Promise<Asked[]> {
  const { random } = world;
  const profiles = world.profiles();
  if (profiles.length === 0) return [];
  const questions = makeQuestions(random, profiles, questionsPerEvent);
  // Answers to repeated queries must reflect the changes since the first answers.
  for (const asked of earlier) await compare(world, asked);
  if (random(3) === 0) {
    const broken = questions.map((asked) => breakOff(world, asked));
    await Promise.all(questions.map((asked) => compare(world, asked)));
    await Promise.all(broken);
  } else {
    for (const asked of questions) await compare(world, asked);
  }
  for (const asked of questions) await checkReference(world, asked, profiles);
  return questions.slice(0, askedAgainMax);
}

async function compare(world: World, asked: Asked): Promise<void> {
  const { server, client, reference, referenceClient } = world;
  try {
    const got = await answerTo({ url: server.url, client }, asked);
    const want = await answerTo({ url: reference.url, client: referenceClient }, asked);
    assert.equal(got, want);
  } catch (error) {
    throw new Error(`the answer is wrong to ${asked.kind}: ${asked.text}`, { cause: error });
  }
  counts['questions'] += 1;
  kinds.add(asked.kind);
}

/** Checks that the reference agrees with the naive evaluation. */
async function checkReference(
  { reference: { engine } }: World,
  { kind, text, report, range }: Asked,
  profiles: readonly PlainProfile[],
): Promise<void> {
  // Flame charts are not compared: a double cannot hold a current time in nanoseconds, so the naive
  // evaluation cannot tell whether two calls touch. The charts of test/fuzz start in 1970.
  const isChart = report?.oracle.report === 'flame-chart';
  try {
    if (report !== undefined && !isChart) await compareReport(engine, report, profiles);
    if (range !== undefined) await compareRange(engine, range, profiles);
  } catch (error) {
    throw new Error(`the reference is wrong about ${kind}: ${text}`, { cause: error });
  }
}

/** Sends a query, and disconnects after a moment. */
async function breakOff(world: World, asked: Asked): Promise<void> {
  const controller = new AbortController();
  const { server, client } = world;
  const { call } = asked;
  if (call.via === 'grpc') return;
  const answer = answerTo({ url: server.url, client }, asked, controller.signal);
  setTimeout(() => controller.abort(), world.random(30));
  await answer.catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
  });
}
