// Stores the generated fleet in ClickHouse and in the embedded store, and compares the two within
// one run: CPU time of this process, bytes per row by table, times of queries for a service, and
// how these times grow with the fleet.
//
// Usage: node bench/storage/clickhouse.ts <URL of an empty ClickHouse> [series] [times]
//
// A round has 10 profiles per series; `times` lists the numbers of rounds after which to measure.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import { createQueryEngine } from '../../src/query/engine/engine.ts';
import { labelValue } from '../../src/model/labels.ts';
import { openClickHouse } from '../../src/storage/clickhouse/open.ts';
import { tableNames } from '../../src/storage/clickhouse/schema.ts';
import type { IncomingProfile, Storage } from '../../src/storage/interface.ts';
import { BatchWriter } from '../../src/storage/tools/batch-writer.ts';
import { blockProfiles } from '../../src/storage/tools/copy-blocks.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { drawSamples, fleetDefaults, generateFleet } from '../fleet/fleet.ts';
import { zipfSampler } from '../fleet/zipf.ts';
import { median } from '../measure.ts';

const [url, series = '1000', times = '1,10'] = process.argv.slice(2);
const machine = {
  clock: createClock(),
  files: createFiles(),
  random: createRandom(),
  logger: silentLogger,
  metrics: noMetrics,
};
const database = 'bench';
/** Profiles per request. */
const batch = 1_000;
const rounds = 5;
const { startNanos, intervalNanos, profilesPerSeries } = fleetDefaults;
/** Time range of the generated fleet. */
const spanNanos = intervalNanos * BigInt(profilesPerSeries);
const cpuType = 'process_cpu:cpu:nanoseconds:cpu:nanoseconds:delta';
let rows = 0;
let profiles = 0;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns the milliseconds of CPU time since `start`. */
function cpuMillis(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/**
 * Writes the generated fleet to all stores in turns; returns the milliseconds of CPU time for each.
 */
async function writeFleet(stores: readonly Storage[]): Promise<number[]> {
  const ingesters = stores.map((storage) => createIngester({ ...machine, storage }));
  const millis = stores.map(() => 0);
  let uploads: Parameters<(typeof ingesters)[0]['write']>[0][number][] = [];
  const send = async (): Promise<void> => {
    for (const [i, ingester] of ingesters.entries()) {
      const start = process.cpuUsage();
      await ingester.write(uploads);
      millis[i] += cpuMillis(start);
    }
    uploads = [];
  };
  for (const { name, labels, gzipped, rowCount } of generateFleet({ series: Number(series) })) {
    uploads.push({ labels: [{ name: '__name__', value: name }, ...labels], profile: gzipped });
    rows += rowCount;
    profiles += 1;
    if (uploads.length === batch) await send();
  }
  await send();
  return millis;
}

/** Prints the time of each query for a service, in both stores in turns. */
async function ask(time: number): Promise<void> {
  const { signal } = new AbortController();
  const first = { from: startNanos, to: startNanos + spanNanos - 1n };
  const all = { ...first, to: startNanos + spanNanos * BigInt(time) - 1n };
  const engines = stores.map(([name, { querier }]) => {
    return [name, createQueryEngine({ ...machine, querier })] as const;
  });
  for (const [spanName, range] of [
    ['the first span', first],
    ['everything', all],
  ] as const) {
    for (const kind of ['flame graph', 'range']) {
      const found = new Map<string, number[]>();
      for (let round = 0; round < rounds; round += 1) {
        for (const [name, engine] of engines) {
          // Each query is for a different service, so that its data has not been read before.
          const query = `${cpuType}{job="service-${round}"}`;
          const start = performance.now();
          if (kind === 'range') {
            const stepNanos = intervalNanos;
            await engine.queryRange({ query, range, stepNanos, sumBy: [], limit: 0 }, { signal });
          } else {
            const select = { mode: 'merge' as const, query, range };
            const trims = { nodeTrimFraction: 0, rootTrimFraction: 0.001, groupBy: [] };
            await engine.report({ select, report: 'flame-graph', ...trims }, { signal });
          }
          found.set(name, [...(found.get(name) ?? []), performance.now() - start]);
        }
      }
      const texts = Array.from(
        found,
        ([name, millis]) => `${name} ${median(millis).toFixed(0)} ms`,
      );
      print(`${kind} of one service over ${spanName}, median of ${rounds}: ${texts.join(', ')}`);
    }
  }
}

async function embeddedBytes(path: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(join(path, 'blocks'))) {
    bytes += (await stat(join(path, 'blocks', name))).size;
  }
  return bytes;
}

