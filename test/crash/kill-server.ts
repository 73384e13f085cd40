// Kills the real server with SIGKILL again and again; whatever it acknowledged must be there, once.
//
// Use: node test/crash/kill-server.ts <rounds> <seed>; prints counts as JSON.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@grpc/grpc-js';
import { randomBelow, seededRandom } from '../../src/base/random.ts';
import { connect, unary, writeRawPath, writeRawRequest } from '../support/grpc-client.ts';
import { mergedStacks, sumBy } from '../support/json-api.ts';
import { cpuProfile, gzippedPprof } from '../support/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';

const writerCount = 4;
const refusedMillis = 20;
const selector = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
const startMillis = Date.UTC(2026, 0, 1);
const range = { from: new Date(startMillis), to: new Date(startMillis + 9 * 86_400_000) };
/** Of the disk: what a row of these small profiles may take, and what an empty store may. */
const bytesPerRow = 400;
const slackBytes = 16 * 2 ** 20;
const residentBytesMax = 400 * 2 ** 20;
/** Everything that a storage directory may hold. */
const knownFiles =
  /^(LOCK(\.pid)?|meta|reserve|trash|wal|blocks|wal\/\d+\.wal|blocks\/[\w-]+\.(block(\.tmp)?|deleted))$/;

/** Heads are cut every hundred kilobytes or so; nothing is old enough to go. */
const flags = [
  '--storage-active-memory=1600000',
  '--storage-retention-time=9000d',
  '--storage-retention-size=100GB',
];

/** Without ingest workers, with one and with two, in turns: what one start wrote, another finds. */
function flagsOf(round: number): string[] {
  return [...flags, `--ingest-workers=${round % 3}`];
}

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

const [roundCount, seed] = process.argv.slice(2).map(Number);
const random = seededRandom(seed);
const counts = { cycles: 0, acknowledged: 0, queries: 0, blocks: 0 };

try {
  await run();
} catch (error) {
  process.stderr.write(`repeat it: node test/crash/kill-server.ts ${roundCount} ${seed}\n`);
  throw error;
}
process.stdout.write(`${JSON.stringify(counts)}\n`);

async function run(): Promise<void> {
  const scratch = await scratchDirectory();
  const storagePath = join(scratch.path, 'data');
  const rounds: Round[] = [];
  const answers = new Map<number, string>();
  try {
    for (let number = 0; number < roundCount; number += 1) {
      const server = await startServer({ storagePath, flags: flagsOf(number) });
      try {
        const last = rounds.at(-1);
        if (last !== undefined) {
          await checkRound(server, number - 1, last);
          await retryUnsure(server, last);
        }
        await checkTotals(server, rounds);
        await checkAnswers(server, answers, number);
        checkResources(server, storagePath, rounds);
        rounds.push(await pushUntilKilled(server, number));
      } finally {
        await server.kill();
      }
      counts.cycles += 1;
    }
    await checkEnd(await startServer({ storagePath, flags }), rounds, answers);
  } finally {
    await scratch.remove();
  }
}

async function checkEnd(
  server: TestServer,
  rounds: readonly Round[],
  answers: ReadonlyMap<number, string>,
): Promise<void> {
  try {
    const last = rounds.at(-1);
    if (last) await retryUnsure(server, last);
    await checkTotals(server, rounds);
    for (const [number, round] of rounds.entries()) await checkRound(server, number, round);
    for (const [number, answer] of answers) assert.equal(await ask(server, number), answer);
    assert.equal(await server.stop(), 0);
  } finally {
    await server.kill();
  }
  counts.acknowledged = rounds.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
}

/** No file is left over, the disk holds what the model says, memory is bounded. */
function checkResources(server: TestServer, storagePath: string, rounds: readonly Round[]): void {
  let rows = 0;
  for (const { acknowledged } of rounds)
    for (const sent of acknowledged.values()) rows += sent.rows;
  let bytes = 0;
  for (const name of readdirSync(storagePath, { recursive: true, encoding: 'utf8' })) {
    assert.match(name, knownFiles, 'a file is left over');
    if (name.endsWith('.block')) counts.blocks += 1;
    if (name !== 'reserve') bytes += statSync(join(storagePath, name)).size;
  }
  const bytesMax = slackBytes + rows * bytesPerRow;
  assert.ok(bytes <= bytesMax, `${bytes} bytes on the disk for ${rows} rows`);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  assert.ok(resident > 0 && resident < residentBytesMax, `${resident} bytes are resident`);
}

