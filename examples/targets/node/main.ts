// A Node program to profile: heavy does three times the work of light, in time and in memory.
//
//     node main.ts --listen 127.0.0.1:6063
//
// With --audit it behaves like a second release, in which audit takes twice the time of light and
// never frees its memory.
import { heap, time } from '@datadog/pprof';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { gzipSync } from 'node:zlib';

/** Number of steps that take about 0.6 ms; a turn is three shares of heavy and one of light. */
const stepsPerShare = 500_000;
/** Turns are short, so that even rare samples hit both functions in proportion. */
const turnsPerRound = 10;
/** Pause after each round, so that the program uses less than half of a core. */
const pauseMillis = 36;
/** Number of lists that are kept: one for each share, from the last turns. */
const listLength = 2_000;
const turnsKept = 100;

/** Microseconds between two samples. */
const timeIntervalMicros = 1_000;
/** Column of the time in which JavaScript ran; each sample has a count and this time. */
const timeColumn = 1;
const secondsMax = 300;
/** Allocated bytes between two samples of a heap profile. */
const heapIntervalBytes = 32 * 1024;
const heapStackDepth = 64;

let state = 1;
const kept: number[][][] = [];
const audited: number[][] = [];

function heavy(steps: number): number[][] {
  let value = state;
  for (let i = 0; i < 3 * steps; i += 1) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  state = value;
  return [numbers(), numbers(), numbers()];
}

function light(steps: number): number[][] {
  let value = state;
  for (let i = 0; i < steps; i += 1) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  state = value;
  return [numbers()];
}

function audit(steps: number): number[][] {
  let value = state;
  for (let i = 0; i < 2 * steps; i += 1) value = (Math.imul(value, 1_103_515_245) + 12_345) | 0;
  state = value;
  return [numbers(), numbers()];
}

function numbers(): number[] {
  return Array.from({ length: listLength }, () => state + 0.5);
}

async function work(audits: boolean): Promise<never> {
  for (let turns = 0; ; turns += 1) {
    // The length varies, equally for both functions, so that they have no fixed rhythm with the
    // sampling.
    const steps = Math.floor(stepsPerShare * (0.5 + Math.random()));
    kept[turns % turnsKept] = [...heavy(steps), ...light(steps)];
    if (audits) audited.push(...audit(steps));
    if (turns % turnsPerRound === 0) await delay(pauseMillis);
  }
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Returns the CPU time by function over the next seconds. There is only one profiler, so requests
 * take turns. Requests whose client has disconnected are skipped; otherwise, with too many of them,
 * the others would wait forever.
 */
function timeProfile(seconds: number, response: ServerResponse): Promise<Buffer> {
  const next = turn.then(async () => {
    if (response.destroyed) throw new Error('the client has gone');
    time.stop(true);
    const before = process.cpuUsage();
    await delay(seconds * 1_000);
    const { user, system } = process.cpuUsage(before);
    const profile = time.stop(true);
    asCpuTime(profile, (user + system) * 1_000);
    return gzipSync(profile.encode());
  });
  turn = next.catch(() => undefined);
  return next;
}

/**
 * Scales the time in which JavaScript ran to CPU time, because on a busy machine it includes time
 * spent waiting for a core. The sum becomes at most the CPU time of the process.
 */
function asCpuTime(profile: ReturnType<typeof time.stop>, cpuNanos: number): void {
  const nanos = profile.sample.reduce((sum, { value }) => sum + Number(value[timeColumn]), 0);
  const share = Math.min(1, cpuNanos / nanos);
  for (const { value } of profile.sample) {
    value[timeColumn] = Math.round(Number(value[timeColumn]) * share);
  }
  const [, type] = profile.sampleType;
  type.type = profile.stringTable.dedup('cpu');
  // With this period type, the profile has the same type as those of Go and Rust.
  profile.periodType = type;
}

/** Returns the memory in use by the function that allocated it. */
function heapProfile(): Buffer {
  return gzipSync(heap.profile().encode());
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://target');
  if (url.pathname === '/debug/pprof/profile') {
    const seconds = Number(url.searchParams.get('seconds') ?? 10);
    if (!(seconds > 0 && seconds <= secondsMax)) {
      response.writeHead(400).end(`seconds must be above 0 and at most ${secondsMax}\n`);
      return;
    }
    response.end(await timeProfile(seconds, response));
  } else if (url.pathname === '/debug/pprof/heap') {
    response.end(heapProfile());
  } else {
    response.writeHead(404).end('not found\n');
  }
}

const { values } = parseArgs({
  options: {
    listen: { type: 'string', default: '127.0.0.1:6063' },
    audit: { type: 'boolean', default: false },
  },
});
const [, host, port] = /^(.*):(\d+)$/.exec(values.listen) ?? [];
if (port === undefined) throw new Error(`--listen must be host:port, not ${values.listen}`);

// If heavy and light were inlined, half of their time would go to their caller, `work`.
for (const compiler of ['maglev', 'turbo']) setFlagsFromString(`--no-${compiler}-inlining`);
time.start({ intervalMicros: timeIntervalMicros, withContexts: true });
heap.start(heapIntervalBytes, heapStackDepth);
const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    response.writeHead(500).end(`${String(error)}\n`);
  });
});
server.listen(Number(port), host, () => {
  const address = server.address() as AddressInfo;
  console.log(`listening on ${address.address}:${address.port}`);
  void work(values.audit);
});