/** Prints bytes per row: of new blocks, and of each table after merging its parts. */
async function printSizes(path: string): Promise<void> {
  const client = createClient({ url, database });
  for (const name of tableNames) await client.command({ query: `OPTIMIZE TABLE ${name} FINAL` });
  const sizes = await client.query({
    query: `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
      WHERE active AND database = '${database}' GROUP BY table ORDER BY table`,
    format: 'JSONEachRow',
  });
  const tables = await sizes.json<{ table: string; bytes: number }>();
  await client.close();
  const perRow = (bytes: number): string => (bytes / rows).toFixed(2);
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const each = tables.map(({ table, bytes }) => `${table} ${perRow(bytes)}`);
  const embeddedRow = perRow(await embeddedBytes(path));
  print(`bytes a row: embedded ${embeddedRow}; ClickHouse ${perRow(total)}: ${each.join(', ')}`);
}

const path = await mkdtemp(join(tmpdir(), 'parca-bench-'));
const embedded = await openStore({ ...machine, path });
const clickHouse = await openClickHouse(machine, {
  urls: [url],
  database,
  username: 'default',
  password: '',
  cluster: '',
  insertQuorum: 0,
  keepNanos: 0n,
});
const stores = [
  ['embedded', embedded],
  ['ClickHouse', clickHouse],
] as const;
const millis = await writeFleet(stores.map(([, storage]) => storage));
await embedded.rotate();
const rates = millis.map((of) => ((profiles * 1000) / of).toFixed(0));
print(`profiles per second of CPU: embedded ${rates[0]}, ClickHouse ${rates[1]}`);

// Writes more profiles of the same hosts at later times, without decoding uploads. Samples are
// drawn from the stacks of each service, so that profiles differ.
const blocks = [...embedded.blocks()];
const random = seededRandom(2);
const countsByService = new Map<string, Map<number, bigint>>();
for (const block of blocks) {
  for await (const { labels, stacks, values, rowCount } of blockProfiles(block, print)) {
    const service = labelValue(labels, 'job');
    const counts = countsByService.get(service) ?? new Map<number, bigint>();
    countsByService.set(service, counts);
    for (let i = 0; i < rowCount; i += 1) {
      counts.set(stacks[i], (counts.get(stacks[i]) ?? 0n) + values[0][i]);
    }
  }
}
const drawsByService = new Map(
  Array.from(countsByService, ([service, counts]) => {
    const stacks = [...counts].sort(([, a], [, b]) => Number(b - a)).map(([stack]) => stack);
    return [service, { stacks, draw: zipfSampler(random, stacks.length, 1.05) }];
  }),
);

/** Returns a profile of the same host at another time. */
function laterProfile(profile: IncomingProfile, laterNanos: bigint): IncomingProfile {
  const { stacks, draw } = drawsByService.get(labelValue(profile.labels, 'job')) ?? raise();
  const samples = [...drawSamples(random, draw)];
  const counts = BigInt64Array.from(samples, ([, count]) => BigInt(count));
  return {
    ...profile,
    timeNanos: profile.timeNanos + laterNanos,
    rowCount: samples.length,
    stacks: Uint32Array.from(samples, ([number]) => stacks[number]),
    values: [counts, counts.map((count) => count * profile.period)],
    contentHash: BigInt(random.uint32()),
  };
}

function raise(): never {
  throw new Error('a profile has no service');
}

const firstProfiles = profiles;
const copied = stores.map(() => 0);
const milestones = times.split(',').map(Number);
for (let time = 1; ; time += 1) {
  if (milestones.includes(time)) {
    await embedded.rotate();
    print(`\n${profiles} profiles, ${rows} rows`);
    await printSizes(path);
    await ask(time);
  }
  if (time >= Math.max(...milestones)) break;
  for (const block of blocks) {
    const dictionary = await block.dictionary();
    const later: IncomingProfile[] = [];
    for await (const profile of blockProfiles(block, print)) {
      later.push(laterProfile(profile, spanNanos * BigInt(time)));
    }
    for (const [i, [, storage]] of stores.entries()) {
      const writer = new BatchWriter(storage, dictionary);
      const start = process.cpuUsage();
      for (const profile of later) await writer.add(profile);
      await writer.flush();
      copied[i] += cpuMillis(start);
    }
    for (const { rowCount } of later) rows += rowCount;
    profiles += later.length;
  }
}
const copyRates = copied.map((of) => (((profiles - firstProfiles) * 1000) / of).toFixed(0));
print(`decoded profiles per second of CPU: embedded ${copyRates[0]}, ClickHouse ${copyRates[1]}`);
await clickHouse.close();
await embedded.close();
await rm(path, { recursive: true });
