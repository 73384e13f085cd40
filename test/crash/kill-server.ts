// Kills the real server with SIGKILL, many times. Each acknowledged profile must be stored exactly
// once.
//
// Use: node test/crash/kill-server.ts <rounds> <seed>; prints counts as JSON. Heads are small and
// maintenance is frequent, so that kills hit cuts, compactions, deletes and retention.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../src/base/random.ts';
import { connect } from '../support/grpc-client.ts';
import { mergedStacks } from '../support/json-api.ts';
import { scratchDirectory, startServer, type TestServer } from '../support/server.ts';
import {
  deletePending,
  KillRound,
  pushUntilTaken,
  range,
  roundsPerDay,
  roundSums,
  selector,
  sums,
} from './kill-round.ts';
import { plantArguments } from './run-program.ts';
import { SentRounds } from './sent-rounds.ts';

const retainedBytes = 150_000;
/** Number of bytes that may be written before maintenance measures the disk. */
const slackBytes = 4 * 2 ** 20;
const residentBytesMax = 400 * 2 ** 20;
/**
 * Longest time for maintenance to catch up, in milliseconds. Compaction threads have the lowest
 * priority: while three other processes kept two cores busy, a compaction took 4.4 s instead of 0.2
 * s, and up to twenty compactions may be due.
 */
const passesMillisMax = 180_000;
/** Maximum number of bytes that a server may still write when it stops: its head. */
const headBlockBytesMax = 100_000;
/**
 * Files that a storage directory may contain, and files that must be gone after a graceful stop.
 */
const knownFiles =
  /^(LOCK(\.pid)?|meta|reserve|trash|wal|blocks|debuginfo|pyroscope|wal\/\d+\.wal|blocks\/[\w-]+\.(block(\.tmp)?|deleted)|trash\/.*)$/;
const passingFiles = /\.tmp$|^trash\/|\.pid$/;

const flags = [
  // A head gets a quarter of this size.
  '--storage-active-memory=300000B',
  `--storage-retention-size=${retainedBytes}B`,
  '--enable-admin-api',
];
const nodeFlags = [
  '--import',
  new URL('frequent-passes.ts', import.meta.url).pathname,
  ...plantArguments(),
];

const [roundCount, seed] = process.argv.slice(2).map(Number);
const random = seededRandom(seed);
const counts = {
  cycles: 0,
  acknowledged: 0,
  queries: 0,
  deletes: 0,
  cuts: 0,
  compactions: 0,
  retired: 0,
};
const rounds = new SentRounds(roundsPerDay, retainedBytes);
/** Merged stacks of past rounds, and their numbers of profiles. Deletes change both. */
const answers = new Map<number, { readonly text: string; readonly profiles: number }>();

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
  try {
    for (let number = 0; number < roundCount; number += 1) {
      await withServer(storagePath, number, async (server) => {
        await checkStart(server);
        await checkAnswers(server, Math.max(0, number - 3));
        checkResources(server, storagePath);
        await new KillRound(server, rounds, random, counts).run();
      });
      counts.cycles += 1;
    }
    await withServer(storagePath, 0, (server) => checkEnd(server, storagePath));
    checkFiles(storagePath);
    counts.acknowledged = rounds.acknowledgedCount;
  } finally {
    await scratch.remove();
  }
}

/**
 * Runs `work` with a server. Prints the server's log if it fails, because the log says more than
 * the error.
 */
async function withServer(
  storagePath: string,
  round: number,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  // Rounds take turns with zero, one and two ingest workers, and read what the others wrote.
  const workers = `--ingest-workers=${round % 3}`;
  const server = await startServer({ storagePath, flags: [...flags, workers], nodeFlags });
  try {
    await work(server);
  } catch (error) {
    process.stderr.write(`round ${round}, the server's log:\n${server.log()}`);
    throw error;
  } finally {
    await server.kill();
  }
}

