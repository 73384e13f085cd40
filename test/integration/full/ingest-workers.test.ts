// Tests that a real server with ingest workers stores, refuses and recognizes the same profiles as
// a server without them. delete.test.ts and snapshot.test.ts have workers, too; test/crash kills
// such a server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, unary, writeRawPath, writeRawRequest } from '../../support/grpc-client.ts';
import { mergedStacks, sumBy } from '../../support/json-api.ts';
import { parseMetrics } from '../../support/metrics-text.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer, type TestServer } from '../../support/server.ts';

const seriesCount = 40;
const profilesPerSeries = 5;
const startMillis = Date.parse('2026-01-01T00:00:00Z');
const range = { from: new Date(startMillis), to: new Date(startMillis + 3_600_000) };
const query = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
/** Nanoseconds of a sample. */
const period = 10_000_000;
const invalidArgument = 3;

let scratch: Awaited<ReturnType<typeof scratchDirectory>>;
let server: TestServer;

function start(workers: number): Promise<TestServer> {
  const storagePath = join(scratch.path, 'data');
  return startServer({ storagePath, flags: [`--ingest-workers=${workers}`] });
}

/**
 * Encodes a profile of one series: `1 + series` samples in `main;shared`, and 2 in a function that
 * only this series has.
 */
function encodeProfile(series: number, round: number): Uint8Array {
  const timeNanos = BigInt(startMillis + round * 10_000) * 1_000_000n;
  const samples = [
    ['main;shared', BigInt(1 + series)],
    [`main;own${series}`, 2n],
  ] as const;
  const labels = { __name__: 'process_cpu', instance: `host-${series}` };
  return writeRawRequest(labels, gzippedPprof(cpuProfile({ timeNanos, samples })));
}

/**
 * Encodes a request with a profile of every series; encoded repeated fields can be concatenated.
 */
function encodeRound(round: number): Buffer {
  return Buffer.concat(Array.from({ length: seriesCount }, (_, i) => encodeProfile(i, round)));
}

async function write(...requests: readonly Uint8Array[]): Promise<void> {
  const client = connect(server.address);
  try {
    await Promise.all(requests.map((request) => unary(client, writeRawPath, request)));
  } finally {
    client.close();
  }
}

/** Compares answers with the correct ones, which are derived from `encodeProfile`. */
async function check(rounds: number): Promise<void> {
  const sums = await sumBy(server.url, { query, ...range, by: 'instance' });
  const expected = Array.from({ length: seriesCount }, (_, i) => [
    `host-${i}`,
    { value: BigInt((3 + i) * rounds * period), count: 2 * rounds },
  ]);
  assert.deepEqual(Object.fromEntries(sums), Object.fromEntries(expected));
  const lines = Array.from(
    { length: seriesCount },
    (_, i) => `main;own${i} ${2 * rounds * period}`,
  );
  const shared = (seriesCount * (seriesCount + 1)) / 2;
  lines.push(`main;shared ${shared * rounds * period}`, '');
  assert.equal(await mergedStacks(server.url, { query, ...range }), lines.sort().join('\n'));
}

before(async () => {
  scratch = await scratchDirectory();
  server = await start(2);
});

after(async () => {
  await server.stop();
  await scratch.remove();
});

test('series of one request go to all workers, and are stored together', async () => {
  await write(...Array.from({ length: profilesPerSeries }, (_, round) => encodeRound(round)));
  await check(profilesPerSeries);
  const samples = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
  const readMetric = (name: string): number | undefined =>
    samples.find((sample) => sample.name === name)?.value;
  assert.equal(readMetric('parca_ingest_profiles_total'), seriesCount * profilesPerSeries);
  assert.equal(readMetric('parca_ingest_worker_pending_bytes'), 0);
  assert.equal(readMetric('parca_ingest_worker_deaths_total'), 0);
});

test('what is sent again is stored once', async () => {
  await write(encodeRound(0), encodeRound(0));
  await check(profilesPerSeries);
});

test('a bad profile has its whole request refused, whichever worker saw it', async () => {
  for (const series of [0, 1, 2, 3]) {
    const labels = { __name__: 'process_cpu', instance: `bad-${series}` };
    const bad = writeRawRequest(labels, Buffer.from('<html>'));
    await assert.rejects(write(Buffer.concat([encodeRound(100), bad])), (error: unknown) => {
      assert.ok(error instanceof Error && 'code' in error && 'details' in error);
      assert.equal(error.code, invalidArgument);
      assert.match(String(error.details), /^failed to parse profile/);
      return true;
    });
  }
  await check(profilesPerSeries);
});

test('any number of workers serves what any other number stored', async () => {
  let rounds = profilesPerSeries;
  for (const workers of [3, 0, 1]) {
    await server.kill();
    server = await start(workers);
    await check(rounds);
    await write(encodeRound(rounds - 1), encodeRound(rounds));
    rounds += 1;
    await check(rounds);
  }
  assert.equal(await server.stop(), 0);
  server = await start(2);
  await check(rounds);
});
