// Tests metrics of a server that scrapes: what it received, and the times of the profiles in
// memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type MetricSample, parseMetrics } from '../../support/metrics-text.ts';
import { cpuProfile, gzippedPprof } from '../../support/profiles/pprof-builder.ts';
import { scratchDirectory, startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const scratch = await scratchDirectory();
after(() => scratch.remove());

test('samples of scrapes are counted; the first and the last profile in memory have times', async () => {
  const seconds = Math.floor(Date.now() / 1_000) - 600;
  const timeNanos = BigInt(seconds) * 1_000_000_000n;
  const samples = ['main;work', 'main;rest', 'main'].map((stack): [string, bigint] => [stack, 7n]);
  const body = gzippedPprof(cpuProfile({ timeNanos, samples }));
  const target = createServer((_, response) => void response.end(body)).listen(0, '127.0.0.1');
  after(() => target.close());
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const config = `scrape_configs:
  - job_name: app
    scrape_interval: 1s
    static_configs: [{targets: ['127.0.0.1:${port}']}]
    profiling_config: {pprof_config: {memory: {enabled: true, path: /m}}}
`;
  const storagePath = join(scratch.path, 'data');
  const server = await startServer({ storagePath, config, scrapeResults: true });
  after(() => server.stop());
  let metrics: readonly MetricSample[] = [];
  const readMetric = (name: string): number | undefined =>
    metrics.find((one) => one.name === name)?.value;
  await until(async () => {
    metrics = parseMetrics(await (await fetch(`${server.url}/metrics`)).text());
    return (readMetric('parca_target_samples_total') ?? 0) > 0;
  });
  // The result of each scrape is stored as a profile, too.
  const scrapes = readMetric('parca_target_scrapes_total') ?? 0;
  assert.equal(readMetric('parca_target_samples_total'), scrapes * samples.length);
  for (const name of ['parca_storage_head_first_timestamp_seconds', 'parca_tsdb_head_min_time']) {
    assert.equal(readMetric(name), seconds, name);
  }
  const last = readMetric('parca_tsdb_head_max_time') ?? 0;
  assert.equal(readMetric('parca_storage_head_last_timestamp_seconds'), last);
  assert.ok(Math.abs(last - Date.now() / 1_000) < 60, String(last));
});
