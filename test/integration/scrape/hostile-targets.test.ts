// Tests a real server of whose targets a third misbehave: the healthy targets are scraped as if the
// hostile ones did not exist. `npm test` has 24 targets and a few rounds, `npm run test:full` 100
// targets for three minutes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { isFull, rounds } from '../../../src/base/testing/rounds.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { memoryMegabytes } from '../../../bench/figures.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';

const targetCount = rounds(24, 100);
const hostileCount = Math.floor(targetCount * 0.3);
/** Number of scrapes of each healthy target; there is one per second. */
const roundCount = rounds(3, 180);
/**
 * Maximum number of rounds that a healthy target may miss although other targets are scraped: one
 * in twenty, and one more, because a busy machine responds late.
 */
const lackedMax = 1 + Math.ceil(roundCount / 20);
/**
 * Share of all scrapes of healthy targets that may be missed in the long run, in addition to the
 * share of the time for which the server waited for a core.
 */
const missedShareMax = 0.001;
/**
 * Megabytes by which the server's lowest memory between bodies may grow. The server may hold
 * several endless bodies of the largest allowed size at any moment, so single measurements differ
 * by more.
 */
const growthMegabytesMax = 64;
const looksPerEnd = 20;

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\n';
const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));

/** Hostile targets: for each, its name and what it does to a request's connection. */
const hostile: readonly (readonly [name: string, act: (socket: Socket) => void])[] = [
  ['never answers', () => undefined],
  ['sends its head byte by byte', (socket) => drip(socket, head.repeat(100))],
  ['sends its body byte by byte', (socket) => drip(socket, `${head}\r\n`, 'x')],
  ['never ends', (socket) => pour(socket, `${head}\r\n`)],
  ['sends less than it says', (socket) => socket.end(`${head}content-length: 999\r\n\r\nx`)],
  [
    'leads to itself',
    (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: /p\r\ncontent-length: 0\r\n\r\n'),
  ],
  ['is a bomb', (socket) => socket.end(Buffer.concat([Buffer.from(`${head}\r\n`), bomb]))],
  ['sends no HTTP', (socket) => socket.end('\x16\x03\x01 garbage \0\0\0')],
  ['sends no profile', (socket) => socket.end(`${head}\r\n${'{"x": 1}'.repeat(99)}`)],
  ['hangs up', (socket) => socket.destroy()],
];

function drip(socket: Socket, text: string, rest = ''): void {
  socket.write(rest === '' ? '' : text);
  let at = 0;
  const letters = rest === '' ? text : rest;
  const timer = setInterval(() => socket.write(letters[at++ % letters.length]), 100);
  socket.once('close', () => clearInterval(timer));
}

function pour(socket: Socket, start: string): void {
  socket.write(start);
  const more = (): void => {
    if (socket.destroyed) return;
    while (socket.write(Buffer.alloc(65_536)));
    socket.once('drain', more);
  };
  more();
}

const profile = profileBytes();
/** Number of requests by address of a healthy target. */
const scrapes = new Map<string, number>();
const healthy = createHttpServer((request, response) => {
  const address = request.socket.localAddress ?? '';
  scrapes.set(address, (scrapes.get(address) ?? 0) + 1);
  response.end(profile);
});
const bad = createServer((socket) => {
  const [, act] = hostile[Number(socket.localAddress?.split('.')[3]) % hostile.length];
  socket.on('error', () => undefined).once('data', () => act(socket));
  socket.resume();
});

let folder: ScratchDirectory;
let server: TestServer;
before(async () => {
  folder = await scratchDirectory();
  const config = `
scrape_configs:
${job('healthy', await listen(healthy), targetCount - hostileCount)}
${job('hostile', await listen(bad), hostileCount)}
`;
  server = await startServer({ storagePath: join(folder.path, 'data'), config });
});
after(async () => {
  await server?.stop();
  healthy.closeAllConnections();
  healthy.close();
  bad.close();
  await folder.remove();
});

async function listen(target: Server): Promise<number> {
  target.listen(0, '0.0.0.0');
  await once(target, 'listening');
  return (target.address() as AddressInfo).port;
}

/** Returns the config of a job with `count` targets, each at its own loopback address. */
function job(name: string, port: number, count: number): string {
  const targets = Array.from({ length: count }, (_, i) => `"127.0.1.${1 + i}:${port}"`);
  return `  - job_name: ${name}
    scrape_interval: 1s
    scrape_timeout: 1s
    profiling_config:
      pprof_config:
        memory: &off {enabled: false}
        block: *off
        goroutine: *off
        mutex: *off
        process_cpu: *off
        own: {enabled: true, path: /p}
    static_configs: [{targets: [${targets.join(', ')}]}]`;
}

function profileBytes(): Uint8Array {
  const writer = new PprofWriter();
  writer.sample([writer.frame({ name: 'main' })], [1n]);
  const cpu = { type: 'cpu', unit: 'nanoseconds' };
  const times = { period: 1n, timeNanos: 0n, durationNanos: 1n };
  return gzipSync(writer.finish({ sampleTypes: [cpu], periodType: cpu, ...times }));
}

interface Target {
  readonly health: string;
  readonly lastError: string;
  readonly url: string;
}

async function readTargets(name: string): Promise<readonly Target[]> {
  const answer = await (await fetch(`${server.url}/api/targets`)).json();
  const { targets } = answer as {
    readonly targets: Readonly<Record<string, { readonly targets: readonly Target[] }>>;
  };
  return targets[name].targets;
}

/** Nanoseconds that the main thread of the server has waited for a core so far. */
function waitedNanos(): number {
  return Number(readFileSync(`/proc/${server.pid}/schedstat`, 'utf8').split(' ')[1]);
}

test('a third of the targets misbehaves, and the others are scraped all the same', async (t) => {
  const counts = (): number[] => Array.from(scrapes.values());
  const isEveryoneScraped = (times: number): boolean =>
    scrapes.size === targetCount - hostileCount && counts().every((count) => count >= times);
  while (!isEveryoneScraped(2)) await sleep(50);
  const [waitedBefore, start] = [waitedNanos(), performance.now()];
  const megabytes: number[] = [];
  while (!isEveryoneScraped(roundCount)) {
    megabytes.push((await memoryMegabytes(server.pid)).now);
    await sleep(200);
  }
  const lacked = Math.max(...counts()) - Math.min(...counts());
  t.diagnostic(`${roundCount} rounds; one target lacks ${lacked} that another had`);
  assert.ok(lacked <= lackedMax, `one target lacks ${lacked} rounds that another had`);
  const most = Math.max(...counts());
  // Targets are scraped at different times within a second, so a target that has one scrape fewer
  // than the target with the most has missed none.
  const missed = counts().reduce((sum, count) => sum + Math.max(0, most - 1 - count), 0);
  const waited = (waitedNanos() - waitedBefore) / 1e6 / (performance.now() - start);
  const said = `${missed} of ${most * scrapes.size} scrapes missed; waited ${waited.toFixed(3)}`;
  t.diagnostic(said);
  if (isFull) assert.ok(missed <= most * scrapes.size * (missedShareMax + waited), said);
  for (const target of await readTargets('healthy')) assert.equal(target.lastError, '', target.url);
  let bads = await readTargets('hostile');
  while (bads.some(({ lastError }) => lastError === '')) {
    await sleep(50);
    bads = await readTargets('hostile');
  }
  for (const { health, lastError, url } of bads) {
    assert.match(health, /BAD/, url);
    t.diagnostic(`${url}: ${lastError.slice(0, 160)}`);
  }
  const first = Math.min(...megabytes.slice(0, looksPerEnd));
  const last = Math.min(...megabytes.slice(-looksPerEnd));
  const { peak } = await memoryMegabytes(server.pid);
  const figures = `${first.toFixed(0)} MB, then ${last.toFixed(0)}, peak ${peak.toFixed(0)}`;
  t.diagnostic(figures);
  if (isFull) assert.ok(last - first <= growthMegabytesMax, `memory grows: ${figures}`);
});
