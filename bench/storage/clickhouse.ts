// The generated fleet, written to ClickHouse and to the embedded store in one run: CPU time of this
// process, and bytes a row. Use: node bench/storage/clickhouse.ts <URL of an empty ClickHouse> [series]
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { createRandom } from '../../src/base/node/random.ts';
import { createIngester } from '../../src/ingest/ingester.ts';
import { openClickHouse } from '../../src/storage/clickhouse/open.ts';
import type { Storage } from '../../src/storage/interface.ts';
import { openStore } from '../../src/storage/store/open-store.ts';
import { generateFleet } from '../fleet/fleet.ts';

const [url, series = '200'] = process.argv.slice(2);
const machine = {
  ...{ clock: createClock(), files: createFiles(), random: createRandom() },
  ...{ logger: silentLogger, metrics: noMetrics },
};
const fleet = [...generateFleet({ series: Number(series) })];
const rows = fleet.reduce((sum, { rowCount }) => sum + rowCount, 0);
/** Profiles of one request. */
const batch = 100;

/** Writes the fleet; returns profiles stored per second of CPU. */
async function write(storage: Storage): Promise<number> {
  const ingester = createIngester({ ...machine, storage });
  const start = process.cpuUsage();
  for (let i = 0; i < fleet.length; i += batch) {
    await ingester.write(
      fleet.slice(i, i + batch).map(({ name, labels, gzipped }) => ({
        labels: [{ name: '__name__', value: name }, ...labels],
        profile: gzipped,
      })),
    );
  }
  const { user, system } = process.cpuUsage(start);
  return (fleet.length * 1e6) / (user + system);
}

const path = await mkdtemp(join(tmpdir(), 'parca-bench-'));
const embedded = await openStore({ ...machine, path });
const embeddedRate = await write(embedded);
await embedded.rotate();
let embeddedBytes = 0;
for (const name of await readdir(join(path, 'blocks'))) {
  embeddedBytes += (await stat(join(path, 'blocks', name))).size;
}
await embedded.close();
await rm(path, { recursive: true });

const database = 'bench';
const store = await openClickHouse(machine, {
  ...{ urls: [url], database, username: 'default', password: '' },
  ...{ cluster: '', insertQuorum: 0, keepNanos: 0n },
});
const clickHouseRate = await write(store);
await store.close();
const client = createClient({ url });
const sizes = await client.query({
  query: `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
    WHERE active AND database = '${database}' GROUP BY table ORDER BY table`,
  format: 'JSONEachRow',
});
const tables = await sizes.json<{ table: string; bytes: number }>();
await client.close();
const perRow = (bytes: number): string => (bytes / rows).toFixed(2);
const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
const lines = [
  `${fleet.length} profiles, ${rows} rows`,
  `profiles per second of CPU: embedded ${embeddedRate.toFixed(0)}, ClickHouse ${clickHouseRate.toFixed(0)}`,
  `bytes a row: embedded, one cut ${perRow(embeddedBytes)}, ClickHouse ${perRow(total)}`,
  ...tables.map(({ table, bytes }) => `  ${table} ${perRow(bytes)}`),
];
process.stdout.write(`${lines.join('\n')}\n`);