/** Every profile of a round: the acknowledged are there once, the others once or not at all. */
async function checkRound(server: TestServer, number: number, round: Round): Promise<void> {
  compareRound(await roundSums(server, number), round, round.acknowledged.keys());
}

type Sums = ReadonlyMap<string, { value: bigint; count: number }>;

/** By profile. */
function roundSums(server: TestServer, number: number): Promise<Sums> {
  const query = `${selector}{job="kill",round="${number}"}`;
  return sums(server, query, 'id');
}

/** Empty when there is nothing. */
function sums(server: TestServer, query: string, by: string): Promise<Sums> {
  return sumBy(server.url, { query, ...range, by }).catch((error: unknown) => {
    if (!String(error).includes('No data found')) throw error;
    return new Map();
  });
}

function compareRound(sums: Sums, round: Round, expected: Iterable<string>): void {
  for (const id of expected) assert.ok(sums.has(id), `acknowledged ${id} is lost`);
  for (const [id, found] of sums) {
    const sent = round.acknowledged.get(id) ?? round.unsure.get(id);
    assert.ok(sent !== undefined, `${id} was never sent`);
    assert.deepEqual(found, { value: sent.total, count: sent.rows }, id);
  }
}

/** The sums of all rounds so far, of which nothing is unsure any more. */
async function checkTotals(server: TestServer, rounds: readonly Round[]): Promise<void> {
  if (rounds.length === 0) return;
  const found = await sums(server, `${selector}{job="kill"}`, 'round');
  rounds.forEach(({ acknowledged }, number) => {
    let value = 0n;
    let count = 0;
    for (const sent of acknowledged.values()) {
      value += sent.total;
      count += sent.rows;
    }
    if (count === 0) assert.equal(found.get(String(number)), undefined);
    else assert.deepEqual(found.get(String(number)), { value, count }, `round ${number}`);
  });
}

/** Pushes again when the server's memory is full, as clients do; false when `isOver` first. */
async function pushUntilTaken(
  client: Client,
  request: Uint8Array,
  isOver: () => boolean,
): Promise<boolean> {
  for (;;) {
    try {
      await unary(client, writeRawPath, request);
      return true;
    } catch (error) {
      if (isOver()) return false;
      if (!String(error).includes('RESOURCE_EXHAUSTED')) throw error;
      await delay(refusedMillis);
    }
  }
}

/** What got no answer is sent again, as a client would; it must not count twice. */
async function retryUnsure(server: TestServer, round: Round): Promise<void> {
  const client = connect(server.address);
  for (const sent of round.unsure.values()) {
    await pushUntilTaken(client, sent.request, () => false);
    round.acknowledged.set(sent.id, sent);
  }
  round.unsure.clear();
  client.close();
}

/** Rounds that are over answer the same after every restart. */
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
  return mergedStacks(server.url, { query: `${selector}{round="${round}"}`, ...range });
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
      if (!(await pushUntilTaken(client, sent.request, () => killed !== undefined))) return;
      unsure.delete(sent.id);
      acknowledged.set(sent.id, sent);
      answered += 1;
      if (answered >= answersBeforeKill) kill();
    }
  };
  const read = async (): Promise<void> => {
    while (killed === undefined) {
      const before = [...acknowledged.keys()];
      const sums = await roundSums(server, round).catch((error: unknown) => {
        if (killed === undefined) throw error;
        return undefined;
      });
      if (sums === undefined) return;
      counts.queries += 1;
      compareRound(sums, { acknowledged, unsure }, before);
      await delay(20);
    }
  };
  await Promise.all([...clients.map(write), read()]);
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
  const millis = startMillis + round * 1_800_000 + i * 10 + writer;
  const profile = cpuProfile({ timeNanos: BigInt(millis) * 1_000_000n, samples });
  const labels = { __name__: 'process_cpu', job: 'kill', id, round: String(round) };
  return {
    id,
    request: writeRawRequest(labels, gzippedPprof(profile)),
    total: samples.reduce((sum, [, count]) => sum + count * 10_000_000n, 0n),
    rows: samples.length,
  };
}
