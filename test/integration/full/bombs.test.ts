// Tests compressed bytes that expand enormously, on every API of a real server: they are refused at
// once, with little memory and CPU time.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { cpuSeconds } from '../../../bench/figures.ts';
import { writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import {
  type ScratchDirectory,
  scratchDirectory,
  startServer,
  type TestServer,
} from '../../support/server.ts';

const mebi = 1024 * 1024;
/**
 * Limits of the memory in bytes that one bomb may add to the server, and of the CPU time until it
 * is refused.
 */
const growthMax = 16 * mebi;
const cpuSecondsMax = 0.5;
let server: TestServer;
let folder: ScratchDirectory;
before(async () => {
  folder = await scratchDirectory();
  server = await startServer({ storagePath: join(folder.path, 'data') });
});
after(async () => {
  await server.stop();
  await folder.remove();
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return parseMetrics(text).find((one) => one.name === name)?.value ?? 0;
}

/** Resets the server's peak memory. */
const forgetPeak = (): Promise<void> => writeFile(`/proc/${server.pid}/clear_refs`, '5');

async function peakBytes(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Makes a bomb of zeros, as several members or frames in a row. */
function makeBomb(compress: (bytes: Uint8Array) => Uint8Array, copies: number): Buffer {
  const part = compress(Buffer.alloc(16 * mebi));
  return Buffer.concat(Array.from({ length: copies }, () => part));
}

/** Makes a gzip bomb that claims to have `length` bytes. */
function forged(length: number): Buffer {
  const bomb = makeBomb(gzipSync, 64);
  bomb.writeUInt32LE(length, bomb.length - 4);
  return bomb;
}

interface Door {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes a request body that contains a bomb. */
  wrap(bomb: Uint8Array): Uint8Array;
}

const asIs = (bomb: Uint8Array): Uint8Array => bomb;
const proto = { 'content-type': 'application/proto' };
const doors: readonly Door[] = [
  '/api/v1/push?job=x',
  '/ingest?name=x&format=pprof',
  '/v1development/profiles',
  '/push.v1.PusherService/Push',
  '/api/profiles/writeraw',
].map((path): Door => ({ path, headers: proto, wrap: asIs }));
/** APIs whose messages contain compressed bytes. */
const innerDoors: readonly Door[] = [
  ...['/api/v1/push?job=x', '/ingest?name=x&format=pprof'].map((path): Door => ({
    path,
    headers: {},
    wrap: asIs,
  })),
  {
    path: writeRawPath,
    headers: proto,
    wrap: (bomb) => writeRawRequest({ __name__: 'x', job: 'x' }, bomb),
  },
];

/** Sends a bomb, and checks that it is refused. */
async function explode({ path, headers, wrap }: Door, bomb: Uint8Array, encoding?: string) {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body: Uint8Array.from(wrap(bomb)),
    headers: { ...headers, ...(encoding !== undefined && { 'content-encoding': encoding }) },
  });
  const text = await answer.text();
  assert.ok([400, 413, 429, 501].includes(answer.status), `${path}: ${answer.status} ${text}`);
}

test('bombs of every compression, also nested and with forged lengths, are refused at once', async () => {
  /** Contents of the bombs: zeros, letters, words. */
  const contents = ['\0', 'a', '{},', '\n\u0000'].map((unit) => Buffer.alloc(16 * mebi, unit));
  const bombs: readonly (readonly [string, Buffer])[] = [
    ['gzip', makeBomb(gzipSync, 1)],
    ['gzip', makeBomb(gzipSync, 64)],
    ['gzip', gzipSync(makeBomb(gzipSync, 64))],
    ['gzip', forged(1)],
    ['gzip', forged(10 * mebi)],
    ['gzip', forged(0xffff_ffff)],
    ...contents.map((bytes): [string, Buffer] => ['gzip', gzipSync(bytes)]),
    ['zstd', makeBomb(zstdCompressSync, 1)],
    ['zstd', makeBomb(zstdCompressSync, 64)],
    ['zstd', makeBomb(zstdCompressSync, 1_500)],
    ['zstd', zstdCompressSync(makeBomb(zstdCompressSync, 1_500))],
    ['zstd', zstdCompressSync(zstdCompressSync(makeBomb(zstdCompressSync, 1_500)))],
    // A zstd frame with a window of 2 GiB.
    ['zstd', Buffer.from('28b52ffd00a8030000', 'hex')],
    ...contents.map((bytes): [string, Buffer] => ['zstd', zstdCompressSync(bytes)]),
    ['br', brotliCompressSync(Buffer.alloc(16 * mebi))],
    ['deflate', deflateSync(Buffer.alloc(16 * mebi))],
    // The header claims 16 MiB; the content is one zero byte and copies of it.
    ['snappy', Buffer.from('80808008000001fe0100', 'hex')],
    ['lz4', Buffer.from('04224d186440a70000000000', 'hex')],
  ];
  const countBombs = (name: string): number => bombs.filter(([one]) => one === name).length;
  assert.deepEqual(['gzip', 'zstd'].map(countBombs), [10, 10]);
  for (const door of doors) await explode(door, bombs[0][1], 'gzip');
  // Starts the ingest worker, which takes memory once.
  for (const door of innerDoors) await explode(door, bombs[0][1]);
  /**
   * Sends a bomb, and checks that the server's memory grows little even while it handles the bomb.
   */
  const explodeInSmall = async (door: Door, bomb: Uint8Array, encoding?: string): Promise<void> => {
    await forgetPeak();
    const before = await peakBytes();
    const cpuBefore = await cpuSeconds(server.pid);
    await explode(door, bomb, encoding);
    const growth = (await peakBytes()) - before;
    const seconds = (await cpuSeconds(server.pid)) - cpuBefore;
    const what = `${door.path}: a bomb of ${encoding} takes`;
    assert.ok(growth <= growthMax, `${what} ${growth} bytes`);
    assert.ok(seconds <= cpuSecondsMax, `${what} ${seconds} s of CPU`);
  };
  for (const [encoding, bomb] of bombs) {
    for (const door of doors) await explodeInSmall(door, bomb, encoding);
    for (const door of innerDoors) await explodeInSmall(door, bomb);
  }
  await Promise.all(
    Array.from({ length: 64 }, (_, i) => explode(doors[i % doors.length], bombs[1][1], 'gzip')),
  );
  const peakOfMany = await peakBytes();
  assert.ok(peakOfMany <= 512 * mebi, `${peakOfMany} bytes with 64 bombs at once`);
  assert.equal(await metric('parca_ingest_profiles_total'), 0);
  assert.equal(await metric('parca_api_request_bytes'), 0);
});
