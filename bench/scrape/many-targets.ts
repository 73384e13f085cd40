// Scrapes many targets with a real server. A third of the targets are malicious; prints how late
// the other targets were scraped.
//
// Usage: node bench/scrape/many-targets.ts [MINUTES] [TARGETS] [INTERVAL SECONDS]
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Arrivals,
  hostileJobs,
  startHostileTargets,
} from '../../test/support/hostile/hostile-targets.ts';
import { parseMetrics } from '../../test/support/metrics-text.ts';
import { scratchDirectory, startServer } from '../../test/support/server.ts';
import { cpuSeconds, memoryMegabytes } from '../figures.ts';
import { generateFleet } from '../fleet/fleet.ts';

const [minutes = 15, count = 10_000, intervalSeconds = 60] = process.argv.slice(2).map(Number);
const hostileShare = 0.3;
const lateMillisMax = 500;
const intervalMillis = intervalSeconds * 1_000;

const fleet = generateFleet({ series: 1, profilesPerSeries: 1, startNanos: 0n, intervalNanos: 0n });
const [{ gzipped }] = [...fleet];
const arrivals = new Arrivals(intervalMillis);
const targets = await startHostileTargets(gzipped, (host) => arrivals.note(host));
const { yaml, goodHosts } = hostileJobs(targets, {
  count,
  hostileShare,
  interval: `${intervalSeconds}s`,
  timeout: '10s',
});
const scratch = await scratchDirectory();
const server = await startServer({
  storagePath: join(scratch.path, 'data'),
  config: yaml,
  scrapeResults: true,
});
const configPath = join(scratch.path, `parca-${process.pid}.yaml`);
const start = performance.now();
const memory: number[] = [];
const loads: number[] = [];
let reloads = 0;
while (performance.now() - start < minutes * 60_000) {
  await delay(10_000);
  memory.push((await memoryMegabytes(server.pid)).now);
  loads.push(loadavg()[0]);
  // The timeout of the job `garbage` changes every minute, which must not affect other targets.
  if (memory.length % 6 !== 0) continue;
  reloads += 1;
  const [before, after] = yaml.split('job_name: garbage');
  const changed = after.replace('scrape_timeout: 10s', `scrape_timeout: ${9_000 + reloads}ms`);
  await writeFile(configPath, `${before}job_name: garbage${changed}`);
}
const metrics = await (await fetch(`${server.url}/metrics`)).text();
const cpu = await cpuSeconds(server.pid);
// The first two rounds are not counted, because they open all connections.
const from = start + 2 * intervalMillis;
const late = arrivals.lateness(goodHosts, from, performance.now()).sort((a, b) => a - b);
const percentile = (share: number): string => {
  const value = late[Math.min(late.length - 1, Math.floor(late.length * share))];
  return Number.isFinite(value) ? `${value.toFixed(0)} ms` : 'missing';
};
const onTime = late.filter((millis) => millis <= lateMillisMax).length / late.length;
const part = (fromShare: number, toShare: number): string => {
  const some = memory.slice(
    Math.floor(memory.length * fromShare),
    Math.ceil(memory.length * toShare),
  );
  return (some.reduce((sum, value) => sum + value, 0) / some.length).toFixed(0);
};
const ofGood = (name: string): number =>
  parseMetrics(metrics).find(
    (sample) => sample.name === name && sample.labels.get('scrape_job') === 'good',
  )?.value ?? 0;
console.log(
  [
    `${count} targets, ${hostileShare * 100} % hostile, every ${intervalSeconds} s, ${minutes} min`,
    `load of the machine: ${Math.min(...loads).toFixed(1)}-${Math.max(...loads).toFixed(1)}`,
    `scrapes of good targets: ${late.length} due, ${(onTime * 100).toFixed(3)} % on time`,
    `lateness: p50 ${percentile(0.5)}, p99 ${percentile(0.99)}, p99.9 ${percentile(0.999)}`,
    `by the server's own count: ${ofGood('parca_target_scrapes_total')} scrapes, ` +
      `${ofGood('parca_target_scrapes_late_total')} late`,
    `memory: ${part(0.2, 0.4)} MB after a fifth, ${part(0.8, 1)} MB at the end`,
    `CPU of the server: ${((cpu / (minutes * 60)) * 100).toFixed(0)} % of a core`,
    `reloads of one job: ${reloads}`,
  ].join('\n'),
);
await server.stop();
await targets.close();
await scratch.remove();
