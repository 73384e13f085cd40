// Tests `parcatool import-from` with thousands of profiles. It is killed in the middle, and
// continues when it is started again. In the end, each series has all of its profiles with exact
// values.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { History, labelsKey } from '../../../cmd/parcatool/import-from/history.ts';
import { formatNanos } from '../../../src/api/transport/json/time.ts';
import { PprofWriter } from '../../../src/formats/pprof/writer.ts';
import { encodeWriteRaw, type SeriesProfile } from '../../../src/forward/write-raw.ts';
import { type FilledServer, startFilledServer } from '../../support/filled-server.ts';
import { connect, unary, writeRawPath } from '../../support/grpc-client.ts';
import { runParcatool } from '../../support/parcatool.ts';

const program = new URL('../../../cmd/parcatool/main.ts', import.meta.url).pathname;
const second = 1_000_000_000n;
const hourNanos = 3_600n * second;
const series = 20;
const steps = 200;
/**
 * Time from one step to the next. All steps together take more than three hours, and each hour is
 * copied separately.
 */
const stepNanos = 60n * second;
const start = (BigInt(Date.now()) / 3_600_000n - 5n) * hourNanos + 123_456_789n;
/**
 * Delay for each profile in milliseconds: with four requests at a time, the 60 profiles of a series
 * in an hour take 10 s.
 */
const slowMillis = 667;
const cpuPeriod = 10_000_000n;
const types = {
  count: 'process_cpu:samples:count:cpu:nanoseconds:delta',
  cpu: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta',
  heap: 'memory:inuse_space:bytes:space:bytes',
};

/** Expected sums of each series, by type and then by labels. */
const expected: Record<string, Record<string, string>> = {};
let source: FilledServer;
let target: FilledServer;

before(async () => {
  source = await startFilledServer([], async () => undefined);
  target = await startFilledServer([], async () => undefined);
  const client = connect(source.address);
  const profiles = Array.from({ length: series }, (_, one) => makeSeries(one)).flat();
  for (const message of encodeWriteRaw(profiles, 1024 * 1024)) {
    await unary(client, writeRawPath, message);
  }
  client.close();
});

after(async () => {
  await target.stop();
  await source.stop();
});

/** Makes the CPU and heap profiles of a series, and adds their values to the expected sums. */
function makeSeries(row: number): readonly SeriesProfile[] {
  const labels = [
    { name: 'instance', value: `10.0.0.${row}:6060` },
    { name: 'job', value: `job-${row % 3}` },
  ];
  const made: SeriesProfile[] = [];
  const sums = { count: 0n, heap: 0n };
  for (let step = 0; step < steps; step += 1) {
    // Targets are scraped at different times.
    const timeNanos = start + BigInt(step) * stepNanos + BigInt(row) * 7_654_321n;
    const counts = [1, 2, 3].map((part) => BigInt(row + part * (step % 11) + part));
    // The sums are too large to be exact as doubles.
    const heaps = counts.map((count) => 100_000_000_000_003n + count);
    made.push({
      name: 'process_cpu',
      labels,
      profile: makeProfile(row, {
        sampleTypes: [
          { type: 'samples', unit: 'count' },
          { type: 'cpu', unit: 'nanoseconds' },
        ],
        periodType: { type: 'cpu', unit: 'nanoseconds' },
        period: cpuPeriod,
        timeNanos,
        durationNanos: 10n * second,
        values: counts.map((count) => [count, count * cpuPeriod]),
      }),
    });
    made.push({
      name: 'memory',
      labels,
      profile: makeProfile(row, {
        sampleTypes: [{ type: 'inuse_space', unit: 'bytes' }],
        periodType: { type: 'space', unit: 'bytes' },
        period: 524_288n,
        timeNanos,
        durationNanos: 0n,
        values: heaps.map((bytes) => [bytes]),
      }),
    });
    sums.count += counts.reduce((sum, value) => sum + value, 0n);
    sums.heap += heaps.reduce((sum, value) => sum + value, 0n);
  }
  const key = labelsKey(new Map(labels.map(({ name, value }) => [name, value])));
  const time = sums.count * cpuPeriod;
  for (const [type, sum] of [
    // Parca's API returns numbers of samples as the time that they represent.
    [types.count, time],
    [types.cpu, time],
    [types.heap, sums.heap],
  ] as const) {
    expected[type] = { ...expected[type], [key]: `${steps} profiles, sum ${sum}` };
  }
  return made;
}

