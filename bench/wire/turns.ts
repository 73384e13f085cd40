// Compares two versions of the server over the wire, in turns within one run: pushes, then queries
// whose responses are not cached yet.
//
// node bench/wire/turns.ts BEFORE [AFTER]
//
// BEFORE and AFTER are checkouts with installed packages; the default for AFTER is this checkout.
// Ratios compare total times instead of medians, because V8 collects garbage in only a few queries.
// BENCH_PROFILES_PER_SERIES is the number of profiles in each of the 1,000 series (4),
// BENCH_QUESTIONS the number of queries of each kind (25).
import { join } from 'node:path';
import type { Client } from '@grpc/grpc-js';
import { connect } from '../../test/support/grpc-client.ts';
import { scratchDirectory, startServer, type TestServer } from '../../test/support/server.ts';
import { fleetDefaults } from '../fleet/fleet.ts';
import { memoryMegabytes, threadMillis } from '../figures.ts';
import { makeUploads, pushAll, makeQuestions } from './load.ts';

const here = join(import.meta.dirname, '../..');
const connectionCount = 8;
const pushesPerTurn = 250;
const questionCount = Number(process.env['BENCH_QUESTIONS'] ?? 25);
/**
 * Number of queries of each type that are sent before the measurement, so that V8 compiles their
 * code on each thread.
 */
const warmUpCount = 40;

const [before, after = here] = process.argv.slice(2);
if (before === undefined) throw new Error('usage: node bench/wire/turns.ts BEFORE [AFTER]');
const uploads = makeUploads(Number(process.env['BENCH_PROFILES_PER_SERIES'] ?? 4));
const scratch = await scratchDirectory();
const servers: TestServer[] = [];
try {
  for (const [i, checkout] of [before, after].entries()) {
    servers.push(await startServer({ storagePath: join(scratch.path, `data-${i}`), checkout }));
  }
  await comparePushes();
  await compareQuestions();
  const peaks = await Promise.all(servers.map(({ pid }) => memoryMegabytes(pid)));
  console.log(`peak memory: ${peaks.map(({ peak }) => `${peak.toFixed(0)} MB`).join(', ')}`);
} finally {
  for (const server of servers) await server.stop();
  await scratch.remove();
}

/** Total CPU time and duration of each server in milliseconds. */
interface Cost {
  cpu: number;
  time: number;
}

/** Runs the same work on each server; the first server changes from turn to turn. */
async function takeTurns(turn: number, costs: Cost[], work: (i: number) => Promise<void>) {
  for (const i of turn % 2 === 0 ? [0, 1] : [1, 0]) {
    const { pid } = servers[i];
    const [cpu, start] = [threadMillis(pid), performance.now()];
    await work(i);
    costs[i].time += performance.now() - start;
    costs[i].cpu += threadMillis(pid) - cpu;
  }
}

async function comparePushes(): Promise<void> {
  const clients = servers.map(({ address }) => {
    return Array.from({ length: connectionCount }, () => connect(address));
  });
  const costs = makeZeroCosts();
  // The first round is not counted: its profiles contain all symbols, and V8 compiles the server's
  // hot code.
  const firstCount = fleetDefaults.series;
  for (let from = 0, turn = 0; from < uploads.length; from += pushesPerTurn, turn += 1) {
    const to = Math.min(from + pushesPerTurn, uploads.length);
    const counted = from < firstCount ? makeZeroCosts() : costs;
    await takeTurns(turn, counted, (i) => pushAll(clients[i], uploads, from, to));
  }
  for (const client of clients.flat()) client.close();
  report('push', costs, uploads.length - firstCount);
}

async function compareQuestions(): Promise<void> {
  const clients: Client[] = servers.map(({ address }) => connect(address));
  const [questions, others] = clients.map((client) => makeQuestions(client, uploads));
  for (const [number, question] of questions.entries()) {
    const pair = [question, others[number]];
    const costs = makeZeroCosts();
    for (let turn = 0; turn < warmUpCount + questionCount; turn += 1) {
      const counted = turn < warmUpCount ? makeZeroCosts() : costs;
      await takeTurns(turn, counted, (i) => pair[i].ask(turn));
    }
    report(question.name, costs, questionCount);
  }
  for (const client of clients) client.close();
}

function makeZeroCosts(): Cost[] {
  return servers.map(() => ({ cpu: 0, time: 0 }));
}

function report(name: string, [one, other]: readonly Cost[], count: number): void {
  const millis = [one, other].map(({ cpu }) => (cpu / count).toFixed(2)).join(', ');
  const [cpu, time] = [other.cpu / one.cpu, other.time / one.time].map((ratio) => ratio.toFixed(2));
  console.log(`${name}: CPU ${millis} ms, ratio ${cpu}; time, ratio ${time}`);
}