/** Checks what the last server left; then settles the unknown results and checks everything. */
async function checkStart(server: TestServer): Promise<void> {
  const { last, pendingDelete } = rounds;
  if (last === undefined) return;
  rounds.checkRound(last.number, await roundSums(server, last.number));
  if (pendingDelete !== undefined) {
    rounds.checkRound(pendingDelete.round, await roundSums(server, pendingDelete.round));
    await deletePending(server, rounds);
  }
  await retryUnsure(server);
  rounds.checkTotals(await sums(server, `${selector}{job="kill"}`, 'round'));
}

/** Sends unanswered profiles again, as clients do. They must not be counted twice. */
async function retryUnsure(server: TestServer): Promise<void> {
  const { last } = rounds;
  if (last === undefined || last.unsure.size === 0) return;
  const client = connect(server.address);
  for (const sent of last.unsure.values()) {
    await pushUntilTaken(client, sent.request, () => false);
    last.acknowledged.set(sent.id, sent);
  }
  last.unsure.clear();
  client.close();
}

/** Checks that past rounds have the same answers after every restart. */
async function checkAnswers(server: TestServer, from: number): Promise<void> {
  for (let round = Math.max(from, rounds.keptFrom()); round < rounds.count - 1; round += 1) {
    const query = `${selector}{round="${round}"}`;
    const text = await mergedStacks(server.url, { query, ...range });
    const profiles = rounds.profilesOf(round);
    const before = answers.get(round);
    if (before?.profiles !== profiles) answers.set(round, { text, profiles });
    else assert.equal(text, before.text, `the answer of round ${round} changed`);
  }
}

/** Checks that there are no leftover files, and that disk space and memory are within limits. */
function checkResources(server: TestServer, storagePath: string): void {
  for (const name of namesUnder(storagePath)) assert.match(name, knownFiles, 'left over');
  const bytes = bytesUnder(storagePath);
  const bytesMax = Math.min(rounds.bytesMax, retainedBytes) + slackBytes;
  assert.ok(bytes <= bytesMax, `${bytes} bytes on the disk, not ${bytesMax}`);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  assert.ok(resident > 0 && resident < residentBytesMax, `${resident} bytes are resident`);
}

/** Checks all rounds once more, then stops the server gracefully. */
async function checkEnd(server: TestServer, storagePath: string): Promise<void> {
  await checkStart(server);
  await deleteForGood(server, storagePath);
  for (let number = 0; number < rounds.count; number += 1) {
    rounds.checkRound(number, await roundSums(server, number));
  }
  await checkAnswers(server, 0);
  await until(() => bytesUnder(storagePath) <= retainedBytes, 'more is kept than may be');
  assert.equal(await server.stop(), 0, 'the server ends with an error');
}

/** Checks the files after a graceful stop. */
function checkFiles(storagePath: string): void {
  const leftOver = namesUnder(storagePath).filter((name) => passingFiles.test(name));
  assert.deepEqual(leftOver, []);
  const bytes = bytesUnder(storagePath);
  assert.ok(bytes <= retainedBytes + headBlockBytesMax, `${bytes} bytes on the disk`);
}

/** Runs a delete without a kill, and waits until a compaction has carried it out. */
async function deleteForGood(server: TestServer, storagePath: string): Promise<void> {
  const { last } = rounds;
  const [sent] = last?.acknowledged.values() ?? [];
  if (last === undefined || sent === undefined) return;
  rounds.beginDelete({ round: last.number, writer: sent.writer });
  await deletePending(server, rounds);
  const isCarriedOut = (): boolean =>
    namesUnder(storagePath).every((name) => !name.endsWith('.deleted'));
  await until(isCarriedOut, 'no compaction carries out the delete');
}

/** Waits until maintenance has made `isSo` return true. */
async function until(isSo: () => boolean, why: string): Promise<void> {
  const deadline = performance.now() + passesMillisMax;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, why);
    await delay(100);
  }
}

function namesUnder(storagePath: string): string[] {
  return readdirSync(storagePath, { recursive: true, encoding: 'utf8' });
}

function bytesUnder(storagePath: string): number {
  let bytes = 0;
  for (const name of namesUnder(storagePath)) {
    const stat = statSync(join(storagePath, name), { throwIfNoEntry: false });
    if (stat?.isFile() === true && name !== 'reserve') bytes += stat.size;
  }
  return bytes;
}
