// Kills the real server with SIGKILL again and again; whatever it acknowledged must be there, once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { mergedFlameGraph, sumBy } from '../support/json-api.ts';
import { cpuProfile, gzippedPprof } from '../support/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const roundCount = process.env['TEST_FULL'] === '1' ? 1_000 : 60;
const writerCount = 4;
const selector = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const startMillis = Date.UTC(2026, 0, 1);
const range = { from: new Date(startMillis), to: new Date(startMillis + 9 * 86_400_000) };

/** One profile that a writer sends; `id` is a label of its own, so its sum can be asked for. */
interface Sent {
  readonly id: string;
  readonly request: Uint8Array;
  readonly total: bigint;
  readonly rows: number;
}

/** What was sent between a start and the next kill. */
interface Round {
  readonly acknowledged: Map<string, Sent>;
  readonly unsure: Map<string, Sent>;
}

const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);
const random = seededRandom(seed);

test(`kill -9, ${roundCount} rounds, seed ${seed}`, { timeout: 7_200_000 }, async () => {
  const scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  const rounds: Round[] = [];
  const answers = new Map<number, string>();
  try {
    for (let number = 0; number < roundCount; number += 1) {
      const server = await startServer({ storagePath });
      try {
        const last = rounds.at(-1);
        if (last !== undefined) {
          await checkRound(server, number - 1, last);
          await retryUnsure(server, last);
        }
        await checkTotals(server, rounds);
        await checkAnswers(server, answers, number);
        rounds.push(await pushUntilKilled(server, number));
      } finally {
        await server.kill();
      }
    }
    const server = await startServer({ storagePath });
    await retryUnsure(server, rounds[roundCount - 1]);
    await checkTotals(server, rounds);
    for (let number = 0; number < roundCount; number += 1) {
      await checkRound(server, number, rounds[number]);
    }
    for (const [number, answer] of answers) assert.equal(await ask(server, number), answer);
    assert.equal(await server.stop(), 0);
    const count = rounds.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    assert.ok(count > roundCount, `only ${count} were acknowledged`);
  } finally {
    await scratch.remove();
  }
});

/** Every profile of a round: the acknowledged are there once, the others once or not at all. */
async function checkRound(server: TestServer, number: number, round: Round): Promise<void> {
  const query = `${selector}{job="kill",round="${number}"}`;
  const sums = await sumBy(server.url, { query, ...range, by: 'id' });
  for (const id of round.acknowledged.keys()) {
    assert.ok(sums.has(id), `acknowledged ${id} is lost`);
  }
  for (const [id, found] of sums) {
    const sent = round.acknowledged.get(id) ?? round.unsure.get(id);
    assert.ok(sent !== undefined, `${id} was never sent`);
    assert.deepEqual(found, { value: sent.total, count: sent.rows }, id);
  }
}

/** The sums of all rounds so far, of which nothing is unsure any more. */
async function checkTotals(server: TestServer, rounds: readonly Round[]): Promise<void> {
  if (rounds.length === 0) return;
  const sums = await sumBy(server.url, { query: `${selector}{job="kill"}`, ...range, by: 'round' });
  rounds.forEach(({ acknowledged }, number) => {
    let value = 0n;
    let count = 0;
    for (const sent of acknowledged.values()) {
      value += sent.total;
      count += sent.rows;
    }
    if (count === 0) assert.equal(sums.get(String(number)), undefined);
    else assert.deepEqual(sums.get(String(number)), { value, count }, `round ${number}`);
  });
}

/** What got no answer is sent again, as a client would; it must not count twice. */
async function retryUnsure(server: TestServer, round: Round): Promise<void> {
  const client = connect(server.address);
  for (const sent of round.unsure.values()) {
    await unary(client, writeRawPath, sent.request);
    round.acknowledged.set(sent.id, sent);
  }
  round.unsure.clear();
  client.close();
}

/** Rounds that are over answer with the same bytes after every restart. */
async function checkAnswers(
  server: TestServer,
  answers: Map<number, string>,
  round: number,
): Promise<void> {
  for (let earlier = Math.max(0, round - 3); earlier < round; earlier += 1) {
    const answer = await ask(server, earlier);
    const before = answers.get(earlier);
    if (before === undefined) answers.set(earlier, answer);
    else assert.equal(answer, before, `the answer of round ${earlier} changed`);
  }
}

function ask(server: TestServer, round: number): Promise<string> {
  return mergedFlameGraph(server.url, { query: `${selector}{round="${round}"}`, ...range });
}

/** Several connections push; the kill comes at a random moment or right after an answer. */
async function pushUntilKilled(server: TestServer, round: number): Promise<Round> {
  const acknowledged = new Map<string, Sent>();
  const unsure = new Map<string, Sent>();
  const clients = Array.from({ length: writerCount }, () => connect(server.address));
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    killed ??= server.kill();
  };
  const answersBeforeKill = round % 2 === 0 ? 1 + randomBelow(random, 40) : Infinity;
  if (round % 2 === 1) void delay(20 + randomBelow(random, 300)).then(kill);
  let answered = 0;
  const write = async (client: Client, writer: number): Promise<void> => {
    for (let i = 0; killed === undefined; i += 1) {
      const sent = makeProfile(round, writer, i);
      unsure.set(sent.id, sent);
      try {
        await unary(client, writeRawPath, sent.request);
      } catch {
        return;
      }
      unsure.delete(sent.id);
      acknowledged.set(sent.id, sent);
      answered += 1;
      if (answered >= answersBeforeKill) kill();
    }
  };
  await Promise.all(clients.map(write));
  await killed;
  for (const client of clients) client.close();
  return { acknowledged, unsure };
}

function makeProfile(round: number, writer: number, i: number): Sent {
  const id = `r${round}-w${writer}-${i}`;
  const samples = Array.from({ length: 1 + randomBelow(random, 20) }, (_, n) => {
    const stack = `main;f${randomBelow(random, 30)};leaf${n}`;
    return [stack, BigInt(1 + randomBelow(random, 1_000))] as const;
  });
  const millis = startMillis + round * 60_000 + i * 10 + writer;
  const profile = cpuProfile({ timeNanos: BigInt(millis) * 1_000_000n, samples });
  const labels = { __name__: 'process_cpu', job: 'kill', id, round: String(round) };
  return {
    id,
    request: writeRawRequest(labels, gzippedPprof(profile)),
    total: samples.reduce((sum, [, count]) => sum + count * 10_000_000n, 0n),
    rows: samples.length,
  };
}
