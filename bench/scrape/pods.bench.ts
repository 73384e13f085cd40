// Benchmark of pods that appear and disappear: CPU time of discovering and relabeling 20,000 pods
// with four events each, as a share of a core over a minute. One of twenty pods is scraped.
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { silentLogger } from '../../src/base/logger.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { createClock } from '../../src/base/node/clock.ts';
import { createFiles } from '../../src/base/node/files.ts';
import { runCommand } from '../../src/base/node/run-command.ts';
import { parseConfig } from '../../src/config/load/parse.ts';
import { createScrapeManager } from '../../src/scrape/manager.ts';
import { discoveryKinds } from '../../src/discovery/registry.ts';

const pods = 20_000;
/**
 * Duration of the run in seconds. A shorter run has the same events at the same cost. The result is
 * always given as a share of a minute.
 */
const seconds = Number(process.argv[2] ?? 60);
const goalShare = 0.1;

const worker = new Worker(new URL('./pods-api.ts', import.meta.url), {
  workerData: { pods, seconds },
});
const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
const manager = createScrapeManager({
  clock: createClock(),
  files: createFiles(),
  logger: silentLogger,
  metrics: noMetrics,
  ingester: { write: async () => undefined },
  storesResults: false,
  userAgent: 'bench/1',
  watchFolder: () => undefined,
  createResolver: () => new Resolver(),
  runCommand,
  environment: {},
});
const config = parseConfig(
  `scrape_configs:
  - job_name: pods
    scrape_interval: 1h
    kubernetes_sd_configs: [{role: pod, api_server: 'http://127.0.0.1:${port}'}]
    relabel_configs:
      - source_labels: [__meta_kubernetes_pod_annotation_parca_dev_scrape]
        regex: 'true'
        action: keep
      - {source_labels: [__meta_kubernetes_namespace], target_label: namespace}
      - {source_labels: [__meta_kubernetes_pod_name], target_label: pod}
`,
  'parca.yaml',
  discoveryKinds,
);
const before = process.threadCpuUsage();
await manager.apply(config);
const [{ events, bytes }] = (await once(worker, 'message')) as [{ events: number; bytes: number }];
const { user, system } = process.threadCpuUsage(before);
const share = (user + system) / 1e6 / 60;
console.log(
  `${pods} pods, ${events} events, ${(bytes / 1e6).toFixed(0)} MB: ` +
    `${(share * 100).toFixed(1)} % of a core over a minute, goal ${goalShare * 100} % ` +
    (share <= goalShare ? 'ok' : 'NOT'),
);
await worker.terminate();
await manager.stop();