type ProfileHead = Parameters<PprofWriter['finish']>[0];

function makeProfile(
  row: number,
  { values, ...head }: ProfileHead & { readonly values: readonly (readonly bigint[])[] },
): Uint8Array {
  const writer = new PprofWriter();
  const main = writer.frame({ name: 'main' });
  values.forEach((sample, i) => {
    writer.sample([writer.frame({ name: `job${row % 3}.work${i}` }), main], [...sample]);
  });
  return gzipSync(writer.finish(head));
}

/** Returns the sum of each series of a type, and the number of its profiles. */
async function readSums(url: string, type: string): Promise<Record<string, string>> {
  const range = { start: start - hourNanos, end: start + 5n * hourNanos };
  const history = new History({ url: new URL(url), timeoutMillis: 60_000 });
  const found = await history.series(type, range, await history.labelNames(type, range));
  const sums = [...found].map(([key, { profiles }]) => {
    const sum = [...profiles.values()].reduce((all, { value }) => all + value, 0n);
    return [key, `${profiles.size} profiles, sum ${sum}`] as const;
  });
  return Object.fromEntries(sums);
}

async function countProfiles(url: string, type: string): Promise<number> {
  const sums = Object.values(await readSums(url, type));
  return sums.reduce((count, sum) => count + Number(sum.split(' ')[0]), 0);
}

/** Starts a proxy for a server; the proxy is as slow for each profile as Parca. */
async function startSlow(url: string): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const path = request.url ?? '';
      if (path.startsWith('/api/profiles/query?')) await sleep(slowMillis);
      const found = await fetch(new URL(path, url));
      response.writeHead(found.status, { 'content-type': 'application/json' });
      response.end(await found.text());
    };
    answer().catch((error: unknown) => response.destroy(new Error(String(error))));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('the server that is read has what is expected', async () => {
  for (const type of Object.values(types)) {
    assert.deepEqual(await readSums(source.url, type), expected[type], type);
  }
});

test('it writes and counts what it has fetched from a slow server, and is killed', async (t) => {
  const slow = await startSlow(source.url);
  t.after(() => slow.close());
  const args = ['import-from', slow.url, `--server=${target.url}`, '--from=now-24h'];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes('copied')) child.kill('SIGKILL');
  });
  assert.deepEqual(await closed, [null, 'SIGKILL'], said);
  // Copying the first hour of the first type takes longer.
  const [, count, from] = /: copied (\d+) of 1200 profiles from (\S+) to /.exec(said) ?? [];
  assert.equal(from, formatNanos((start / hourNanos) * hourNanos), said);
  assert.ok(Number(count) > 0 && Number(count) < 1_200, said);
  assert.ok((await countProfiles(target.url, types.heap)) >= Number(count), said);
  assert.equal(await countProfiles(target.url, types.cpu), 0);
});

test('it goes on, and every series has every profile to the last value', async () => {
  const importFrom = (): ReturnType<typeof runParcatool> =>
    runParcatool('import-from', source.url, `--server=${target.url}`, '--from=now-24h');
  const { code, out, err } = await importFrom();
  assert.equal(code, 0, out + err);
  const counts = [...out.matchAll(/copied (\d+) profiles of 20 series/g)].map(([, n]) => Number(n));
  const known = [...out.matchAll(/, (\d+) profiles were there/g)].map(([, n]) => Number(n));
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);
  assert.equal(counts.length, 3, out);
  assert.ok(sum(known) > 0, out);
  assert.equal(sum(counts) + sum(known), 3 * series * steps, out);
  for (const type of Object.values(types)) {
    assert.deepEqual(await readSums(target.url, type), expected[type], type);
  }
  const again = await importFrom();
  assert.equal(again.code, 0, again.err);
  assert.equal(
    [...again.out.matchAll(/copied 0 profiles of 20 series, 4000/g)].length,
    3,
    again.out,
  );
});
